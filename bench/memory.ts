/**
 * `npm run bench:memory -- [--scale <n>] [--holders <n>] [--resident]`: bytes a node and a relationship of the social
 * network take in memory, against what their arrays take by count: columns as the files of the store hold them, and for
 * each type and direction 4 bytes for each node that can stand there and one more, and 4 for each relationship.
 * Everything is loaded in steps; after each one the buffers of all typed arrays are added up
 * (bench/memory/array-buffers.ts), and `--holders` says of how many that hold most of them. `--resident`: what the
 * process takes instead, which adding up the buffers would add to.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Engine, openEngine } from '../src/engine/index.ts';
import { openObjectStore, parseStorageUri } from '../src/object-store/index.ts';
import { openNamespace } from '../src/storage/index.ts';
import { Steps } from './memory/steps.ts';
import { writeFiles } from './social/csv.ts';
import { LABELS, NODE_COLUMNS, RELATIONSHIPS } from './social/peer.ts';

const { values: options } = parseArgs({
  options: {
    scale: { type: 'string', default: '1' },
    holders: { type: 'string', default: '15' },
    resident: { type: 'boolean', default: false },
  },
});
const root = join(import.meta.dirname, '../.bench');
const work = join(root, `memory-${process.pid}`);
const uri = `file://${work}?ns=bench`;

try {
  await main();
} finally {
  rmSync(work, { recursive: true, force: true });
}

async function main(): Promise<void> {
  const data = join(root, 'data', options.scale);
  await writeFiles(data, Number(options.scale));
  mkdirSync(work, { recursive: true });
  // By a process of its own, whose memory is not in the sums.
  const both = (file: string): string => `${join(data, `${file}-header.csv`)},${join(data, `${file}.csv`)}`;
  const inputs = [
    ...Object.entries(LABELS).flatMap(([file, label]) => ['--nodes', `${label}=${both(file)}`]),
    ...RELATIONSHIPS.flatMap(({ file, type }) => ['--relationships', `${type}=${both(file)}`]),
  ];
  execFileSync(join(root, '../bin/graphdb'), ['import', '--store', uri, ...inputs], { stdio: 'ignore' });
  const stored = await storedBytes();
  const engine = await openEngine(uri);
  const count = async (pattern: string): Promise<number> => Number((await rowsOf(engine, `MATCH ${pattern} RETURN count(*)`))[0]![0]);
  const [nodes, relationships] = [await count('(n)'), await count('()-[r]->()')];
  let adjacency = 0;
  for (const { type, from, to } of RELATIONSHIPS) {
    const [sources, targets] = [await count(`(n:${LABELS[from]})`), await count(`(n:${LABELS[to]})`)];
    adjacency += 4 * (sources + 1 + targets + 1 + 2 * (await count(`()-[r:${type}]->()`)));
  }
  const steps = new Steps(options.resident ? 'resident' : 'arrays');
  steps.add('opened', 0, 0, '');
  for (const [file, label] of Object.entries(LABELS)) {
    const columns = NODE_COLUMNS[file as keyof typeof NODE_COLUMNS].filter((column) => column !== 'kind');
    await rowsOf(engine, `MATCH (n:${label}) RETURN ${columns.map((column) => `max(n.${column})`).join(', ')}`);
  }
  steps.add('columns of nodes', stored.nodes, nodes, 'node');
  for (const { type, property } of RELATIONSHIPS)
    await rowsOf(engine, `MATCH ()-[r:${type}]->() RETURN ${property === null ? 'count(r)' : `max(r.${property})`}`);
  for (const { type, from, to } of RELATIONSHIPS) {
    await rowsOf(engine, `MATCH (a:${LABELS[from]}) WITH a LIMIT 1 MATCH (a)-[r:${type}]->(b) RETURN a.id, r, b.id`);
    await rowsOf(engine, `MATCH (b:${LABELS[to]}) WITH b LIMIT 1 MATCH (b)<-[r:${type}]-(a) RETURN a.id, r, b.id`);
  }
  steps.add('relationships: ends, columns, both directions', stored.relationships + adjacency, relationships, 'relationship');
  for (const label of Object.values(LABELS)) await rowsOf(engine, `CREATE CONSTRAINT FOR (n:${label}) REQUIRE n.id IS UNIQUE`);
  steps.add('three constraints', 0, nodes, 'node');
  steps.print(Number(options.holders));
  await engine.close();
}

async function rowsOf(engine: Engine, text: string): Promise<readonly (readonly unknown[])[]> {
  return (await engine.execute(text, new Map())).rows;
}

/** Returns the bytes of the files of nodes, and of relationships. */
async function storedBytes(): Promise<{ readonly nodes: number; readonly relationships: number }> {
  const location = parseStorageUri(uri);
  const store = await openObjectStore(location);
  const namespace = await openNamespace(store, { name: location.namespace, readOnly: true });
  const bytes = { nodes: 0, relationships: 0 };
  for (const { kind, files } of namespace.manifest.tables) for (const file of files) bytes[kind] += file.bytes;
  await namespace.close();
  await store.close();
  return bytes;
}
