/**
 * Writes the times and counts of a statement's stages, as one line of JSON on stderr when it has ended
 * (GRAPHDB_PROFILE_DUMP). The line holds the text of the statement, never its parameters.
 *
 * `prepare` finds or makes the plan, `load` fetches data that is not in memory, `run` compiles when it must and makes
 * the rows, `commit` waits until a write is durable.
 */
import { monotonicMs } from '../../base/index.ts';
import type { Runtime } from '../../exec/index.ts';

type Stage = 'prepare' | 'load' | 'run' | 'commit';

/** The times and counts of the stages of statements. */
export class StageTimes {
  private readonly query: string;
  private readonly stages: { [stage in Stage]?: number } = {};
  private counts: { readonly rows: number; readonly work: number; readonly keptBytes: number } | null = null;
  private since = monotonicMs();

  constructor(query: string) {
    this.query = query;
  }

  /** Ends a stage, which began when the one before it ended. */
  end(stage: Stage): void {
    const now = monotonicMs();
    this.stages[stage] = rounded((this.stages[stage] ?? 0) + now - this.since);
    this.since = now;
  }

  /** Ends the stage `run` and keeps its counts; `work` is in units of 65,536 steps. */
  ran(rows: number, { limits, memory }: Runtime): void {
    this.end('run');
    this.counts = { rows, work: Math.round(limits.ticks), keptBytes: memory.used };
  }

  write(): void {
    process.stderr.write(`${JSON.stringify({ profile: this.query, ms: this.stages, ...this.counts })}\n`);
  }
}

function rounded(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}
