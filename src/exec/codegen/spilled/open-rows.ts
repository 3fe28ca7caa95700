/** Loops over rows that generators give. */
import type { Codegen } from '../codegen.ts';

/** Opens a loop over the rows of a generator, which offers to be interrupted with null; answers the local with the row. */
export function openRows(cg: Codegen, rows: string): string {
  const row = cg.f.fresh('row');
  cg.f.open(`for (const ${row} of ${rows}) {`);
  cg.f.emit(`if (${row} === null) { yield null; continue; }`);
  return row;
}
