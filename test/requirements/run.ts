/** Statements over a graph of which nothing is in memory, as far as requirements that are left out are concerned. */
import { inspect } from 'node:util';
import { engineFlags, GraphDBError } from '../../src/base/index.ts';
import { type Engine, openEngine } from '../../src/engine/index.ts';
import { GraphStore } from '../../src/graph/graph-store.ts';
import type { Requirements } from '../../src/graph/index.ts';
import { dropMemoryStore, openMemoryStore, withMetrics } from '../../src/object-store/index.ts';
import type { Value } from '../../src/value/index.ts';
import { SETUP } from './corpus.ts';

const NONE: ReadonlyMap<string, Value> = new Map();
const PARAMETERS: ReadonlyMap<string, Value> = new Map<string, Value>([
  ['rows', [new Map([['k', 3]])]],
  ['key', 's'],
]);
const STATE = ['MATCH (n) RETURN n ORDER BY n._id', 'MATCH ()-[r]->() RETURN r ORDER BY elementId(r)'];

export interface Outcome {
  /** Rows, and for writes the graph afterwards; or the code and message of an error. */
  readonly text: string;
  readonly isInternal: boolean;
  /** Requests for parts of tables before the rows were there. */
  readonly requests: number;
  readonly requirements: Requirements | null;
}

interface Change {
  readonly from: Requirements;
  readonly to: Requirements;
}

/** The name of the store of the graph; statements that read share it. */
const ORIGINAL = `requirements-${process.pid}`;

let original: Promise<void> | null = null;
let copies = 0;

const memoryUri = (name: string) => ({ scheme: 'memory', name, namespace: 'default' }) as const;

async function makeOriginal(): Promise<void> {
  const engine = await openEngine(`memory://${ORIGINAL}`, { flushIntervalMs: 0 });
  for (const statement of SETUP) {
    if (statement === 'FLUSH') await engine.flush();
    else await engine.execute(statement, NONE);
  }
  await engine.close();
}

/** Copies the objects of the original, which costs a small part of making it again, and returns the name of the copy's store. */
async function copyOriginal(): Promise<string> {
  const name = `${ORIGINAL}-${++copies}`;
  const [from, to] = [openMemoryStore(memoryUri(ORIGINAL)), openMemoryStore(memoryUri(name))];
  for (const { key } of await from.list('')) await to.put(key, (await from.get(key))!);
  return name;
}

/** @param change of what the statement requires */
export async function outcomeOf(
  statement: string,
  writes: boolean,
  change: (requirements: Requirements) => Requirements,
): Promise<Outcome> {
  await (original ??= makeOriginal());
  const name = writes ? await copyOriginal() : ORIGINAL;
  const trace: string[] = [];
  const settings = { flushIntervalMs: 0, readOnly: !writes, csvDirectory: import.meta.dirname };
  const engine = await openEngine(`memory://${name}`, settings, {
    flags: { ...engineFlags({}), wcoj: true },
    sstCache: null,
    decorateStore(store) {
      const { store: metered, metrics } = withMetrics(store);
      metrics.trace = trace;
      return metered;
    },
  });
  trace.length = 0;
  const { require } = GraphStore.prototype;
  let changed: Change | null = null;
  GraphStore.prototype.require = function (this: GraphStore, view, requirements) {
    if (requirements === undefined) return require.call(this, view, requirements);
    changed ??= { from: requirements, to: change(requirements) };
    return require.call(this, view, requirements === changed.from ? changed.to : requirements);
  };
  let text: string;
  let isInternal = false;
  try {
    const { columns, rows } = await engine.execute(statement, PARAMETERS);
    text = inspect([columns, rows], { depth: 9, maxArrayLength: 200 });
  } catch (error) {
    if (!(error instanceof GraphDBError)) throw error;
    isInternal = error.code === 'INTERNAL';
    text = `${error.code}: ${error.message}`;
  } finally {
    GraphStore.prototype.require = require;
  }
  const requests = trace.filter((request) => request.includes('data/')).length;
  if (writes && !isInternal) text += await stateOf(engine);
  await engine.close();
  if (writes) dropMemoryStore(memoryUri(name));
  return { text, isInternal, requests, requirements: changed === null ? null : (changed as Change).from };
}

async function stateOf(engine: Engine): Promise<string> {
  let text = '';
  for (const query of STATE) text += inspect((await engine.execute(query, NONE)).rows, { depth: 9, maxArrayLength: 200 });
  return text;
}
