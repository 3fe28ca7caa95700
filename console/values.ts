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

function kindOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? (value as { readonly _kind?: unknown })._kind : undefined;
}

export function isNode(value: unknown): value is NodeJson {
  return kindOf(value) === 'node';
}

export function isRelationship(value: unknown): value is RelationshipJson {
  return kindOf(value) === 'rel';
}

/** Calls back for each node and relationship in a value, however deep. */
export function visitEntities(value: unknown, visit: (entity: NodeJson | RelationshipJson) => void): void {
  if (isNode(value) || isRelationship(value)) visit(value);
  else if (Array.isArray(value)) for (const item of value) visitEntities(item, visit);
  else if (typeof value === 'object' && value !== null) for (const item of Object.values(value)) visitEntities(item, visit);
}

/** JSON in which BigInts are the integers that they are. */
export function jsonText(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, (_key, item: unknown) => (typeof item === 'bigint' ? `\u0001${item}\u0001` : item), indent);
  return (text ?? 'null').replaceAll(/"\\u0001(-?\d+)\\u0001"/g, '$1');
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

export function csvText(columns: readonly string[], rows: readonly Readonly<Record<string, unknown>>[]): string {
  const cell = (value: unknown): string => {
    const text = value === null || value === undefined ? '' : typeof value === 'object' ? jsonText(value) : String(value);
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return [columns.map(cell), ...rows.map((row) => columns.map((column) => cell(row[column])))].map((cells) => cells.join(',')).join('\r\n');
}

/** A name as a statement takes it. */
export function quoted(name: string): string {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) ? name : `\`${name.replaceAll('`', '``')}\``;
}
