/** Conditions on lists of Booleans, with three-valued logic. */
import { once } from '../once.ts';
import type { Program } from '../program.ts';

/** Tells of a list of Booleans whether one is true; null where none is and one is null. */
export function anyTrue(program: Program, conditions: string): string {
  const { dialect } = program;
  return once(program, [conditions], (list) => {
    const branches = `WHEN ${list} IS NULL THEN NULL WHEN ${dialect.contains(list!, 'TRUE')} THEN TRUE`;
    return `(CASE ${branches} WHEN ${count(program, list!, (each) => `${each} IS NULL`)} > 0 THEN NULL ELSE FALSE END)`;
  });
}

/** Tells of a list of Booleans whether exactly one is true; null where that depends on one that is null. */
export function oneTrue(program: Program, conditions: string): string {
  return once(program, [conditions], (list) => {
    const trues = count(program, list!, (each) => each);
    const nulls = count(program, list!, (each) => `${each} IS NULL`);
    return `(CASE WHEN ${list} IS NULL THEN NULL WHEN ${trues} > 1 THEN FALSE WHEN ${nulls} > 0 THEN NULL ELSE ${trues} = 1 END)`;
  });
}

function count(program: Program, list: string, test: (each: string) => string): string {
  const item = program.fresh('y');
  return program.dialect.size(program.dialect.filter(list, test(item), { item }));
}
