/**
 * `npm run bench:open`: opens a namespace of 1 million nodes and 5 million relationships on file:// and answers a first
 * count. The namespace is made by the importer; opening and counting happen in a new process. Printed for each step:
 * time, requests to the object store and bytes read from it, and the memory it left. `--nodes <n>`,
 * `--relationships <n>`; `--s3`: on the S3 server of `npm run test:stores`, on this machine; `--keep` leaves the
 * namespace behind and says where.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { powerLawGraph, writeCsv } from './power-law.ts';
import { onS3 } from './s3.ts';

const { values: options } = parseArgs({
  options: {
    nodes: { type: 'string', default: '1000000' },
    relationships: { type: 'string', default: '5000000' },
    s3: { type: 'boolean' },
    keep: { type: 'boolean' },
  },
});
const folder = mkdtempSync(join(tmpdir(), 'graphdb-open-'));
try {
  await main();
} finally {
  if (options.keep) console.log(`the namespace is in ${folder}`);
  else rmSync(folder, { recursive: true });
}

async function main(): Promise<void> {
  const nodes = join(folder, 'nodes.csv');
  const relationships = join(folder, 'relationships.csv');
  await writeCsv(powerLawGraph(Number(options.nodes), Number(options.relationships)), nodes, relationships);
  const store = join(folder, 'store');
  mkdirSync(store);
  if (options.s3) await onS3(store, (uri, environment) => importAndOpen({ store, uri, nodes, relationships, environment }));
  else importAndOpen({ store, uri: `file://${store}?ns=bench`, nodes, relationships, environment: {} });
}

interface Work {
  readonly store: string;
  readonly uri: string;
  readonly nodes: string;
  readonly relationships: string;
  readonly environment: Readonly<Record<string, string>>;
}

function importAndOpen({ store, uri, nodes, relationships, environment }: Work): void {
  const env = { ...process.env, ...environment };
  const start = performance.now();
  const program = resolve(import.meta.dirname, '../bin/graphdb');
  const files = ['--nodes', `Person=${nodes}`, '--relationships', `KNOWS=${relationships}`];
  execFileSync(program, ['import', '--store', uri, ...files], { stdio: 'ignore', env });
  console.log(`import: ${((performance.now() - start) / 1000).toFixed(1)} s, ${megabytes(store)} MB in the store`);
  execFileSync(process.execPath, [join(import.meta.dirname, 'open-process.ts'), uri], { stdio: 'inherit', env });
}

function megabytes(store: string): string {
  const files = readdirSync(store, { recursive: true, encoding: 'utf8' }).map((name) => statSync(join(store, name)));
  return (files.reduce((bytes, file) => bytes + file.size, 0) / 1e6).toFixed(1);
}
