/**
 * Opens loops over the rows of a source in code that reads pages: they go on with a row once the pages that it missed
 * have been read (`Restarts`).
 */
import { ROWS_AHEAD } from '../../runtime/pages/restarts.ts';
import type { Codegen, Environment } from '../codegen.ts';

/** The rows of a source: the local `row` of the loop, and JavaScript for the rows from `first` to below `end`. */
export interface SourceRows {
  readonly row: string;
  readonly first: string;
  readonly end: string;
}

/** Tells whether the rows that are written next are those of the source of a pipeline that reads pages. */
export function isSource(cg: Codegen, outer: Environment): boolean {
  return cg.paged && outer.size === 0 && cg.isOutermost;
}

/** Opens the loop over the rows of a source, at the top of a pipeline. Returns a function that closes it. */
export function openSource(cg: Codegen, { row, first, end }: SourceRows): () => void {
  const { f } = cg;
  const [from, to, again, around] = [f.fresh('from'), f.fresh('to'), f.fresh('again'), f.fresh('around')];
  f.open(`for (let ${from} = ${first}; ${from} < ${end}; ) {`);
  f.emit(`const ${to} = Math.min(${from} + ${ROWS_AHEAD}, ${end});`);
  f.emit(`let ${again} = -1;`);
  f.emit(`const ${around} = restarts.enter();`);
  f.open('try {');
  f.open(`for (let ${row} = ${from}; ${row} < ${to}; ${row}++) {`);
  f.emit(`restarts.begin(${row});`);
  const leave = cg.enterSource();
  return () => {
    leave();
    f.close();
    f.reopen('} catch (error) {');
    f.emit('restarts.caught(error);');
    f.reopen('} finally {');
    f.emit(`${again} = restarts.leave(${around});`);
    f.close();
    f.emit(`if (${again} >= 0) yield restarts.WAIT;`);
    f.emit(`${from} = ${again} >= 0 ? ${again} : ${to};`);
    f.close();
  };
}

/** Opens a source of one row, for operators whose rows come from no loop over rows. Returns a function that closes it. */
export function openOneRow(cg: Codegen): () => void {
  return openSource(cg, { row: cg.f.fresh('one'), first: '0', end: '1' });
}
