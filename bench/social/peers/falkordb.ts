/** FalkorDB: a server of its own, spoken to over a socket in the file system; appended to a log that is synced at every write. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fromPeers, peerFile } from '../from-peers.ts';
import { type Cell, LABELS, NODE_COLUMNS, type OpenPeer, RELATIONSHIPS } from '../peer.ts';
import { readBatches } from '../read-csv.ts';

interface Graph {
  query(text: string, options: { params: object }): Promise<{ data?: Record<string, Cell>[] }>;
}
interface Client {
  selectGraph(name: string): Graph;
  close(): Promise<void>;
}

export const openPeer: OpenPeer = async (folder) => {
  const { FalkorDB } = fromPeers<{ FalkorDB: { connect(options: object): Promise<Client> } }>('falkordb');
  const socket = join(folder, 'falkordb.sock');
  const server = startServer(folder, socket);
  for (let waited = 0; !existsSync(socket) && waited < 100; waited++) await sleep(50);
  const client = await FalkorDB.connect({ socket: { path: socket } });
  const graph = client.selectGraph('bench');
  const run = async (text: string, params: object): Promise<Record<string, Cell>[]> => (await graph.query(text, { params })).data ?? [];
  return {
    load: async (data) => {
      for (const label of Object.values(LABELS)) await run(`CREATE INDEX FOR (n:${label}) ON (n.id)`, {});
      for (const [file, columns] of Object.entries(NODE_COLUMNS)) {
        const members = columns.map((column) => `${column}: r.${column}`).join();
        for (const kind of file === 'message' ? ['Post', 'Comment'] : ['']) {
          const labels = LABELS[file as keyof typeof LABELS] + (kind === '' ? '' : `:${kind}`);
          for (const rows of readBatches(join(data, `${file}.csv`), columns, 1_000)) {
            await run(`UNWIND $rows AS r CREATE (:${labels} {${members}})`, {
              rows: rows.filter((row) => kind === '' || row['kind'] === kind),
            });
          }
        }
      }
      for (const { file, type, from, to, property } of RELATIONSHIPS) {
        const text = `UNWIND $rows AS r MATCH (a:${LABELS[from]} {id: r.a}), (b:${LABELS[to]} {id: r.b}) CREATE (a)-[:${type}${property === null ? '' : ` {${property}: r.v}`}]->(b)`;
        for (const rows of readBatches(join(data, `${file}.csv`), ['a', 'b', ...(property === null ? [] : ['v'])], 1_000))
          await run(text, { rows });
      }
    },
    run: async (text, parameters) => (await run(text, parameters)).map((row) => Object.values(row)),
    memoryBytes: () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1] ?? 0) * 1_024,
    close: async () => {
      await client.close();
      server.kill();
    },
  };
};

function startServer(folder: string, socket: string): ChildProcess {
  const settings = ['--port', '0', '--unixsocket', socket, '--dir', folder, '--save', '', '--appendonly', 'yes', '--appendfsync', 'always'];
  const module = ['--loadmodule', peerFile('falkordb/falkordb.so'), 'TIMEOUT_MAX', '0', 'TIMEOUT_DEFAULT', '0'];
  const server = spawn(peerFile('falkordb/redis-server'), [...settings, ...module], { stdio: 'ignore' });
  process.on('exit', () => server.kill());
  return server;
}
