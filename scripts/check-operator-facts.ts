/**
 * Proves that nothing that has to be said about an operator or an expression can be forgotten: deletes each entry of the record of facts of each kind, of the tables of those
 * records and of the table of code generators, and has the type checker report each deletion. Prints how many there were; exits with status 1 if one passes.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findForgettable, type TableModule } from './operator-facts.ts';

const source = join(import.meta.dirname, '../src');

const tableModule = (path: string, isTable: TableModule['isTable']): TableModule => ({
  path: join(source, path),
  text: readFileSync(join(source, path), 'utf8'),
  isTable,
});

const isRecord = (line: string): boolean => /^export const \w+: (?:Operator|Expression)Facts<\w+> = \{$/.test(line);
const modules = [
  ...globSync(['plan/operators/kinds/*/*.ts', 'plan/expressions/kinds/*.ts'], { cwd: source }).map((path) => tableModule(path, isRecord)),
  tableModule('plan/operators/kinds/table.ts', (line) => line.startsWith('const OPERATOR_FACTS: ')),
  tableModule('plan/expressions/table.ts', (line) => line.startsWith('const EXPRESSION_FACTS: ')),
  tableModule('exec/codegen/operators/produce.ts', (line) => line.startsWith('const PRODUCERS: ')),
];

const { entries, forgettable, faulty } = findForgettable(modules);
for (const path of faulty) console.error(`${path}: a copy of it has faults although nothing was deleted`);
for (const name of forgettable) console.error(`${name}: deleting it passes the type check`);
console.log(`facts of operators and expressions: ${entries} entries, ${forgettable.length} that could be forgotten`);
process.exitCode = entries > 0 && faulty.length === 0 && forgettable.length === 0 ? 0 : 1;
