/** The tools that run a Cypher statement which the model has written. */
import type { StatementOptions } from '../../engine/index.ts';
import type { Value, ValueMap } from '../../value/index.ts';
import type { ArgumentFacts } from './arguments.ts';
import { BoundedRows } from './bounded-rows.ts';
import type { Arguments, CallContext, Tool } from './tool.ts';

const ARGUMENTS: Readonly<Record<string, ArgumentFacts>> = {
  query: { type: 'string', description: 'One Cypher statement. Give values as $parameters rather than within its text.' },
  params: { type: 'object', description: 'The values of its $parameters, by name.', optional: true },
  max_rows: { type: 'integer', description: 'The most rows that are answered.', default: 100, min: 1, max: 10_000 },
};

/** The tool that runs a Cypher statement which only reads. */
export const readCypher: Tool = {
  name: 'read-cypher',
  title: 'Run a Cypher statement that reads',
  description:
    'Runs a Cypher statement that only reads, and answers its rows as JSON. A statement that would change data, ' +
    'indexes or databases is refused by its plan. ' +
    'Write EXPLAIN before it to see how it would run.',
  arguments: ARGUMENTS,
  writes: false,
  call: (given, context) => runRead(String(given.get('query')), paramsOf(given), { context, mostRows: mostRowsOf(given) }),
};

/** The tool that runs a Cypher statement which may write. */
export const writeCypher: Tool = {
  name: 'write-cypher',
  title: 'Run a Cypher statement that may write',
  description:
    'Runs a Cypher statement that may change the graph, in a transaction of its own, and answers its rows and what it changed. ' +
    'All of it is done, or nothing.',
  arguments: ARGUMENTS,
  writes: true,
  async call(given, { graph, signal }) {
    const { columns, rows, ...outcome } = await graph.execute(String(given.get('query')), paramsOf(given), { signal });
    const bounded = new BoundedRows(columns, mostRowsOf(given));
    for (const row of rows) if (!bounded.add(row)) break;
    return bounded.text(outcome);
  },
};

const NONE: ReadonlyMap<string, Value> = new Map();

function paramsOf(given: Arguments): ReadonlyMap<string, Value> {
  return (given.get('params') as ValueMap | null) ?? NONE; // as: an object, checked
}

const mostRowsOf = (given: Arguments): number => given.get('max_rows') as number; // as: an integer, checked

/**
 * Runs a statement that only reads, and returns the answer as JSON. The statement is stopped when there is no room for
 * more rows. @throws READ_ONLY if its plan would write.
 */
export async function runRead(
  query: string,
  params: ReadonlyMap<string, Value>,
  { context: { graph, signal }, mostRows }: { readonly context: CallContext; readonly mostRows: number },
): Promise<string> {
  const { columns, batches, summary } = await graph.stream(query, params, { ...READ, signal });
  const bounded = new BoundedRows(columns, mostRows);
  let isWhole = true;
  for await (const batch of batches) {
    isWhole = batch.every((row) => bounded.add(row));
    if (!isWhole) break;
  }
  return bounded.text(isWhole ? summary() : {});
}

/** The options under which the engine refuses statements that write. */
export const READ: StatementOptions = { access: 'read' };
