/** The interface through which procedures read the captured changes of a namespace (decision 0039). */
import type { Value, ValueMap } from '../../../value/index.ts';

/** A change of one node or relationship by one commit. */
export interface ChangeRow {
  /** The identifier of the change; reading can continue after it. */
  readonly id: string;
  /** The sequence of the commit. */
  readonly txId: number;
  /** The position of the change among the changes of its commit. */
  readonly seq: number;
  readonly metadata: ValueMap;
  readonly event: ValueMap;
}

/** Reads captured changes. All methods throw UNSUPPORTED if changes are not captured. */
export interface ChangeReading {
  /** Returns the identifier after which all changes are kept. */
  earliest(): Promise<string>;
  /** Returns the identifier of the last change. */
  current(): string;
  /**
   * Yields the changes after an identifier, some at a time, in the order of their commits, up to the commit that is the
   * last when reading begins. The identifier `''` stands for the last change, so nothing is yielded.
   *
   * @throws GONE if the changes are no longer kept or the identifier is unknown, ARGUMENT_ERROR if a selector is
   * invalid
   */
  read(from: string, selectors: readonly Value[], signal: AbortSignal | undefined): AsyncGenerator<readonly ChangeRow[], void, void>;
}
