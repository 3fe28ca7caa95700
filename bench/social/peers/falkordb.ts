/**
 * FalkorDB: a server of its own, spoken to over a socket in the file system; appended to a log that is synced at every
 * write. Loaded by its command for bulk loaders: a header and rows per kind of node and relationship, in binary.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fromPeers, peerFile } from '../from-peers.ts';
import { type Cell, LABELS, NODE_COLUMNS, type OpenPeer, RELATIONSHIPS } from '../peer.ts';
import { readRows } from '../read-csv.ts';

interface Graph {
  query(text: string, options: { params: object; TIMEOUT?: number }): Promise<{ data?: Record<string, Cell>[] }>;
}
interface Client {
  readonly connection: Promise<{ sendCommand(words: readonly (string | Buffer)[]): Promise<unknown> }>;
  selectGraph(name: string): Graph;
  close(): Promise<void>;
}

export const openPeer: OpenPeer = async (folder, budgetMs) => {
  const { FalkorDB } = fromPeers<{ FalkorDB: { connect(options: object): Promise<Client> } }>('falkordb');
  const socket = join(folder, 'falkordb.sock');
  const server = startServer(folder, socket);
  for (let waited = 0; !existsSync(socket) && waited < 100; waited++) await sleep(50);
  const client = await FalkorDB.connect({ socket: { path: socket } });
  const graph = client.selectGraph('bench');
  const run = async (text: string, params: object): Promise<Record<string, Cell>[]> => (await graph.query(text, { params })).data ?? [];
  return {
    load: async (data) => {
      const server = await client.connection;
      let begin = ['BEGIN'];
      const send = async ({ entities, blob }: Bulk, what: 'nodes' | 'relationships'): Promise<void> => {
        const counts = what === 'nodes' ? [entities, 0, 1, 0] : [0, entities, 0, 1];
        await server.sendCommand(['GRAPH.BULK', 'bench', ...begin, ...counts.map(String), blob]);
        begin = [];
      };
      const { bulks, places } = nodeBulks(data);
      for (const bulk of bulks) await send(bulk, 'nodes');
      for (const bulk of relationshipBulks(data, places)) await send(bulk, 'relationships');
      for (const label of Object.values(LABELS)) await run(`CREATE INDEX FOR (n:${label}) ON (n.id)`, {});
    },
    reopen: async () => {},
    run: async (text, parameters) => {
      const { data } = await graph.query(text, { params: parameters, TIMEOUT: budgetMs });
      return () => (data ?? []).map((row) => Object.values(row));
    },
    memoryBytes: () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1] ?? 0) * 1_024,
    close: async () => {
      await client.close();
      server.kill();
    },
  };
};

interface Bulk {
  readonly entities: number;
  readonly blob: Buffer;
}

type Places = Readonly<Record<keyof typeof LABELS, ReadonlyMap<number, number>>>;

/** A node is known to relationships by its place among all. */
function nodeBulks(data: string): { bulks: Bulk[]; places: Places } {
  const bulks: Bulk[] = [];
  const places = { person: new Map<number, number>(), message: new Map<number, number>(), tag: new Map<number, number>() };
  let made = 0;
  for (const [file, columns] of Object.entries(NODE_COLUMNS)) {
    const kind = file as keyof typeof LABELS;
    for (const other of kind === 'message' ? ['Post', 'Comment'] : [null]) {
      const rows = new BulkRows(other === null ? LABELS[kind] : `${LABELS[kind]}:${other}`, columns);
      for (const row of readRows(join(data, `${file}.csv`))) {
        if (other !== null && row[1] !== other) continue;
        places[kind].set(row[0] as number, made++);
        for (const value of row) rows.property(value);
        rows.entities++;
      }
      bulks.push(rows.done());
    }
  }
  return { bulks, places };
}

function* relationshipBulks(data: string, places: Places): Generator<Bulk> {
  for (const { file, type, from, to, property } of RELATIONSHIPS) {
    const rows = new BulkRows(type, property === null ? [] : [property]);
    for (const [a, b, value] of readRows(join(data, `${file}.csv`))) {
      rows.end(places[from].get(a as number)!);
      rows.end(places[to].get(b as number)!);
      if (property !== null) rows.property(value!);
      rows.entities++;
    }
    yield rows.done();
  }
}

const STRING = 3;
const INTEGER = 4;

class BulkRows {
  entities = 0;
  private bytes = Buffer.allocUnsafe(1 << 20);
  private length = 0;

  constructor(name: string, properties: readonly string[]) {
    this.text(name);
    this.reserve(4);
    this.length = this.bytes.writeUInt32LE(properties.length, this.length);
    for (const property of properties) this.text(property);
  }

  end(place: number): void {
    this.reserve(8);
    this.length = this.bytes.writeBigUInt64LE(BigInt(place), this.length);
  }

  property(value: string | number): void {
    this.reserve(9);
    this.bytes[this.length++] = typeof value === 'string' ? STRING : INTEGER;
    if (typeof value === 'string') this.text(value);
    else this.length = this.bytes.writeBigInt64LE(BigInt(value), this.length);
  }

  done(): Bulk {
    return { entities: this.entities, blob: this.bytes.subarray(0, this.length) };
  }

  private text(value: string): void {
    this.reserve(value.length + 1);
    this.length += this.bytes.write(value, this.length, 'latin1');
    this.bytes[this.length++] = 0;
  }

  private reserve(more: number): void {
    if (this.length + more <= this.bytes.length) return;
    const larger = Buffer.allocUnsafe(this.bytes.length * 2);
    this.bytes.copy(larger, 0, 0, this.length);
    this.bytes = larger;
  }
}

function startServer(folder: string, socket: string): ChildProcess {
  const settings = ['--port', '0', '--unixsocket', socket, '--dir', folder, '--save', '', '--appendonly', 'yes', '--appendfsync', 'always'];
  const module = ['--loadmodule', peerFile('falkordb/falkordb.so'), 'TIMEOUT_MAX', '0', 'TIMEOUT_DEFAULT', '0'];
  const server = spawn(peerFile('falkordb/redis-server'), [...settings, ...module], { stdio: 'ignore' });
  process.on('exit', () => server.kill());
  return server;
}
