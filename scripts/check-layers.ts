/**
 * Checks the arrows between the layers of `src/`, the order of its folders and files, and that clocks, timers and
 * randomness come from `src/base/`; prints every violation with its place and exits with status 1 if there is one.
 */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findAmbientSources } from './ambient-sources.ts';
import { findHouseFaults, GROUPS } from './house.ts';
import { findViolations } from './layers.ts';

const folder = join(import.meta.dirname, '../src');
const modules = globSync('**/*.ts', { cwd: folder }).map((path) => ({ path, text: readFileSync(join(folder, path), 'utf8') }));
assert(modules.length > 0, 'no module found in src/');

const violations = [...findViolations(modules), ...findHouseFaults(modules, GROUPS), ...findAmbientSources(modules)];
for (const violation of violations) console.error(violation);
console.log(`layers: ${modules.length} modules, ${violations.length} violations`);
process.exitCode = violations.length === 0 ? 0 : 1;
