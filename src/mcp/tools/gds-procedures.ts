/** The tool that names the graph algorithms which statements may call. */
import { runRead } from './cypher.ts';
import type { Tool } from './tool.ts';

/** The tool that lists graph algorithms. */
export const listGdsProcedures: Tool = {
  name: 'list-gds-procedures',
  title: 'List graph algorithms',
  description:
    'Lists the procedures of graph algorithms (gds.*): PageRank, communities, paths, similarity, embeddings. Each is called by ' +
    'read-cypher: CALL gds.pageRank.stream(…).',
  arguments: {
    name_contains: { type: 'string', description: 'Only procedures whose name contains this, in any case.', default: '' },
  },
  writes: false,
  call: (given, context) => {
    const query =
      'CALL gds.list() YIELD name, description, signature WITH * WHERE toLower(name) CONTAINS toLower($part) RETURN name, ' +
      'description, signature ORDER BY name';
    return runRead(query, new Map([['part', given.get('name_contains') ?? '']]), { context, mostRows: 1_000 });
  },
};
