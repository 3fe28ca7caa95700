/**
 * Proves that nothing that has to be said about an operator or an expression can be forgotten: deletes each entry of
 * the record of facts of each kind, of the tables of those records and of the table of code generators, and has the
 * type checker report each deletion. Prints how many there were; exits with status 1 if one passes.
 */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findForgettable, type TableModule } from './operator-facts.ts';

const source = join(import.meta.dirname, '../src');

const tableModule = (path: string, isTable: TableModule['isTable']): TableModule => ({
  path: join(source, path),
  text: readFileSync(join(source, path), 'utf8'),
  isTable,
});

/** The module must hold the table: one that was renamed would be passed over. */
function tableNamed(path: string, name: string): TableModule {
  const module = tableModule(path, (line) => line.replace(/^export /, '').startsWith(`const ${name}: `));
  assert(module.text.split('\n').some(module.isTable), `${path} has no table ${name}`);
  return module;
}

const isRecord = (line: string): boolean => /^export const \w+: (?:Operator|Expression)Facts<\w+> = \{$/.test(line);
const modules = [
  ...globSync(['plan/operators/kinds/*/*.ts', 'plan/expressions/kinds/*.ts'], { cwd: source }).map((path) => tableModule(path, isRecord)),
  tableNamed('plan/operators/kinds/table.ts', 'OPERATOR_FACTS'),
  tableNamed('plan/expressions/table.ts', 'EXPRESSION_FACTS'),
  tableNamed('exec/codegen/operators/produce.ts', 'PRODUCERS'),
];

const { entries, forgettable, faulty } = findForgettable(modules);
for (const path of faulty) console.error(`${path}: a copy of it has faults although nothing was deleted`);
for (const name of forgettable) console.error(`${name}: deleting it passes the type check`);
console.log(`facts of operators and expressions: ${entries} entries, ${forgettable.length} that could be forgotten`);
process.exitCode = entries > 0 && faulty.length === 0 && forgettable.length === 0 ? 0 : 1;
