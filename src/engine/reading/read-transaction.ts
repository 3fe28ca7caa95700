/** A transaction of several statements that read: all of them see what was committed when it began. */
import { GraphDBError } from '../../base/index.ts';
import type { EngineTransaction, StatementOptions, StatementResult, StatementStream } from '../api.ts';
import type { GraphVersion } from '../statements/graph-version.ts';
import { streamOf } from '../statements/outcome.ts';
import { type Parameters, requestOf } from '../statements/request.ts';
import type { RowStream } from '../statements/statement-runner.ts';
import type { Reads } from './reads.ts';

/** A transaction that reads one snapshot. */
export class ReadTransaction implements EngineTransaction {
  private readonly reads: Reads;
  /** Null once the transaction has ended. */
  private version: GraphVersion | null;
  private readonly open = new Set<RowStream>();

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
    const onEnd = (): boolean => rows !== null && this.open.delete(rows);
    const rows = await this.reads.streamIn(this.version, requestOf(query, params, options), onEnd);
    if (rows === null) return streamOf(await this.execute(query, params, options));
    this.open.add(rows);
    return rows;
  }

  async commit(): Promise<void> {
    if (this.version === null) throw transactionEnded();
    await this.rollback();
  }

  async rollback(): Promise<void> {
    this.version = null;
    // Open results end with the transaction.
    for (const { batches } of this.open) await batches.return();
  }
}

/** Makes the BAD_REQUEST error of a call on a transaction that has ended. */
export function transactionEnded(): GraphDBError {
  return new GraphDBError('BAD_REQUEST', 'the transaction has ended');
}
