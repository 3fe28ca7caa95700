/** This project, built as npm packs it: imported by its command, asked through the library with default flags. */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from '../../../src/index.ts';
import { cell, LABELS, type OpenPeer, RELATIONSHIPS } from '../peer.ts';

const ROOT = join(import.meta.dirname, '../../..');

export const openPeer: OpenPeer = async (folder) => {
  const built = builtPackage(join(folder, 'package'));
  const { open } = (await import(join(built, 'dist/index.js'))) as typeof import('../../../src/index.ts');
  const uri = `file://${join(folder, 'store')}?ns=bench`;
  let db: Database | null = null;
  return {
    load: async (data) => {
      importWith(join(built, 'bin/graphdb'), data, { uri });
      db = await open(uri);
    },
    reopen: async () => {
      db = await open(uri);
    },
    run: async (text, parameters) => {
      const { columns, rows } = await db!.query(text, parameters);
      return () => rows.map((row) => columns.map((column) => cell(row[column])));
    },
    close: () => db?.close(),
  };
};

/** Loads the network of the folder by the command, and declares its keys: the shell takes all of them in one process. */
export function importWith(
  program: string,
  data: string,
  { uri, env = process.env }: { readonly uri: string; readonly env?: NodeJS.ProcessEnv },
): void {
  const both = (file: string): string => `${join(data, `${file}-header.csv`)},${join(data, `${file}.csv`)}`;
  const nodes = Object.entries(LABELS).flatMap(([file, label]) => ['--nodes', `${label}=${both(file)}`]);
  const relationships = RELATIONSHIPS.flatMap(({ file, type }) => ['--relationships', `${type}=${both(file)}`]);
  const keys = Object.values(LABELS).map((label) => `CREATE CONSTRAINT FOR (n:${label}) REQUIRE n.id IS UNIQUE;`);
  execFileSync(program, ['import', '--store', uri, ...nodes, ...relationships], { stdio: 'ignore', env });
  execFileSync(program, ['shell', '--store', uri], { input: keys.join('\n'), stdio: ['pipe', 'ignore', 'inherit'], env });
}

/** Its dependencies are found above it. */
function builtPackage(folder: string): string {
  if (existsSync(folder)) return folder;
  mkdirSync(folder, { recursive: true });
  for (const part of ['bin', 'package.json']) cpSync(join(ROOT, part), join(folder, part), { recursive: true });
  execFileSync(process.execPath, [join(ROOT, 'scripts/build.ts'), '--out', join(folder, 'dist')]);
  return folder;
}
