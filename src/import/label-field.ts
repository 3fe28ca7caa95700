/** The labels in the field of a `:LABEL` column. */

/** As array delimiter of a block: labels, which may hold any character, stand as a list in JSON. No CSV file has this one. */
export const LABELS_AS_JSON = 0;

/** Returns the labels in a field. */
export function labelsOfField(text: string, arrayDelimiter: number): readonly string[] {
  if (text === '') return [];
  if (arrayDelimiter === LABELS_AS_JSON) return JSON.parse(text) as string[];
  return text.split(String.fromCharCode(arrayDelimiter)).filter((label) => label !== '');
}
