/**
 * The counters of PROFILE: the rows that each operator produced, and the time spent in its own code.
 *
 * The operators of a pipeline run as one loop. Generated code reports which operator's part begins (`enter`), and time
 * is attributed to that operator until another begins. Reading the clock twice per row and operator costs more than
 * most operators do, so the times show where the work is, not how long the statement takes without PROFILE.
 */
import { monotonicMs } from '../../base/index.ts';

/** Counts rows and times for PROFILE. */
export class Profile {
  readonly rows: number[];
  readonly timesMs: number[];
  /** Notes of the operators about their work, by operator; undefined where there is none. */
  readonly notes: (string | undefined)[] = [];
  /** Milliseconds spent on making the rows of the result. */
  resultMs = 0;
  private current = -1;
  private since = monotonicMs();

  constructor(operators: number) {
    this.rows = new Array(operators).fill(0);
    this.timesMs = new Array(operators).fill(0);
  }

  /** Attributes the time from here on to an operator; -1 attributes it to making the rows of the result. */
  enter(operator: number): void {
    const now = monotonicMs();
    if (this.current < 0) this.resultMs += now - this.since;
    else this.timesMs[this.current]! += now - this.since;
    this.current = operator;
    this.since = now;
  }

  /** Counts a row of an operator, and attributes the time from here on to its consumer. */
  row(operator: number, consumer: number): void {
    this.rows[operator]!++;
    this.enter(consumer);
  }

  /** Resets all counters, because the statement is run again from its beginning. */
  beginAgain(): void {
    this.rows.fill(0);
    this.notes.length = 0;
    this.enter(-1);
    this.timesMs.fill(0);
    this.resultMs = 0;
  }

  /** Sets the note of the current operator, in place of an earlier one. */
  note(text: string): void {
    if (this.current >= 0) this.notes[this.current] = text;
  }

  /** Restarts the clock after other statements have had the thread. */
  resume(): void {
    this.since = monotonicMs();
  }
}
