/**
 * An engine that notes which statement runs in an open transaction. One is made for each request, so it is small: two
 * objects. Wrappers of engines inherit from each other, so the members are not private names (`#`), which an inheriting
 * object does not have.
 */
import { beginSpan, type Span } from '../../base/index.ts';
import type {
  BeginOptions,
  CompactOutcome,
  Engine,
  EngineStatistics,
  EngineStatus,
  EngineTransaction,
  FlushOutcome,
  StatementAuthor,
  StatementOptions,
  StatementResult,
  StatementStream,
} from '../../engine/index.ts';
import type { Value } from '../../value/index.ts';
import { watchBatches } from '../watched-batches.ts';

type Parameters = ReadonlyMap<string, Value>;

/** The options of tracking. */
export interface TrackingOptions {
  readonly watch: StatementsWatch;
  readonly author: StatementAuthor;
  readonly nextQuery: () => number;
}

/** Called for the statements of an engine, one at a time. */
export interface StatementsWatch {
  /** Begins a statement; an error thrown here is the answer to the statement, which does not run. */
  begin(queryId: number, query: string): void;
  end(): void;
}

/** An engine that notes which statement runs. */
export class TrackedEngine implements Engine {
  private readonly author: StatementAuthor;
  private readonly engine: Engine;
  private readonly watch: StatementsWatch;
  private readonly nextQuery: () => number;

  constructor(engine: Engine, { watch, author, nextQuery }: TrackingOptions) {
    this.author = author;
    this.engine = engine;
    this.watch = watch;
    this.nextQuery = nextQuery;
  }

  answer(query: string, params: Parameters, options?: StatementOptions): Promise<StatementResult> {
    return this.execute(query, params, options);
  }

  execute(query: string, params: Parameters, options?: StatementOptions): Promise<StatementResult> {
    return this.executeIn(this.engine, query, params, options);
  }

  stream(query: string, params: Parameters, options?: StatementOptions): Promise<StatementStream> {
    return this.streamIn(this.engine, query, params, options);
  }

  async begin(options: BeginOptions): Promise<EngineTransaction> {
    const inner = await this.engine.begin(options);
    return {
      execute: (...statement) => this.executeIn(inner, ...statement),
      stream: (...statement) => this.streamIn(inner, ...statement),
      commit: () => inner.commit(),
      rollback: () => inner.rollback(),
    };
  }

  private async executeIn(
    engine: Pick<EngineTransaction, 'execute'>,
    query: string,
    params: Parameters,
    options?: StatementOptions,
  ): Promise<StatementResult> {
    this.watch.begin(this.nextQuery(), query);
    const span = this.beginSpan();
    const run = (): Promise<StatementResult> => engine.execute(query, params, { ...options, author: this.author });
    try {
      const result = await (span === null ? run() : span.run(run));
      span?.set({ 'graphdb.rows': result.rows.length, 'graphdb.statement.type': result.type });
      span?.end();
      return result;
    } catch (error) {
      span?.end(error);
      throw error;
    } finally {
      this.watch.end();
    }
  }

  private async streamIn(
    engine: Pick<EngineTransaction, 'stream'>,
    query: string,
    params: Parameters,
    options?: StatementOptions,
  ): Promise<StatementStream> {
    this.watch.begin(this.nextQuery(), query);
    const span = this.beginSpan();
    const onEnd = (error?: unknown): void => {
      this.watch.end();
      span?.end(error);
    };
    const run = (): Promise<StatementStream> => engine.stream(query, params, { ...options, author: this.author });
    try {
      const { columns, batches, summary } = await (span === null ? run() : span.run(run));
      return { columns, batches: watchBatches(batches, { onEnd }), summary };
    } catch (error) {
      onEnd(error);
      throw error;
    }
  }

  private beginSpan(): Span | null {
    const { user, connectionType } = this.author;
    return beginSpan(() => ({
      name: 'statement',
      kind: 'internal',
      attributes: {
        'db.system.name': 'graphdb',
        'db.namespace': this.engine.status().namespace,
        'network.protocol.name': connectionType,
        'enduser.id': user,
      },
    }));
  }

  reach(sequence: number, options: { timeoutMs: number; signal?: AbortSignal }): Promise<void> {
    return this.engine.reach(sequence, options);
  }

  explain(query: string, options?: { verbose?: boolean }): Promise<string> {
    return this.engine.explain(query, options);
  }

  flush(): Promise<FlushOutcome> {
    return this.engine.flush();
  }

  compact(): Promise<CompactOutcome> {
    return this.engine.compact();
  }

  status(): EngineStatus {
    return this.engine.status();
  }

  freshStatus(): Promise<EngineStatus> {
    return this.engine.freshStatus();
  }

  statistics(): EngineStatistics {
    return this.engine.statistics();
  }

  close(): Promise<void> {
    return this.engine.close();
  }
}
