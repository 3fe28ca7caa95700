/** Procedures of full-text indexes: names and shapes as Neo4j has them. */
import { ANALYZER_NAMES, analyzerNamed } from '../../search/index.ts';
import type { Value } from '../../value/index.ts';
import type { Procedure } from '../runtime/procedure.ts';

export const fulltextProcedures: readonly Procedure[] = [
  {
    name: 'db.index.fulltext.listAvailableAnalyzers',
    inputs: [],
    outputs: [
      { name: 'analyzer', type: 'STRING' },
      { name: 'description', type: 'STRING' },
      { name: 'stopwords', type: 'LIST<STRING>' },
    ],
    mode: 'READ',
    description: 'The analyzers that a full-text index can be created with.',
    call: () =>
      ANALYZER_NAMES.map((name): Value[] => {
        const { description, stopWords } = analyzerNamed(name);
        return [name, description, [...stopWords]];
      }),
  },
];
