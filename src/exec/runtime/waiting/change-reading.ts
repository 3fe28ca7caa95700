/** The changes of a namespace as procedures read them (decision 0039). */
import type { Value, ValueMap } from '../../../value/index.ts';

/** A change of one node or relationship by one commit. */
export interface ChangeRow {
  /** Names the change: those behind it can be read from there on. */
  readonly id: string;
  /** The sequence of its commit. */
  readonly txId: number;
  /** Its place among the changes of the commit. */
  readonly seq: number;
  readonly metadata: ValueMap;
  readonly event: ValueMap;
}

/** UNSUPPORTED: changes are not captured. */
export interface ChangeReading {
  /** The id from which on all changes are kept. */
  earliest(): Promise<string>;
  /** The id of the last change there is. */
  current(): string;
  /**
   * The changes behind an id, in the order of their commits, up to the last commit there is now; some at a time. `''`:
   * none, those behind the last. GONE: they are not kept any more, or the id is not known. ARGUMENT_ERROR: a selector.
   */
  read(from: string, selectors: readonly Value[], signal: AbortSignal | undefined): AsyncGenerator<readonly ChangeRow[], void, void>;
}
