/** The parts of the graph that a statement reads and writes, so that the store can load them before the statement runs. */

import {
  mayHaveNodesIn,
  mayHaveNodesOf,
  type OrdinalBounds,
  type RelationshipEnd,
  type RelationshipTable,
} from '../adjacency/relationship-table.ts';
import type { GraphData } from '../data/graph-data.ts';
import type { NodeTable } from '../tables/node-table.ts';
import type { SearchIndexKindName } from '../view/index-view.ts';
import type { ConstraintDefinition } from '../view/view.ts';
import type { TableRequirement } from './table-requirement.ts';

/** The parts of the graph that a statement needs. */
export interface Requirements {
  /** The nodes with any of these labels are read or changed: their rows, labels or properties. Counting nodes requires nothing. */
  readonly labels: readonly string[] | 'all';
  /**
   * The nodes at these ends of relationships are read, whatever their labels. The bounds of their ordinals tell which
   * tables are needed: few, in most graphs.
   */
  readonly ends: readonly RelationshipEnds[];
  /** The nodes with these ordinals, which ascend, are read or changed, whatever their labels. Absent when there are none. */
  readonly nodes?: Uint32Array;
  readonly types: readonly string[] | 'all';
  /** The property keys that are read of the nodes. */
  readonly nodeKeys: readonly string[] | 'all';
  readonly relationshipKeys: readonly string[] | 'all';
  /** Whether identifiers of nodes are read. */
  readonly ids: boolean;
  /** Whether nodes are looked up by identifier, which requires the rows of all node tables. */
  readonly lookups: boolean;
  /**
   * Whether nodes and relationships may be changed or deleted. The named tables are then needed with all properties, and
   * every table under a uniqueness constraint with the keys of the constraint.
   */
  readonly writes: boolean;
  /**
   * The kinds of index that are searched. The tables that these indexes are on are needed with the keys of the index, as
   * if their labels or types were named. Absent when nothing is searched.
   */
  readonly searched?: readonly SearchedIndexes[];
}

/** All indexes of a kind on nodes or on relationships; not single indexes, because a statement may compute the name. */
export interface SearchedIndexes {
  readonly kind: SearchIndexKindName;
  readonly entity: 'node' | 'relationship';
}

/** The ends of all relationships of a type. */
export interface RelationshipEnds {
  readonly type: string;
  readonly end: RelationshipEnd;
}

/** The requirements of a statement that may read everything. */
export const EVERYTHING: Requirements = {
  labels: 'all',
  ends: [],
  types: 'all',
  nodeKeys: 'all',
  relationshipKeys: 'all',
  ids: true,
  lookups: true,
  writes: true,
};

/** Converts requirements to one per table, for the tables that are needed. */
export function tableRequirements(data: GraphData, requirements: Requirements): TableRequirement[] {
  const { writes } = requirements;
  const lookups = requirements.lookups || namesEnds(data, requirements);
  const ids = requirements.ids || lookups;
  const found: TableRequirement[] = [];
  const ends = boundsOf(data, requirements);
  const searched = searchedSubjects(data, requirements);
  for (const table of data.nodeTables) {
    const searchedKeys = keysSearched(table, searched.node);
    const isNamed =
      searchedKeys !== null ||
      hasLabel(data, table, requirements.labels) ||
      ends === 'all' ||
      ends.some((bounds) => mayHaveNodesIn(bounds, table)) ||
      (requirements.nodes !== undefined && mayHaveNodesOf(requirements.nodes, table));
    const unique = writes ? uniqueKeys(data, table) : [];
    if (!isNamed && unique.length === 0 && !lookups && !(ids && table.files?.idsLoaded === false)) continue;
    const keys = isNamed
      ? wantedKeys(data, table, writes ? 'all' : withKeys(requirements.nodeKeys, searchedKeys))
      : wantedKeys(data, table, unique);
    // A changed node is written anew together with its identifier.
    found.push({ table, keys, ids: ids || (writes && isNamed) });
  }
  for (const table of data.relationshipTables) {
    if (table === undefined) continue;
    const searchedKeys = keysSearched(table, searched.relationship);
    const isNamed = searchedKeys !== null || hasType(data, table, requirements.types);
    const unique = writes ? uniqueRelationshipKeys(data, table) : [];
    if (!isNamed && unique.length === 0) continue;
    const keys = isNamed ? (writes ? 'all' : withKeys(requirements.relationshipKeys, searchedKeys)) : unique;
    found.push({ table, keys: wantedKeys(data, table, keys), ids: false });
  }
  return found;
}

