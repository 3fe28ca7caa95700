/** The tool that searches full-text and vector indexes, each alone or both in one ranking. */
import { GraphDBError } from '../../base/index.ts';
import type { Value } from '../../value/index.ts';
import { runRead } from './cypher.ts';
import type { Arguments, CallContext, Tool } from './tool.ts';

/** The tool that searches by words, by an embedding, or by both. */
export const search: Tool = {
  name: 'search',
  title: 'Search nodes and relationships',
  description:
    'Finds the best matches by a full-text index (words, phrases, Lucene query language), by a vector index (give the ' +
    'embedding), or by both in one ranking. get-schema names the indexes. Rows come best first, with a score.',
  arguments: {
    fulltext_index: { type: 'string', description: 'The name of a full-text index.', optional: true },
    query: {
      type: 'string',
      description: 'What it is asked, in Lucene\'s query language: graph AND (database OR "object store"~3).',
      optional: true,
    },
    vector_index: { type: 'string', description: 'The name of a vector index.', optional: true },
    vector: {
      type: 'numbers',
      description: 'The embedding to be near to, of as many numbers as the index has dimensions.',
      optional: true,
    },
    limit: { type: 'integer', description: 'The most matches.', default: 10, min: 1, max: 1_000 },
  },
  writes: false,
  async call(given, context) {
    const [words, text, meanings, vector] = ['fulltext_index', 'query', 'vector_index', 'vector'].map((name) => given.get(name) ?? null);
    const limit = given.get('limit') as number; // as: an integer, checked
    if ((words === null) !== (text === null) || (meanings === null) !== (vector === null) || (words === null && meanings === null)) {
      throw new GraphDBError('ARGUMENT_ERROR', 'give a fulltext_index with a query, a vector_index with a vector, or all four');
    }
    const params = new Map<string, Value>([
      ['limit', limit],
      ['words', words],
      ['query', text],
      ['meanings', meanings],
      ['vector', vector],
    ] as [string, Value][]);
    const query = words !== null && meanings !== null ? HYBRID : await oneIndex(given, context);
    return runRead(query, params, { context, mostRows: limit });
  },
};

const NODE = 'elementId(node) AS id, labels(node) AS labels, properties(node) AS properties';
const RELATIONSHIP =
  'elementId(relationship) AS id, type(relationship) AS type, elementId(startNode(relationship)) AS start, ' +
  'elementId(endNode(relationship)) AS end, properties(relationship) AS properties';
const HYBRID =
  'CALL search.hybrid({vectorIndex: $meanings, vector: $vector, fulltextIndex: $words, query: $query, k: $limit}) ' +
  `YIELD node, score RETURN score, ${NODE}`;

/** Returns the statement that asks one index, of nodes or of relationships. @throws NOT_FOUND if no index has that name and kind. */
async function oneIndex(given: Arguments, { graph, signal }: CallContext): Promise<string> {
  const isFulltext = given.get('fulltext_index') !== null;
  const name = given.get(isFulltext ? 'fulltext_index' : 'vector_index') as string; // as: given, checked
  const type = isFulltext ? 'FULLTEXT' : 'VECTOR';
  const show = 'SHOW INDEXES YIELD name, type, entityType WHERE name = $name AND type = $type';
  const { rows } = await graph.execute(show, new Map([['name', name], ['type', type]]), { access: 'read', signal }); // biome-ignore format: two pairs
  const [row] = rows;
  if (row === undefined)
    throw new GraphDBError('NOT_FOUND', `there is no ${type.toLowerCase()} index ${JSON.stringify(name)}; get-schema lists the indexes`);
  const entity = row[2] === 'NODE' ? 'node' : 'relationship';
  const procedure = `db.index.${type.toLowerCase()}.query${entity === 'node' ? 'Nodes' : 'Relationships'}`;
  const call = isFulltext ? `${procedure}($words, $query, {limit: $limit})` : `${procedure}($meanings, $limit, $vector)`;
  return `CALL ${call} YIELD ${entity}, score RETURN score, ${entity === 'node' ? NODE : RELATIONSHIP}`;
}
