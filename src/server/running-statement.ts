/** A running statement, as metrics count it. */
export interface RunningStatement {
  rows(count: number): void;
  end(error?: unknown): void;
}
