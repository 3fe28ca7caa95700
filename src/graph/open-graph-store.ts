/**
 * Opens the graph of a namespace: takes symbols, schema and the outlines of tables from the manifest, then replays the commits of the log.
 * SSTs are read only for tables that a commit of the log changes, and for user-set identifiers that could collide with computed ones.
 */
import { GraphDBError } from '../base/index.ts';
import type { Commit, Manifest, ManifestTable, Namespace, SstFile } from '../storage/index.ts';
import type { GraphData } from './data/graph-data.ts';
import { parseConstraint, parseIndex } from './data/schema.ts';
import { addIndexOf } from './data/schema-indexes.ts';
import type { Symbols } from './data/symbols.ts';
import { GraphStore } from './graph-store.ts';
import type { PageLimits } from './loading/page-opener.ts';
import type { TableRequirement } from './loading/table-requirement.ts';
import type { RowTable } from './tables/row-table.ts';
import { ID_COLUMN, keyOfColumnName, TableFiles } from './tables/table-files.ts';

/** How many node ordinals there are: an ordinal has 32 bits. */
const NODE_ORDINALS = 2 ** 32;

interface GraphStoreOptions extends Partial<PageLimits> {
  /** The commits after the namespace's manifest; default: those that were found in the log. */
  readonly commits?: readonly Commit[];
  /** Whether relationships are sorted into CSRs (GRAPHDB_ADJACENCY); default: true. */
  readonly adjacency?: boolean;
}

/** Opens the graph of a namespace. */
export async function openGraphStore(
  namespace: Pick<Namespace, 'manifest' | 'openSst' | 'openArtefact' | 'foundDamaged' | 'recovered'>,
  { commits = namespace.recovered, adjacency = true, ...limits }: GraphStoreOptions = {},
): Promise<GraphStore> {
  const store = new GraphStore(namespace, limits);
  store.data.sortsRelationships = adjacency;
  takeManifest(store.data, namespace.manifest);
  store.startAt(namespace.manifest.sequence);
  await store.load(tablesWithLookalikeIds(store.data));
  await store.follow(commits);
  return store;
}

function takeManifest(data: GraphData, manifest: Manifest): void {
  const { catalog } = manifest;
  checkOrdinals(manifest);
  data.capturesChanges = manifest.capture !== null;
  defineAll(data.labels, catalog.labels);
  defineAll(data.types, catalog.types);
  defineAll(data.keys, catalog.keys);
  data.directory.extend(manifest.nextNodeOrdinal);
  data.relationshipLimit = manifest.nextRelationshipOrdinal;
  for (const table of manifest.tables) takeTable(data, table);
  data.schema = { indexes: catalog.indexes.map(parseIndex), constraints: catalog.constraints.map(parseConstraint) };
  const definitions = [...data.schema.indexes, ...data.schema.constraints];
  for (const definition of definitions) addIndexOf(definition, data);
}

/** Checks that the next ordinals lie above all that files hold: an ordinal given twice would name two entities. @throws CORRUPTION */
function checkOrdinals({ version, nextNodeOrdinal, nextRelationshipOrdinal, tables }: Manifest): void {
  const fail = (what: string): never => {
    throw new GraphDBError('CORRUPTION', `corrupt manifest, version ${version}: ${what}`);
  };
  if (nextNodeOrdinal > NODE_ORDINALS) fail(`${nextNodeOrdinal} nodes are more than there can be`);
  for (const { kind, files } of tables) {
    const next = kind === 'nodes' ? nextNodeOrdinal : nextRelationshipOrdinal;
    const taken = files.find(({ maxOrdinal }) => maxOrdinal >= next);
    if (taken !== undefined) fail(`${taken.key} holds ordinal ${taken.maxOrdinal}, and the next one of ${kind} is ${next}`);
  }
}

function defineAll(symbols: Symbols, names: readonly string[]): void {
  names.forEach((name, id) => {
    if (name === '') symbols.defineNothing(id);
    else symbols.define(id, name);
  });
}

function takeTable(data: GraphData, outline: ManifestTable): void {
  const files = new TableFiles(outline.files, outline.liveRows, (name) => data.keys.intern(keyOfColumnName(name)));
  let table: RowTable;
  if (outline.kind === 'nodes') {
    const labels = (outline.labels ?? []).map((label) => data.labels.intern(label));
    table = data.addNodeTable(labels.sort((a, b) => a - b));
    data.nodeCount += outline.liveRows;
  } else {
    table = data.addRelationshipTable(data.types.intern(outline.type ?? ''));
    data.relationshipCount += outline.liveRows;
  }
  table.startWith(files, outline.liveRows);
}

/** Returns tables that may hold user-set identifiers like computed ones, which must be known before ordinals are given out. */
function tablesWithLookalikeIds(data: GraphData): TableRequirement[] {
  return data.nodeTables
    .filter((table) => table.files?.parts.some(({ file }) => mayHoldLookalikeId(file)))
    .map((table) => ({ table, keys: [], ids: true }));
}

function mayHoldLookalikeId(file: SstFile): boolean {
  const column = file.columns.find(({ name }) => name === ID_COLUMN);
  if (column === undefined) return false;
  const { min, max } = column;
  return min === undefined || max === undefined || (String(min) < 'n:' && String(max) >= 'n');
}
