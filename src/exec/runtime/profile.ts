/**
 * The counters of PROFILE: rows that each operator gave, and the time in its own code.
 *
 * The operators of a pipeline run as one loop. The generated code says whose part of it begins (`enter`), and the time
 * since is that one's until another begins. Looking at the clock twice per row and operator costs more than most
 * operators do: the times tell who works most, not how long it takes without PROFILE.
 */
import { monotonicMs } from '../../base/index.ts';

/** Counts rows and times for PROFILE. */
export class Profile {
  readonly rows: number[];
  readonly timesMs: number[];
  /** Notes of each operator on its own work. */
  readonly notes: (string | undefined)[] = [];
  /** Making the rows of the result. */
  resultMs = 0;
  private current = -1;
  private since = monotonicMs();

  constructor(operators: number) {
    this.rows = new Array(operators).fill(0);
    this.timesMs = new Array(operators).fill(0);
  }

  /** -1: the rows of the result are made. */
  enter(operator: number): void {
    const now = monotonicMs();
    if (this.current < 0) this.resultMs += now - this.since;
    else this.timesMs[this.current]! += now - this.since;
    this.current = operator;
    this.since = now;
  }

  /** An operator has a row, which its consumer takes. */
  row(operator: number, consumer: number): void {
    this.rows[operator]!++;
    this.enter(consumer);
  }

  /** The statement is run from its beginning: what was counted is for nothing. */
  beginAgain(): void {
    this.rows.fill(0);
    this.notes.length = 0;
    this.enter(-1);
    this.timesMs.fill(0);
    this.resultMs = 0;
  }

  /** Notes what the operator that runs tells of its work, in the place of what it told before. */
  note(text: string): void {
    if (this.current >= 0) this.notes[this.current] = text;
  }

  /** Others had the thread meanwhile. */
  resume(): void {
    this.since = monotonicMs();
  }
}
