/**
 * The bench of the Bolt tests: an engine and a Bolt server in this process, official drivers, and a proxy that leaves a
 * client one version.
 */

import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import neo4j5, { type Driver } from 'neo4j-driver';
import neo4j6 from 'neo4j-driver-6';
import { type Logger, silentLogger } from '../../src/base/index.ts';
import { type BoltServer, createBoltServer } from '../../src/bolt/index.ts';
import { type Engine, type EngineOptions, openEngine } from '../../src/engine/index.ts';
import { oneNamespace } from '../../src/namespaces/index.ts';

export type Neo4j = typeof neo4j5;

/** Both have the same shape; their classes are not of one type. */
export const DRIVERS: Readonly<Record<string, Neo4j>> = { '5.28': neo4j5, '6.3': neo4j6 as unknown as Neo4j };

export type Version = readonly [major: number, minor: number];

export const VERSIONS: readonly Version[] = [
  [5, 4],
  [5, 0],
  [4, 4],
];

export interface BoltBench {
  readonly engine: Engine;
  readonly server: BoltServer;
  /** bolt:// */
  readonly url: string;
}

let stores = 0;

export interface BenchOptions extends Partial<Parameters<typeof createBoltServer>[0]> {
  readonly uri?: string;
  readonly engineOptions?: EngineOptions;
  /** Stands between the server and its engine. */
  readonly wrap?: (engine: Engine) => Engine;
  readonly logger?: Logger;
}

export async function startBolt(context: TestContext, options: BenchOptions = {}): Promise<BoltBench> {
  const { uri = `memory://bolt-${process.pid}-${stores++}`, engineOptions, wrap = (engine: Engine) => engine, ...rest } = options;
  const engine = await openEngine(uri, { flushIntervalMs: 0, ...engineOptions });
  const server = createBoltServer({ logger: silentLogger, maxMessageBytes: 2 ** 26, ...rest });
  server.serve(oneNamespace(wrap(engine)));
  const url = await server.listen({ host: '127.0.0.1', port: 0 });
  context.after(async () => {
    await server.stop({ graceMs: 0 });
    await engine.close();
  });
  return { engine, server, url };
}

export function driverFor(context: TestContext, url: string, config: Parameters<Neo4j['driver']>[2] & { neo4j?: Neo4j } = {}): Driver {
  const { neo4j = neo4j5, ...rest } = config;
  const driver = neo4j.driver(url, neo4j.auth.basic('neo4j', 'secret'), rest);
  context.after(() => driver.close());
  return driver;
}

/** Passes everything on, but offers the server one version only, whatever the client offers. */
export async function forceVersion(context: TestContext, url: string, [major, minor]: Version): Promise<string> {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  const proxy = createServer((client) => {
    const server = connect(Number(port), hostname);
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket));
    }
    let handshake: Buffer = Buffer.alloc(0);
    const onData = (bytes: Buffer): void => {
      handshake = Buffer.concat([handshake, bytes]);
      if (handshake.length < 20) return;
      client.off('data', onData);
      server.write(Buffer.concat([handshake.subarray(0, 4), Buffer.from([0, 0, minor, major]), Buffer.alloc(12), handshake.subarray(20)]));
      client.pipe(server);
      server.pipe(client);
    };
    client.on('data', onData);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  context.after(() => {
    proxy.close();
    for (const socket of sockets) socket.destroy();
  });
  return `bolt://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
}
