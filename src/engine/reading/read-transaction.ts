/** A transaction of several statements that read: all of them see what was committed when it began. */
import type { EngineTransaction, StatementOptions, StatementResult, StatementStream } from '../api.ts';
import type { GraphVersion } from '../statements/graph-version.ts';
import { streamOf } from '../statements/outcome.ts';
import { type Parameters, requestOf } from '../statements/request.ts';
import { OpenRows, transactionEnded } from './open-rows.ts';
import type { Reads } from './reads.ts';

/** A transaction that reads one snapshot. */
export class ReadTransaction implements EngineTransaction {
  private readonly reads: Reads;
  /** Null once the transaction has ended. */
  private version: GraphVersion | null;
  private readonly open = new Set<OpenRows>();

  constructor(reads: Reads, version: GraphVersion) {
    this.reads = reads;
    this.version = version;
  }

  async execute(query: string, params: Parameters, options: StatementOptions = {}): Promise<StatementResult> {
    if (this.version === null) throw transactionEnded();
    return this.reads.answerIn(this.version, requestOf(query, params, options));
  }

  async stream(query: string, params: Parameters, options: StatementOptions = {}): Promise<StatementStream> {
    if (this.version === null) throw transactionEnded();
    const onEnd = (): void => void this.open.delete(open);
    const rows = await this.reads.streamIn(this.version, requestOf(query, params, options), onEnd);
    if (rows === null) return streamOf(await this.execute(query, params, options));
    const open = new OpenRows(rows);
    this.open.add(open);
    // The transaction may have ended while the statement was prepared.
    if (this.version === null) {
      await this.leaveRows({ looksForRest: false });
      throw transactionEnded();
    }
    return { columns: rows.columns, batches: open, summary: () => rows.summary() };
  }

  async commit(): Promise<void> {
    if (this.version === null) throw transactionEnded();
    this.version = null;
    await this.leaveRows({ looksForRest: true });
  }

  async rollback(): Promise<void> {
    this.version = null;
    await this.leaveRows({ looksForRest: false });
  }

  /** Abandons open results. Their errors are ignored, since the transaction ends in any case. */
  private async leaveRows(options: { readonly looksForRest: boolean }): Promise<void> {
    await Promise.allSettled([...this.open].map((rows) => rows.abandon(options)));
  }
}
