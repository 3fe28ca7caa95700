/** A statement that runs now, as metrics hear of it. */
export interface RunningStatement {
  rows(count: number): void;
  end(error?: unknown): void;
}
