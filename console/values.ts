/** Values of answers: what is a node or a relationship among them, and how values are shown. */

export interface NodeJson {
  readonly _kind: 'node';
  readonly id: string;
  readonly labels: readonly string[];
  readonly properties: Readonly<Record<string, unknown>>;
}

export interface RelationshipJson {
  readonly _kind: 'rel';
  readonly id: string;
  readonly edge_type: string;
  readonly src: string;
  readonly dst: string;
  readonly properties: Readonly<Record<string, unknown>>;
}

/** A map of a statement may have a key `_kind` too; it is no node as long as it does not have all members of one. */
export function isNode(value: unknown): value is NodeJson {
  if (!isObject(value) || value['_kind'] !== 'node' || !isText(value['id']) || !isObject(value['properties'])) return false;
  return Array.isArray(value['labels']) && value['labels'].every(isText);
}

export function isRelationship(value: unknown): value is RelationshipJson {
  if (!isObject(value) || value['_kind'] !== 'rel' || !isObject(value['properties'])) return false;
  return [value['id'], value['edge_type'], value['src'], value['dst']].every(isText);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/** Calls back for each node and relationship in a value, however deep. */
export function visitEntities(value: unknown, visit: (entity: NodeJson | RelationshipJson) => void): void {
  if (isNode(value) || isRelationship(value)) visit(value);
  else if (Array.isArray(value)) for (const item of value) visitEntities(item, visit);
  else if (typeof value === 'object' && value !== null) for (const item of Object.values(value)) visitEntities(item, visit);
}

/** Stands before the digits of a BigInt until its quotes are removed; no text can have it. (Pages of plain http have no randomUUID.) */
const MARK = `integer-${crypto.getRandomValues(new Uint32Array(4)).join('-')}:`;
const MARKED = new RegExp(`"${MARK}(-?\\d+)"`, 'g');

/** JSON in which BigInts are the integers that they are. */
export function jsonText(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, (_key, item: unknown) => (typeof item === 'bigint' ? `${MARK}${item}` : item), indent);
  return (text ?? 'null').replaceAll(MARKED, '$1');
}

/** One line for a cell. */
export function shortText(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'string') return value;
  if (isNode(value)) return `(${value.labels.map((label) => `:${label}`).join('')} ${jsonText(value.properties)})`;
  if (isRelationship(value)) return `[:${value.edge_type} ${jsonText(value.properties)}]`;
  if (Array.isArray(value)) return `[${value.map(shortText).join(', ')}]`;
  return typeof value === 'object' ? jsonText(value) : String(value);
}

/** Numbers by size, texts by the user's language, everything else by its text; nulls last. */
export function compareValues(one: unknown, other: unknown): number {
  const [isNothing, isOtherNothing] = [one === null || one === undefined, other === null || other === undefined];
  if (isNothing || isOtherNothing) return Number(isNothing) - Number(isOtherNothing);
  const areNumbers = [one, other].every((each) => typeof each === 'number' || typeof each === 'bigint');
  if (areNumbers) return (one as number) < (other as number) ? -1 : (one as number) > (other as number) ? 1 : 0;
  return shortText(one).localeCompare(shortText(other));
}

type Rows = readonly Readonly<Record<string, unknown>>[];

/** Null is an empty field, an empty text a quoted one. */
export function csvText(columns: readonly string[], rows: Rows): string {
  const cellOf = (value: unknown): string => {
    if (value === null || value === undefined) return '';
    const text = typeof value === 'string' ? withoutFormula(value) : typeof value === 'object' ? jsonText(value) : String(value);
    return text === '' || /[",\r\n]/.test(text) ? inQuotes(text) : text;
  };
  return linesOf(columns, rows, cellOf)
    .map((cells) => cells.join(','))
    .join('\r\n');
}

/** Returns rows as spreadsheets take them from the clipboard. */
export function clipboardText(columns: readonly string[], rows: Rows): string {
  const cellOf = (value: unknown): string => {
    const text = typeof value === 'string' ? withoutFormula(value) : shortText(value);
    return /["\t\r\n]/.test(text) ? inQuotes(text) : text;
  };
  return linesOf(columns, rows, cellOf)
    .map((cells) => cells.join('\t'))
    .join('\n');
}

function linesOf(columns: readonly string[], rows: Rows, cellOf: (value: unknown) => string): readonly string[][] {
  return [columns.map(cellOf), ...rows.map((row) => columns.map((column) => cellOf(row[column])))];
}

const inQuotes = (text: string): string => `"${text.replaceAll('"', '""')}"`;

/** A spreadsheet would compute a text that begins as a formula does, which can send what stands beside it elsewhere. Numbers stay. */
function withoutFormula(text: string): string {
  return /^[=+\-@\t\r]/.test(text) && !/^[-+][\d .,]*$/.test(text) ? `'${text}` : text;
}

/** A name as a statement takes it. */
export function quoted(name: string): string {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) ? name : `\`${name.replaceAll('`', '``')}\``;
}
