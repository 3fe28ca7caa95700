/** Binds the adjacency arrays of a relationship type in one direction to locals, and tells in which node tables neighbours lie. */
import type { Expand } from '../../plan/index.ts';
import type { Codegen } from './codegen.ts';

/** Locals with the adjacency arrays of one relationship type in one direction, and facts about them that the compiler knows. */
export interface Arrays {
  readonly base: string;
  readonly limit: string;
  readonly offsets: string;
  readonly neighbours: string;
  readonly rows: string;
  /** A local with the number that is added to a position of the CSR to find its row; null when nothing is added. */
  readonly rowShift: string | null;
  /** True when `rows` lists the rows, false when positions are the rows; null when that is known only when the code runs. */
  readonly rowsKnown: boolean | null;
  readonly ended: string;
  readonly endedKnown: boolean | null;
  readonly log: boolean;
  /** True when some node may have more than one relationship of the type in this direction. */
  readonly lists: boolean;
  /** True when no node has so many relationships that a loop over those to one neighbour would have to yield the thread. */
  readonly hasShortRuns: () => boolean;
  /** True when every node with an ordinal from `base` to below `limit` has exactly one relationship. */
  readonly each: boolean;
  readonly adjacency: string;
  readonly table: string;
  readonly rowCount: string;
  readonly logEnds: string;
}

/** Binds the arrays of a type and side to locals in the prologue of the function. */
export function arraysOf(cg: Codegen, type: number, side: 'out' | 'in'): Arrays {
  const out = side === 'out';
  const listsRows = cg.shape.listsRows(type, side);
  const hasEnded = cg.shape.hasEndedRelationships(type);
  const hasLog = cg.shape.hasLog(type, side);
  const table = cg.f.hoist(`reltable:${type}`, 'rt', `${cg.viewName}.relationshipTables[${type}]`);
  const adjacency = cg.f.hoist(`${table}.${side}`, 'adj', `${table}.${out ? 'outgoing' : 'incoming'}`);
  const hoist = (owner: string, field: string, prefix: string): string => cg.f.hoist(`${owner}.${field}`, prefix, `${owner}.${field}`);
  return {
    base: hoist(adjacency, 'base', 'base'),
    limit: hoist(adjacency, 'limit', 'limit'),
    offsets: hoist(adjacency, 'offsets', 'off'),
    neighbours: hoist(adjacency, 'neighbours', 'nbr'),
    rows: listsRows ? hoist(adjacency, 'rows', 'rows') : 'null',
    rowShift: null,
    rowsKnown: listsRows,
    ended: hasEnded ? hoist(table, 'ended', 'ended') : 'null',
    endedKnown: hasEnded,
    log: hasLog,
    lists: cg.shape.mayHaveLists(type, side),
    hasShortRuns: () => cg.shape.hasShortRuns(type, side),
    each: cg.shape.hasOneEach(type, side),
    adjacency,
    table,
    rowCount: hoist(table, 'rowCount', 'count'),
    logEnds: hasLog ? hoist(table, out ? 'targets' : 'sources', 'ends') : '',
  };
}

/** JavaScript that gives the row of the relationship at a position of the CSR. */
export function rowAt(a: Arrays, position: string): string {
  const k = a.rowShift === null ? position : `${position} + ${a.rowShift}`;
  return a.rowsKnown === null ? `${a.rows} === null ? ${k} : ${a.rows}[${k}]` : a.rowsKnown ? `${a.rows}[${k}]` : k;
}

/** Returns the indexes of the tables in which a neighbour can lie, by the types of the relationships; null when they are not known. */
export function neighbourTables(cg: Codegen, { types, direction }: Pick<Expand, 'types' | 'direction'>): number[] | null {
  if (cg.generic || types === null) return null;
  const tables = new Set<number>();
  for (const name of types) {
    const type = cg.shape.typeId(name);
    if (type < 0) continue;
    const targets = direction === 'in' ? [] : cg.shape.endpointTables(type, 'target');
    const sources = direction === 'out' ? [] : cg.shape.endpointTables(type, 'source');
    if (targets === null || sources === null) return null;
    for (const table of [...targets, ...sources]) tables.add(table);
  }
  return [...tables];
}
