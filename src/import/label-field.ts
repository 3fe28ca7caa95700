/** Reads the labels in the field of a `:LABEL` column. */

/** The array delimiter of blocks whose labels stand as lists in JSON, since they may hold any character. No CSV file has it. */
export const LABELS_AS_JSON = 0;

/** Returns the labels in a field. */
export function labelsOfField(text: string, arrayDelimiter: number): readonly string[] {
  if (text === '') return [];
  if (arrayDelimiter === LABELS_AS_JSON) return JSON.parse(text) as string[];
  return text.split(String.fromCharCode(arrayDelimiter)).filter((label) => label !== '');
}