/** Tells whether identifiers of end nodes are needed: change capture reports a changed relationship with those of its ends. */
function namesEnds({ capturesChanges }: GraphData, { writes, types }: Requirements): boolean {
  return capturesChanges && writes && types.length > 0;
}

interface SearchedSubject {
  readonly names: readonly number[];
  readonly keys: readonly string[];
}

function searchedSubjects(
  data: GraphData,
  { searched }: Requirements,
): { readonly [entity in 'node' | 'relationship']: SearchedSubject[] } {
  const subjectsOf = (entity: 'node' | 'relationship'): SearchedSubject[] => {
    const kinds = (searched ?? []).filter((each) => each.entity === entity).map(({ kind }) => kind);
    if (kinds.length === 0) return [];
    const symbols = entity === 'node' ? data.labels : data.types;
    return data.schema.indexes.flatMap((index) => {
      if (!('settings' in index) || index.entity !== entity || !kinds.includes(index.kind)) return [];
      return [{ names: index.labelsOrTypes.map((name) => symbols.find(name)), keys: index.keys }];
    });
  };
  return { node: subjectsOf('node'), relationship: subjectsOf('relationship') };
}

/** Returns the keys of the searched indexes on the table; null when none is on it. */
function keysSearched(table: NodeTable | RelationshipTable, subjects: readonly SearchedSubject[]): string[] | null {
  const over = subjects.filter(({ names }) => names.some((name) => table.isOf([name])));
  return over.length === 0 ? null : over.flatMap(({ keys }) => keys);
}

function withKeys(keys: readonly string[] | 'all', more: readonly string[] | null): readonly string[] | 'all' {
  return keys === 'all' || more === null ? keys : [...new Set([...keys, ...more])];
}

/** Returns bounds of the node ordinals at the ends; 'all' when some bounds are not known. */
function boundsOf(data: GraphData, { labels, ends }: Requirements): readonly OrdinalBounds[] | 'all' {
  const found: OrdinalBounds[] = [];
  if (labels === 'all') return found;
  for (const { type, end } of ends) {
    const table = data.relationshipTables[data.types.find(type)];
    if (table === undefined) continue;
    const bounds = table.endBounds(end);
    if (bounds === null) return 'all';
    found.push(bounds);
  }
  return found;
}

/** Returns the keys of the uniqueness constraints on the table, whose values a write must compare with its own. */
function uniqueKeys(data: GraphData, table: NodeTable): string[] {
  return data.schema.constraints.flatMap(({ entity, kind, labelOrType, keys }) =>
    entity === 'node' && isUnique(kind) && hasLabel(data, table, [labelOrType]) ? keys : [],
  );
}

function uniqueRelationshipKeys(data: GraphData, table: RelationshipTable): string[] {
  return data.schema.constraints.flatMap(({ entity, kind, labelOrType, keys }) =>
    entity === 'relationship' && isUnique(kind) && hasType(data, table, [labelOrType]) ? keys : [],
  );
}

const isUnique = (kind: ConstraintDefinition['kind']): boolean => kind === 'unique' || kind === 'key';

function hasLabel(data: GraphData, table: NodeTable, labels: readonly string[] | 'all'): boolean {
  return labels === 'all' || labels.some((label) => table.labels.includes(data.labels.find(label)));
}

function hasType(data: GraphData, table: RelationshipTable, types: readonly string[] | 'all'): boolean {
  return types === 'all' || types.some((type) => data.types.find(type) === table.type);
}

function wantedKeys(data: GraphData, table: NodeTable | RelationshipTable, keys: readonly string[] | 'all'): number[] {
  const unloaded = table.files?.unloadedKeys;
  if (unloaded === undefined) return [];
  if (keys === 'all') return [...unloaded];
  return keys.map((key) => data.keys.find(key)).filter((key) => unloaded.has(key));
}
