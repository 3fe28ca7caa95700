/** Gives generated code the arrays along which it walks: those of one type in one direction. Tells to which tables relationships lead. */
import type { Expand } from '../../plan/index.ts';
import type { Codegen } from './codegen.ts';

/** Locals with the arrays of one type's relationships in one direction, and what is known of them before they are read. */
export interface Arrays {
  readonly base: string;
  readonly limit: string;
  readonly offsets: string;
  readonly neighbours: string;
  readonly rows: string;
  /** A local with what is added to a position for the place of its row; null: nothing is. */
  readonly rowShift: string | null;
  /** null: only known when it runs. */
  readonly rowsKnown: boolean | null;
  readonly ended: string;
  readonly endedKnown: boolean | null;
  readonly log: boolean;
  /** Some node may have more than one. */
  readonly lists: boolean;
  /** No node has so many that a loop over those to one neighbour must give way. */
  readonly hasShortRuns: () => boolean;
  /** Every one from `base` to `limit` has just one. */
  readonly each: boolean;
  readonly adjacency: string;
  readonly table: string;
  readonly rowCount: string;
  readonly logEnds: string;
}

/** Binds the arrays in the prologue. */
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

/** The tables that a neighbour can be in, as far as the types of the relationships tell. */
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
