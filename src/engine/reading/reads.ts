/** Statements that read, each on a snapshot: its own, or that of a read transaction. */
import { GraphDBError } from '../../base/index.ts';
import type { CompiledStatement } from '../../exec/index.ts';
import { type GraphStore, type GraphView, NoRoomError } from '../../graph/index.ts';
import { formatPlan } from '../../plan/index.ts';
import type { StatementResult } from '../api.ts';
import { explainText } from '../execution/explain.ts';
import { type GraphVersion, type ServedGraph, snapshotOf } from '../statements/graph-version.ts';
import { makeRoomBehind, type RoomMaker, withRoom } from '../statements/making-room.ts';
import { explained } from '../statements/outcome.ts';
import { type PreparedStatement, planOfPrepared } from '../statements/prepared-statement.ts';
import { assertMayWrite, requestOf, type StatementRequest } from '../statements/request.ts';
import type { RunningStatement } from '../statements/running-statement.ts';
import type { ErrorOfRows, RowStream, StatementRunner } from '../statements/statement-runner.ts';
import type { LiveGraph } from './live-graph.ts';

/** The options of reads. */
export interface ReadsOptions extends RoomMaker {
  readonly runner: StatementRunner;
  readonly graph: LiveGraph;
  /** Throws SHUTTING_DOWN if the engine is closing. */
  readonly assertOpen: () => void;
}

/** The options of EXPLAIN. */
export interface ExplainOptions {
  readonly verbose?: boolean;
}

/** Runs statements that read. */
export class Reads {
  private readonly options: ReadsOptions;

  constructor(options: ReadsOptions) {
    this.options = options;
  }

  /** Answers a statement on a snapshot of its own; null if it writes, and may. A short read of loaded data returns without a promise. */
  answer(request: StatementRequest): StatementResult | null | Promise<StatementResult | null> {
    return withRoom(this.options, request, this.answerOnServed);
  }

  private readonly answerOnServed = (request: StatementRequest) => this.options.graph.reading(this.answerOn, request);

  private readonly answerOn = (
    served: ServedGraph,
    request: StatementRequest,
  ): StatementResult | null | Promise<StatementResult | null> => {
    const statement = this.options.runner.prepare(request, snapshotOf(served));
    return statement instanceof Promise ? statement.then((prepared) => this.answerPrepared(prepared)) : this.answerPrepared(statement);
  };

  private answerPrepared(statement: RunningStatement): StatementResult | null | Promise<StatementResult> {
    const { mode, writes } = statement.prepared;
    if (mode === 'explain') return explained(statement);
    if (!writes) return this.options.runner.read(statement);
    assertMayWrite(statement.request.options);
    return null;
  }

  /** Streams the rows of a statement on a snapshot of its own; null if it cannot be streamed because it writes or shows its plan. */
  async stream(request: StatementRequest): Promise<RowStream | null> {
    return withRoom(this.options, request, () => this.options.graph.reading(this.streamOn, request));
  }

  private readonly streamOn = async (served: ServedGraph, request: StatementRequest): Promise<RowStream | null> => {
    const { runner } = this.options;
    const prepared = runner.prepare(request, snapshotOf(served));
    const statement = prepared instanceof Promise ? await prepared : prepared;
    return this.rows(statement, () => {});
  };

  /** Streams the rows of a statement. One that misses files among its rows is not run again: its error says why they are gone. */
  private rows(statement: RunningStatement, onEnd: () => void): Promise<RowStream> | null {
    return isStreamed(statement) ? this.options.runner.rows(statement, onEnd, this.errorOf) : null;
  }

  private readonly errorOf: ErrorOfRows = (error, filesManifest) => this.options.graph.explainMissing(error, filesManifest);

  /** Returns the plan of a statement as text, on a snapshot of its own; `verbose` adds all details and the generated code. */
  async explain(query: string, { verbose = false }: ExplainOptions): Promise<string> {
    const request = requestOf(query, new Map(), {});
    return withRoom(this.options, request, () => this.options.graph.reading((served) => explainOn(served, { request, verbose }), request));
  }

  /** Answers a statement of a read transaction, which sees the version. @throws READ_ONLY if the statement writes. */
  async answerIn(version: GraphVersion, request: StatementRequest): Promise<StatementResult> {
    return this.on(version, request, (statement) =>
      statement.prepared.mode === 'explain' ? explained(statement) : this.options.runner.read(statement),
    );
  }

  /**
   * Streams the rows of a statement of a read transaction; null if it cannot be streamed because it shows its plan.
   * `onEnd` is called once, when the rows have ended or were abandoned.
   *
   * @throws READ_ONLY if the statement writes.
   */
  async streamIn(version: GraphVersion, request: StatementRequest, onEnd: () => void): Promise<RowStream | null> {
    return this.on(version, request, (statement) => this.rows(statement, onEnd));
  }

  /** Runs a statement of a read transaction, and again if files are gone and the graph that it reads has newer ones. */
  private async on<T>(version: GraphVersion, request: StatementRequest, read: (statement: RunningStatement) => Promise<T> | T): Promise<T> {
    const { runner, graph, assertOpen } = this.options;
    const { served } = version;
    assertOpen();
    return graph.reading(async (current) => {
      const statement = await runner.prepare(request, version);
      const { mode, writes } = statement.prepared;
      if (writes && mode !== 'explain') throw new GraphDBError('READ_ONLY', 'this is a read transaction: it cannot write');
      try {
        return await read(statement);
      } catch (error) {
        if (current === served) makeRoomBehind(this.options, served.graph, error);
        // Another graph has taken the place of the one that this transaction reads: no news will bring its files back.
        throw current === served ? error : await graph.explainMissing(error, served.graph.filesManifest);
      }
    }, request);
  }
}

async function explainOn(
  served: ServedGraph,
  { request, verbose }: { readonly request: StatementRequest; readonly verbose: boolean },
): Promise<string> {
  const view = served.graph.snapshot();
  const prepared = await served.statements.prepare(request, view, { runsHere: true });
  const text = formatPlan(planOfPrepared(prepared).plan, { verbose });
  return verbose ? `${text}\n\n${explainText(await codeOf(prepared, view, served.graph))}` : text;
}

/** Returns the code of a statement as it would run: over pages if what it reads does not fit into memory. */
async function codeOf(prepared: PreparedStatement, view: GraphView, graph: GraphStore): Promise<CompiledStatement> {
  const { requirements, parameters, byPage } = prepared;
  const plan = planOfPrepared(prepared);
  try {
    await graph.require(view, requirements);
  } catch (error) {
    const isByPage = error instanceof NoRoomError && byPage !== null && (await graph.openPages(view, requirements));
    if (!isByPage) throw error;
    return plan.byPage(view, parameters, Number.POSITIVE_INFINITY);
  }
  return plan.for(view, parameters, Number.POSITIVE_INFINITY);
}

function isStreamed({ prepared }: RunningStatement): boolean {
  const { writes, mode } = prepared;
  return !writes && mode === 'run';
}
