/** A FalkorDB server of its own, spoken to over a socket in the file system; appended to a log that is synced at every write. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Bulk } from './falkordb-bulk.ts';
import { fromPeers, peerFile } from './from-peers.ts';
import type { Cell } from './peer.ts';

interface Graph {
  query(text: string, options: { params: object; TIMEOUT?: number }): Promise<{ data?: Record<string, Cell>[] }>;
}
interface Client {
  readonly connection: Promise<{ sendCommand(words: readonly (string | Buffer)[]): Promise<unknown> }>;
  selectGraph(name: string): Graph;
  close(): Promise<void>;
}

/** One graph of a running server. */
export interface FalkorGraph {
  readonly server: ChildProcess;
  run(text: string, params: object, budgetMs?: number): Promise<Record<string, Cell>[]>;
  /** Loads all nodes first, then all relationships, into the graph, which is empty. */
  load(nodes: Iterable<Bulk>, relationships: Iterable<Bulk>): Promise<void>;
  close(): Promise<void>;
}

/** Starts a server that keeps its files in the folder. */
export async function startFalkordb(folder: string): Promise<FalkorGraph> {
  const { FalkorDB } = fromPeers<{ FalkorDB: { connect(options: object): Promise<Client> } }>('falkordb');
  const socket = join(folder, 'falkordb.sock');
  const server = startServer(folder, socket);
  for (let waited = 0; !existsSync(socket) && waited < 100; waited++) await sleep(50);
  const client = await FalkorDB.connect({ socket: { path: socket } });
  const graph = client.selectGraph('bench');
  return {
    server,
    run: async (text, params, budgetMs) =>
      (await graph.query(text, budgetMs === undefined ? { params } : { params, TIMEOUT: budgetMs })).data ?? [],
    load: async (nodes, relationships) => {
      const connection = await client.connection;
      let begin = ['BEGIN'];
      const send = async (counts: readonly number[], blob: Buffer): Promise<void> => {
        await connection.sendCommand(['GRAPH.BULK', 'bench', ...begin, ...counts.map(String), blob]);
        begin = [];
      };
      for (const { entities, blob } of nodes) await send([entities, 0, 1, 0], blob);
      for (const { entities, blob } of relationships) await send([0, entities, 0, 1], blob);
    },
    close: async () => {
      await client.close();
      server.kill();
    },
  };
}

function startServer(folder: string, socket: string): ChildProcess {
  const settings = ['--port', '0', '--unixsocket', socket, '--dir', folder, '--save', '', '--appendonly', 'yes', '--appendfsync', 'always'];
  const module = ['--loadmodule', peerFile('falkordb/falkordb.so'), 'TIMEOUT_MAX', '0', 'TIMEOUT_DEFAULT', '0'];
  const server = spawn(peerFile('falkordb/redis-server'), [...settings, ...module], { stdio: 'ignore' });
  process.on('exit', () => server.kill());
  return server;
}
