/**
 * Imports the LDBC data set with `bin/graphdb import`. The files cannot be handed over as they are: their header lines are not the
 * importer's, and the labels in the `type` columns are in lower case. So a folder beside the store receives, for each, a header file and
 * the rows.
 */
import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { NODE_FILES, type NodeFile, RELATIONSHIP_FILES, type RelationshipFile, readRows } from './dataset.ts';

const PROJECT = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

/** Loads the data set in `folder` into the store `uri`; `scratch` receives the rewritten files. Answers with what the importer printed. */
export async function importDataset(folder: string, uri: string, scratch: string): Promise<string> {
  mkdirSync(scratch, { recursive: true });
  const args = ['import', '--store', uri, '--delimiter', '|', '--array-delimiter', ';'];
  for (const file of NODE_FILES) args.push('--nodes', `${file.labels}=${writeFiles(folder, scratch, file)}`);
  for (const file of RELATIONSHIP_FILES) args.push('--relationships', `${file.type}=${writeFiles(folder, scratch, file)}`);
  const { stdout, stderr } = await promisify(execFile)(join(PROJECT, 'bin/graphdb'), args, { maxBuffer: 64 << 20 });
  return stdout + stderr;
}

function writeFiles(folder: string, scratch: string, file: NodeFile | RelationshipFile): string {
  const header = join(scratch, `${basename(file.path)}-header.csv`);
  const data = join(scratch, `${basename(file.path)}.csv`);
  const labelColumn = 'labelColumn' in file ? file.labelColumn : undefined;
  const rows = readRows(folder, file).map((row) =>
    labelColumn === undefined ? row : row.with(labelColumn, capitalised(row[labelColumn]!)),
  );
  writeFileSync(header, `${file.header}\n`);
  writeFileSync(data, rows.map((row) => `${row.join('|')}\n`).join(''));
  return `${header},${data}`;
}

function capitalised(label: string): string {
  return label.charAt(0).toUpperCase() + label.slice(1);
}
