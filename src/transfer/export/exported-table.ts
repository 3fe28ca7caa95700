/**
 * The tables of a graph as typed files hold them: nodes by label set, relationships by type, each with its keys and the
 * types of their values. While there are few tables each has a file of its own; otherwise all nodes share one file, and
 * all relationships another.
 */
import { columnValue, type SstColumnKind } from '../../storage/index.ts';
import { PropertyShape } from './property-shape.ts';
import type { StoredTable } from './stored-graph.ts';
import { hasValue } from './table-batch.ts';

/** The most files that are open at the same time. With more tables, all go into one file. */
const MOST_FILES = 64;

/** A table that is exported to one file. */
export interface ExportedTable {
  readonly kind: StoredTable['kind'];
  /** The name of the file, without its ending, such as `nodes-Person`. */
  readonly name: string;
  /** The tables that are written to it. */
  readonly tables: readonly StoredTable[];
  readonly properties: ReadonlyMap<string, PropertyShape>;
}

/** The kinds of stored columns that determine the type of their values; values of other columns must be read. */
const KINDS = {
  int32: 'integer',
  integer: 'integer',
  int64: 'integer',
  float: 'float',
  boolean: 'boolean',
  date: 'date',
  dictionary: 'string',
  string: 'string',
  vector: 'vector',
} as const satisfies Partial<Record<SstColumnKind, string>>;

/**
 * Finds the shape of every table. Only tables with columns of values of any type, or of several kinds, are read.
 *
 * @param onRows called with the number of rows that were read
 */
export async function exportedTables(
  tables: readonly StoredTable[],
  arrayDelimiter: string,
  onRows: (count: number) => void,
): Promise<ExportedTable[]> {
  const [first] = tables;
  if (first === undefined) return [];
  const groups = tables.length > MOST_FILES ? [tables] : tables.map((table) => [table]);
  const taken = new Set<string>();
  const exported: ExportedTable[] = [];
  for (const group of groups) {
    const [only] = group;
    const names = group.length > 1 || only === undefined ? [] : only.kind === 'nodes' ? only.labels : [only.type];
    const shapes = new Map<string, PropertyShape>();
    for (const table of group) await addShapes(table, shapes, arrayDelimiter, onRows);
    const properties = new Map([...shapes].filter(([, shape]) => !shape.isEmpty));
    exported.push({ kind: first.kind, name: uniqueName([first.kind, ...names], taken), tables: group, properties });
  }
  return exported;
}

async function addShapes(
  table: StoredTable,
  shapes: Map<string, PropertyShape>,
  arrayDelimiter: string,
  onRows: (count: number) => void,
): Promise<void> {
  const unknown = new Map<string, PropertyShape>();
  for (const [key, kinds] of table.kinds) {
    let shape = shapes.get(key);
    if (shape === undefined) shapes.set(key, (shape = new PropertyShape(arrayDelimiter)));
    const known = new Set(Array.from(kinds, (kind) => (kind in KINDS ? KINDS[kind as keyof typeof KINDS] : null)));
    const [kind] = known;
    if (known.size === 1 && kind !== null && kind !== undefined) shape.addKind(kind);
    else unknown.set(key, shape);
  }
  if (unknown.size === 0) return;
  await table.scan(async ({ rows, columns }) => {
    for (const [key, shape] of unknown) {
      const column = columns.get(key);
      if (column === undefined) continue;
      for (let row = 0; row < rows; row++) if (hasValue(column, row)) shape.add(columnValue(column, row));
    }
    onRows(rows);
  });
}

/**
 * Makes a file name from the letters, digits and underscores of names; a number is added where the name is taken. Case
 * is ignored, as some file systems do.
 */
function uniqueName(names: readonly string[], taken: Set<string>): string {
  const plain = beginning(names.map((name) => beginning(name.replace(/[^\p{L}\p{N}_]/gu, '_'), 60)).join('-'), 120);
  for (let number = 1; ; number++) {
    const name = number === 1 ? plain : `${plain}-${number}`;
    if (taken.has(name.toLowerCase())) continue;
    taken.add(name.toLowerCase());
    return name;
  }
}

/** Returns the first characters of a text that take no more than `bytes` bytes, since file systems count these. */
function beginning(text: string, bytes: number): string {
  return Buffer.from(text)
    .subarray(0, bytes)
    .toString('utf8')
    .replace(/\uFFFD+$/, '');
}
