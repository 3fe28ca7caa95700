/**
 * The kind of artefact that finds the nearest vectors: clusters of quantised vectors, one artefact for each table,
 * property and similarity of a declared vector index (decision 0041). The vectors themselves stay in their column.
 */
import type { ArtefactReader, ArtefactRecord, Catalog, ManifestArtefact, TableName } from '../api.ts';
import type { ArtefactKind } from '../artefacts/artefact-kind.ts';
import { NOT_LIVE, rowsIn } from '../artefacts/covered-rows.ts';
import { buildClusters } from './build-clusters.ts';
import { CLUSTERS, CLUSTERS_VERSION, parseClustersDirectory, parseClustersSubject, subjectOf } from './clusters-directory.ts';
import { openClusters } from './open-clusters.ts';

/** The kind of artefact that holds clusters of vectors. */
export const clustersKind: ArtefactKind = {
  name: CLUSTERS,
  version: CLUSTERS_VERSION,
  // Fewer than 20,000 vectors are compared one by one as fast.
  rowsFactor: 2,
  subjects({ table, files }, catalog) {
    return rowsIn(files) >= NOT_LIVE ? [] : indexedVectors(table, catalog);
  },
  async build(record, rows, pages) {
    const subject = subjectOf(record);
    return { ...(await buildClusters(columnOf(subject.key), subject, rows, pages)) };
  },
  verify: verifyClusters,
  describe: ({ directory, subject }: ManifestArtefact) =>
    `${String(directory['entries'])} vectors of ${String(subject['key'])} in ${String(directory['clusters'])} clusters`,
};

/** Returns the subjects of a table's vector indexes, each once even if indexes of several labels share it. */
function indexedVectors(table: TableName, { indexes }: Catalog): ArtefactRecord[] {
  const found = indexes.flatMap(({ kind, entity, labelsOrTypes, keys, settings }): ArtefactRecord[] => {
    if (kind !== 'vector' || !Array.isArray(labelsOrTypes) || !Array.isArray(keys) || typeof keys[0] !== 'string') return [];
    const isOver =
      entity === 'node' ? labelsOrTypes.some((label) => table.labels?.includes(String(label))) : labelsOrTypes.includes(table.type);
    if (!isOver) return [];
    // as: settings are a record
    const { 'vector.similarity_function': similarity, 'vector.dimensions': dimensions } = (settings ?? {}) as ArtefactRecord;
    const isEuclidean = similarity === 'EUCLIDEAN';
    return [
      { key: keys[0], similarity: isEuclidean ? 'EUCLIDEAN' : 'COSINE', dimensions: typeof dimensions === 'number' ? dimensions : 0 },
    ];
  });
  return [...new Map(found.map((subject) => [JSON.stringify(subject), subject])).values()];
}

/** Returns the column of a property key: a key that starts with an underscore is stored with one more. */
function columnOf(key: string): string {
  return key.startsWith('_') ? `_${key}` : key;
}

async function verifyClusters(reader: ArtefactReader): Promise<void> {
  parseClustersSubject(reader);
  const { rows, entries, groups } = parseClustersDirectory(reader);
  const opened = await openClusters(reader);
  if (opened === null) return;
  const seen = new Uint8Array(Math.ceil(rows / 8));
  let found = 0;
  for (let group = 0; group < groups; group++) {
    const list = await opened.readCentroids(group);
    for (let at = 0; at < list.count; at++) {
      let inCluster = 0;
      const first = list.firstPages[at]!;
      for (let page = first; page < first + list.pageCounts[at]!; page++) {
        const { positions, count } = await opened.readEntries(page);
        for (const position of positions) {
          if ((seen[position >> 3]! & (1 << (position & 7))) !== 0) throw reader.corruption(`position ${position} is in it twice`);
          seen[position >> 3]! |= 1 << (position & 7);
        }
        inCluster += count;
      }
      if (inCluster !== list.entries[at])
        throw reader.corruption(`cluster ${at} of group ${group} has another number of entries than is said`);
      found += inCluster;
    }
  }
  if (found !== entries) throw reader.corruption('it has another number of entries than its directory says');
}
