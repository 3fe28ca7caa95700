/**
 * The last guard of the parser: a chain such as `1 + 1 + 1 + …` takes no recursion to read, yet makes a tree as deep as
 * it is long, in which whoever comes later would recurse. Checked without recursion, and only for texts long enough to
 * be too deep.
 */
import { countWork } from '../../base/index.ts';
import type { Statement } from '../ast.ts';
import type { Cursor } from './cursor.ts';

/** Objects and arrays on the way from the root to a leaf. */
const MAX_DEPTH = 1500;

/** Refuses a tree that is too deep to be walked. SYNTAX_ERROR. */
export function refuseDeepTree(cursor: Cursor, statement: Statement): void {
  if (cursor.tokenCount < MAX_DEPTH / 3) return;
  const nodes: object[] = [statement];
  const depths: number[] = [0];
  while (nodes.length > 0) {
    countWork(1);
    const node = nodes.pop()!;
    const depth = depths.pop()! + 1;
    if (depth > MAX_DEPTH) throw cursor.tooDeep();
    for (const child of Object.values(node)) {
      if (typeof child !== 'object' || child === null) continue;
      nodes.push(child);
      depths.push(depth);
    }
  }
}
