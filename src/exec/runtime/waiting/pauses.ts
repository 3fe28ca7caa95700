/** Lets a statement wait for asynchronous work while its thread runs other statements. */
import { GraphDBError } from '../../../base/index.ts';
import type { Limits } from '../limits.ts';

/** The waits of one statement. */
export class Pauses {
  private readonly limits: Limits;
  private underWay: Promise<void> | null = null;
  private resumes = 0;

  constructor(limits: Limits) {
    this.limits = limits;
  }

  /**
   * Starts work, yields null until it has settled, and returns its result. The work should stop when its signal is
   * aborted, which happens when the statement is cancelled or its time is over.
   *
   * @throws UNSUPPORTED if the caller cannot yield, and the error of the work if it fails
   */
  *during<T>(work: (signal: AbortSignal | undefined) => Promise<T>): Generator<null, T, void> {
    let settled: { readonly value: T } | { readonly error: unknown } | null = null;
    this.underWay = work(this.limits.signalOfEnd()).then(
      (value) => {
        settled = { value };
      },
      (error: unknown) => {
        settled = { error };
      },
    );
    while (settled === null) {
      const { resumes } = this;
      yield null;
      if (this.resumes === resumes)
        throw new GraphDBError(
          'UNSUPPORTED',
          'what waits for the store cannot be called inside an expression; call it in a clause of its own',
        );
    }
    const outcome = settled as { readonly value: T } | { readonly error: unknown }; // as: the compiler does not see that it was set
    if ('error' in outcome) throw outcome.error;
    return outcome.value;
  }

  /** Returns the promise that the statement waits for, and clears it; null if it waits for nothing. */
  take(): Promise<void> | null {
    const { underWay } = this;
    this.underWay = null;
    return underWay;
  }

  /** Records that the statement continues after other statements have had the thread. */
  resume(): void {
    this.resumes++;
  }
}
