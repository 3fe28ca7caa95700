/**
 * The last guard of the parser against deep trees. A tree can be deep although it takes little recursion to parse it,
 * and later passes would recurse over it. The check itself needs no recursion, and is made only for texts long enough
 * to be too deep.
 */
import { countWork } from '../../base/index.ts';
import type { Statement } from '../ast.ts';
import type { Cursor } from './cursor.ts';

/** The most objects and arrays on the way from the root to a leaf. */
const MAX_DEPTH = 1500;

/** Checks that a tree can be visited by recursion. @throws SYNTAX_ERROR for a tree that is too deep */
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
