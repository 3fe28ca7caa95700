/** Trees are walked by recursion: one that is too deep for the stack is the fault of the statement, and is told as such. */
import { GraphDBError } from '../base/index.ts';

export function withoutOverflow<T>(work: () => T): T {
  try {
    return work();
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw new GraphDBError('UNSUPPORTED', 'the statement is too long or too deeply nested to be planned; part it into several', { cause });
  }
}
