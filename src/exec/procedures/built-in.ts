/** The procedures that tools ask for when they connect: names and shapes as Neo4j has them. */
import { VERSION } from '../../base/index.ts';
import type { Value } from '../../value/index.ts';
import type { Procedure } from './procedure.ts';

const one = (name: string, type: string) => [{ name, type }];

function names(table: { readonly size: number; name(id: number): string }, inUse: (id: number) => boolean): string[][] {
  const rows: string[][] = [];
  for (let id = 0; id < table.size; id++) if (inUse(id)) rows.push([table.name(id)]);
  return rows;
}

export const builtInProcedures: readonly Procedure[] = [
  {
    name: 'db.labels',
    inputs: [],
    outputs: one('label', 'STRING'),
    mode: 'READ',
    description: 'Every label that a node has.',
    call: ({ view }) => names(view.labels, (id) => view.tablesWithLabel(id).some((table) => table.liveCount > 0)),
  },
  {
    name: 'db.relationshipTypes',
    inputs: [],
    outputs: one('relationshipType', 'STRING'),
    mode: 'READ',
    description: 'Every type that a relationship has.',
    call: ({ view }) => names(view.types, (id) => (view.relationshipTables[id]?.liveCount ?? 0) > 0),
  },
  {
    name: 'db.propertyKeys',
    inputs: [],
    outputs: one('propertyKey', 'STRING'),
    mode: 'READ',
    description: 'Every property key that was ever used.',
    call: ({ view }) => names(view.keys, () => true),
  },
  {
    name: 'db.ping',
    inputs: [],
    outputs: one('success', 'BOOLEAN'),
    mode: 'READ',
    description: 'Answers true.',
    call: () => [[true]],
  },
  {
    name: 'dbms.components',
    inputs: [],
    outputs: [
      { name: 'name', type: 'STRING' },
      { name: 'versions', type: 'LIST<STRING>' },
      { name: 'edition', type: 'STRING' },
    ],
    mode: 'DBMS',
    description: 'What this server is.',
    call: (): Value[][] => [['GraphDB', [VERSION], 'community']],
  },
];
