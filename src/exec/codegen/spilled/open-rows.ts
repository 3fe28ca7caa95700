/** Opens loops over rows that generators yield. */
import type { Codegen, Environment } from '../codegen.ts';
import { isSource, openSource } from '../paged/sources.ts';

interface OpenedRows {
  /** The local with the row. */
  readonly row: string;
  close(): void;
}

/** Returns a line that yields again what a generator yields beside rows: null, or `WAIT` in code that reads pages. */
function offer(cg: Codegen, row: string): string {
  return `if (${row} === null${cg.paged ? ` || ${row} === restarts.WAIT` : ''}) { yield ${row}; continue; }`;
}

/**
 * Opens a loop over the rows of a generator, which offers to be interrupted with null. `most`: JavaScript for the
 * number of rows at most; absent: all rows.
 */
export function openRows(cg: Codegen, rows: string, outer: Environment, most = 'Infinity'): OpenedRows {
  const { f } = cg;
  if (!isSource(cg, outer)) {
    const left = most === 'Infinity' ? null : f.variable('left', most);
    const row = f.fresh('row');
    f.open(`for (const ${row} of ${rows}) {`);
    f.emit(offer(cg, row));
    if (left !== null) f.emit(`if (--${left} < 0) break;`);
    return { row, close: () => f.close() };
  }
  const chunk = f.fresh('chunk');
  f.open(`for (const ${chunk} of rowChunks(${rows}, ${most})) {`);
  f.emit(offer(cg, chunk));
  const at = f.fresh('at');
  const closeSource = openSource(cg, { row: at, first: '0', end: `${chunk}.length` });
  const row = f.local('row', `${chunk}[${at}]`);
  return {
    row,
    close: () => {
      closeSource();
      f.close();
    },
  };
}
