/** Waiting, by a statement, for what is read elsewhere: its thread has others in the meantime. */
import { GraphDBError } from '../../../base/index.ts';
import type { Limits } from '../limits.ts';

/** The pauses of a statement that waits for data. */
export class Pauses {
  private readonly limits: Limits;
  private underWay: Promise<void> | null = null;
  private resumes = 0;

  constructor(limits: Limits) {
    this.limits = limits;
  }

  /**
   * Gives null while the work is under way, and answers what it resolves to. The work is to end when its signal is
   * aborted: when the statement ends, or its time does. UNSUPPORTED: the caller cannot give way.
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

  /** Takes the promise for which the statement waits now; null: it waits for nothing. */
  take(): Promise<void> | null {
    const { underWay } = this;
    this.underWay = null;
    return underWay;
  }

  /** The statement runs on, after others had the thread. */
  resume(): void {
    this.resumes++;
  }
}
