/**
 * Counts silent `default:` branches (see `silent-defaults.ts`) in the layers that handle syntax trees and plans, and
 * names each; exits with status 1 if there is one.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { silentDefaults } from './silent-defaults.ts';

const LAYERS = ['plan', 'exec', 'cypher'];

const source = join(import.meta.dirname, '../src');
for (const layer of LAYERS) {
  const paths = globSync(`${layer}/**/*.ts`, { cwd: source, exclude: ['**/*.test.ts'] }).toSorted();
  const places = paths.flatMap((path) => silentDefaults(readFileSync(join(source, path), 'utf8')).map((line) => `src/${path}:${line}`));
  for (const place of places) console.error(`${place}: silent default`);
  console.log(`silent defaults in ${layer}/: ${places.length}`);
  if (places.length > 0) process.exitCode = 1;
}
