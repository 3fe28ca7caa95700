/** The combinations of variables for which something is computed once, and then joined to all rows that have them. */
import { selectDistinct } from './distinct-rows.ts';
import type { Program } from './program.ts';
import { columnsOf, keysOf, type Rows } from './scope.ts';

/** The combinations of some variables. */
export interface Combinations {
  /** The table of the combinations, each once, with the columns of the variables. */
  readonly table: string;
  /** The columns of the table that tell the combinations apart. */
  readonly keys: readonly string[];
  /** The condition that a row has the combination of some keys. */
  readonly isSame: string;
}

/** Returns the combinations that rows have of some of their variables. */
export function combinationsOf(program: Program, { table: of, bindings }: Rows, names: ReadonlySet<string>): Combinations {
  const used = [...names].map((name) => bindings.get(name)!);
  const columns = new Set(used.flatMap(columnsOf));
  const keys = used
    .flatMap((binding) => keysOf(binding, program.dialect.typeName))
    .map((expression) => ({ expression, key: program.fresh('k') }));
  return {
    table: program.table(
      selectDistinct(
        program,
        { table: of, bindings: used, columns: [...columns] },
        keys.map(({ expression, key }) => ({ sql: expression, name: key })),
      ),
    ),
    keys: keys.map(({ key }) => key),
    isSame: keys.length === 0 ? 'TRUE' : keys.map(({ expression, key }) => `${expression} IS NOT DISTINCT FROM ${key}`).join(' AND '),
  };
}
