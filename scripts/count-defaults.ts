/**
 * Counts silent `default:` branches (see `silent-defaults.ts`) in the layers that handle syntax trees and plans, and names each; exits with status 1 if there is one in a layer that
 * is said to have none.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { silentDefaults } from './silent-defaults.ts';

/** By layer: whether a silent default is a fault there already. */
const LAYERS: Readonly<Record<string, boolean>> = { plan: true, exec: true, cypher: false };

const source = join(import.meta.dirname, '../src');
for (const [layer, isFinished] of Object.entries(LAYERS)) {
  const paths = globSync(`${layer}/**/*.ts`, { cwd: source, exclude: ['**/*.test.ts'] }).toSorted();
  const places = paths.flatMap((path) => silentDefaults(readFileSync(join(source, path), 'utf8')).map((line) => `src/${path}:${line}`));
  for (const place of places) console.log(`${place}: silent default`);
  console.log(`silent defaults in ${layer}/: ${places.length}`);
  if (isFinished && places.length > 0) process.exitCode = 1;
}
