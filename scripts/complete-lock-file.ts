/** To be run after `npm install`: completes package-lock.json (see lock-file.ts) and tells what it added. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type LockFile, missingEntries } from './lock-file.ts';

const path = join(import.meta.dirname, '../package-lock.json');
const lock = JSON.parse(readFileSync(path, 'utf8')) as LockFile;
const missing = missingEntries(lock);
const packages = Object.fromEntries([...Object.entries(lock.packages), ...missing].sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync(path, `${JSON.stringify({ ...lock, packages }, null, 2)}\n`);
for (const name of missing.keys()) console.log(`added ${name}`);
