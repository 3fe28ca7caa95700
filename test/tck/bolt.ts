/**
 * Scenarios over Bolt: one server and one official driver per thread, a new engine behind them for each scenario.
 *
 * The TCK names faults more finely than Bolt does. So the fault that the engine met is kept on its way to the protocol and judged as ever,
 * and what the driver was told must be that fault's message and a code.
 */

import { ok } from 'node:assert/strict';
import neo4j, { type Driver } from 'neo4j-driver';
import { GraphDBError, silentLogger } from '../../src/base/index.ts';
import { createBoltServer } from '../../src/bolt/index.ts';
import type { Engine } from '../../src/engine/index.ts';
import { oneNamespace } from '../../src/namespaces/index.ts';
import { toDriver } from './driver-values.ts';
import type { TckEngine } from './scenario.ts';

export interface BoltRig {
  /** The engine behind the driver. It is closed with what comes back. */
  serve(engine: Engine): TckEngine;
}

export async function createBoltRig(): Promise<BoltRig> {
  const server = createBoltServer({ logger: silentLogger, maxMessageBytes: 2 ** 26 });
  const url = await server.listen({ host: '127.0.0.1', port: 0 });
  const driver = neo4j.driver(url, neo4j.auth.basic('neo4j', ''));
  let fault: unknown;
  const keepFault = (error: unknown): never => {
    fault = error;
    throw error;
  };
  return {
    serve(engine) {
      const stream: Engine['stream'] = async (...statement) => {
        const { columns, batches, summary } = await engine.stream(...statement).catch(keepFault);
        return { columns, batches: keepingFault(batches, keepFault), summary };
      };
      server.serve(oneNamespace(Object.assign(Object.create(engine) as Engine, { stream, status: () => engine.status() })));
      return {
        execute: async (query, params) => {
          fault = undefined;
          try {
            return await ask(driver, query, Object.fromEntries([...params].map(([name, value]) => [name, toDriver(value)])));
          } catch (error) {
            throw asFault(error, fault);
          }
        },
        close: () => engine.close(),
      };
    },
  };
}

async function* keepingFault<T>(batches: AsyncIterable<T>, keepFault: (error: unknown) => never): AsyncGenerator<T, void, void> {
  try {
    yield* batches;
  } catch (error) {
    keepFault(error);
  }
}

async function ask(driver: Driver, query: string, parameters: Record<string, unknown>): ReturnType<TckEngine['execute']> {
  const session = driver.session();
  try {
    const result = session.run(query, parameters);
    const columns = await result.keys();
    // The runner takes values of any kind; see `fromEngine` and `fromDriver`.
    const rows = (await result).records.map((record) => [...record.values()]) as never;
    return { columns: columns as string[], rows };
  } finally {
    await session.close();
  }
}

function asFault(told: unknown, fault: unknown): unknown {
  if (!(told instanceof neo4j.Neo4jError) || !(fault instanceof GraphDBError)) return told;
  ok(/^Neo\.\w+\.\w+\.\w+$/.test(told.code), `a fault with the code ${told.code}`);
  ok(told.message.startsWith(fault.message), `the driver was told "${told.message}" of "${fault.message}"`);
  return fault;
}
