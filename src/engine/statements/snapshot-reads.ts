/** The statements of a read transaction: all of them see what was committed when it began. */
import { GraphDBError } from '../../base/index.ts';
import type { GraphView } from '../../graph/index.ts';
import type { Instant } from '../../value/index.ts';
import type { StatementResult } from '../api.ts';
import type { Live, LiveGraph } from '../live-graph.ts';
import { explained } from './outcome.ts';
import type { PreparedRun, RowStream, Sent, StatementRunner } from './statement-runner.ts';

/** What a read transaction sees. */
export interface Snapshot {
  readonly live: Live;
  readonly view: GraphView;
  readonly since: Instant;
}

export interface SnapshotReadsOptions {
  readonly runner: StatementRunner;
  readonly graph: LiveGraph;
  /** SHUTTING_DOWN */
  readonly assertOpen: () => void;
}

export class SnapshotReads {
  private readonly options: SnapshotReadsOptions;

  constructor(options: SnapshotReadsOptions) {
    this.options = options;
  }

  async execute(snapshot: Snapshot, sent: Sent): Promise<StatementResult> {
    return this.on(snapshot, sent, (run) =>
      run.prepared.plan.plan.mode === 'explain' ? explained(run.prepared, run.view) : this.options.runner.read(run),
    );
  }

  /** null when it cannot be streamed, because it shows its plan. `onEnd` is called once, when the rows have ended or were left. */
  async stream(snapshot: Snapshot, sent: Sent, onEnd: () => void): Promise<RowStream | null> {
    return this.on(snapshot, sent, (run) => (run.prepared.plan.plan.mode === 'run' ? this.options.runner.rows(run, onEnd) : null));
  }

  private async on<T>({ live, view, since }: Snapshot, sent: Sent, read: (run: PreparedRun) => Promise<T> | T): Promise<T> {
    const { runner, graph, assertOpen } = this.options;
    assertOpen();
    return graph.reading(async (current) => {
      const run = runner.prepare(sent, { live, view, transaction: null, since });
      const { mode, writes } = run.prepared.plan.plan;
      if (writes && mode !== 'explain') throw new GraphDBError('READ_ONLY', 'this is a read transaction: it cannot write');
      try {
        return await read(run);
      } catch (error) {
        // Another graph has taken the place of the one that this transaction reads: no news will bring its files back.
        throw current === live ? error : await graph.explainMissing(error, live.graph.filesManifest);
      }
    });
  }
}
