/**
 * A store and a model of it, changed by the same steps: statements alone and in transactions that commit or are taken
 * back, flushes, openings. After each step the whole graph is compared, as the transaction sees it and as all others
 * do, and the queries of the step are asked.
 */
import { GraphDBError } from '../../src/base/index.ts';
import type { Engine, EngineTransaction, StatementResult } from '../../src/engine/index.ts';
import { disagreement, type Expectation, expectationOf } from './compare.ts';
import type { Counts } from './counts.ts';
import { type GraphSpec, modelOf } from './generate/graph.ts';
import { PARAMETERS } from './generate/parameters.ts';
import { Unknown } from './oracle/context.ts';
import type { ModelGraph } from './oracle/model.ts';
import { runOracle } from './oracle/oracle.ts';
import { ask, isRefusal } from './questions.ts';
import { build, freshUri, INDEXES, open } from './stores.ts';

export interface Step {
  /** A step that does not fit (COMMIT of nothing) is passed over, so that any part of a list of steps can be played. */
  readonly kind: 'begin' | 'commit' | 'rollback' | 'flush' | 'reopen' | 'indexes' | 'statement';
  /** The text of a statement. */
  readonly text: string;
  /** Asked behind it, over the graph as the transaction sees it. */
  readonly queries: readonly string[];
  /** The audits that are asked behind it, inside of the transaction and outside. */
  readonly audits: readonly string[];
}

/** Statements that return every part of the graph, by every way that leads to it; the first two return all of it. */
export const AUDITS = [
  'MATCH (n) RETURN n',
  'MATCH (a)-[r]->(b) RETURN a, r, b',
  'MATCH (b:A)<-[r]-(a) RETURN b, r, a',
  'MATCH (a)-[r]-(b) RETURN a.k AS x, r, b.k AS y',
  'MATCH (n) RETURN count(*) AS c',
  'MATCH (n:A) RETURN count(n) AS c',
  'MATCH (n:A:B) RETURN n',
  'MATCH (n) RETURN labels(n) AS bag0, count(*) AS c',
  'MATCH ()-[r]->() RETURN type(r) AS t, count(*) AS c',
  'MATCH (:A)-[r:R]->() RETURN count(r) AS c',
  'MATCH ()-[r:R]->(:B) RETURN count(*) AS c',
  'MATCH (n:A) WHERE n.i = 1 RETURN n',
  'MATCH (n:A) WHERE n.i >= 2 RETURN n.k AS k, n.i AS i',
  "MATCH (n:B {s: 'a'}) RETURN n",
  'MATCH (n:A) WHERE n.m = 1 RETURN n',
  'UNWIND [0, 1, 2, 3] AS x MATCH (n:A {i: x}) RETURN x, n',
  'MATCH (a)-[r:R {i: 1}]->(b) RETURN a, r, b',
  'UNWIND range(0, 20) AS x MATCH (a)-[r:R|S]-(b) WHERE r.i = x RETURN x, a, r, b',
  'UNWIND range(0, 5) AS x MATCH ()-[r:R]->() WHERE r.i >= x RETURN x, r',
  'MATCH (n) WHERE n.m IS NULL RETURN count(*) AS c',
  'MATCH (n) RETURN min(n.i) AS x, max(n.i) AS y, sum(n.i) AS z, count(n.s) AS c, count(DISTINCT n.s) AS d',
];

export class Session {
  /** As everybody sees it, and as the transaction that is open does. */
  private durable: ModelGraph;
  current: ModelGraph;
  private readonly uri = freshUri();
  private readonly counts: Counts;
  private readonly spec: GraphSpec;
  private engine!: Engine;
  private transaction: EngineTransaction | null = null;

  constructor(spec: GraphSpec, counts: Counts) {
    this.spec = spec;
    this.counts = counts;
    this.durable = modelOf(spec);
    this.current = this.durable;
  }

  get inTransaction(): boolean {
    return this.transaction !== null;
  }

  async open(): Promise<void> {
    this.engine = await open(this.uri);
    await build(this.spec, (query, params = PARAMETERS) => this.engine.execute(query, params));
  }

  async close(): Promise<void> {
    await this.transaction?.rollback();
    await this.engine.close();
  }

  /** null: all agrees. */
  async perform(step: Step): Promise<string | null> {
    return (await this.act(step)) ?? (await this.look(step));
  }

  private async act({ kind, text }: Step): Promise<string | null> {
    const { transaction } = this;
    if (kind === 'statement') return this.statement(text);
    if (transaction !== null) {
      if (kind === 'commit') await this.end(() => transaction.commit(), this.current);
      if (kind === 'rollback') await this.end(() => transaction.rollback(), this.durable);
      return null;
    }
    if (kind === 'begin') {
      this.transaction = await this.engine.begin({ mode: 'write' });
      this.current = this.durable.copy();
    } else if (kind === 'flush') await this.engine.flush();
    else if (kind === 'indexes') for (const index of INDEXES) await this.engine.execute(index, PARAMETERS);
    else if (kind === 'reopen') {
      await this.engine.close();
      this.engine = await open(this.uri);
    }
    return null;
  }

  private async end(act: () => Promise<void>, left: ModelGraph): Promise<void> {
    this.transaction = null;
    this.durable = left;
    this.current = left;
    await act();
  }

  private async statement(text: string): Promise<string | null> {
    const after = this.current.copy();
    const expected = predict(text, after);
    if (expected === null) {
      this.counts.skipped++;
      return null;
    }
    this.counts.cases.updates++;
    return expected === 'error' ? this.refused(text) : this.done(text, after, expected);
  }

  private async refused(text: string): Promise<string | null> {
    try {
      await this.execute(text);
    } catch (error) {
      this.counts.refused++;
      this.lost();
      return error instanceof GraphDBError && error.code !== 'INTERNAL' ? null : `it failed in a wrong way: ${(error as Error).stack}`;
    }
    return 'it was done, where an error is expected';
  }

  /** A statement that fails ends its transaction. */
  private lost(): void {
    this.transaction = null;
    this.current = this.durable;
  }

  private async done(text: string, after: ModelGraph, expected: Expectation): Promise<string | null> {
    let answer: StatementResult;
    try {
      answer = await this.execute(text);
    } catch (error) {
      this.lost();
      return `it failed: ${(error as Error).stack}`;
    }
    const before = this.current;
    this.current = after;
    if (this.transaction === null) this.durable = after;
    this.counts.rows += answer.rows.length;
    return disagreement(answer, expected) ?? countsDisagree(answer, before, after);
  }

  private execute(text: string): Promise<StatementResult> {
    return (this.transaction ?? this.engine).execute(text, PARAMETERS);
  }

  private async look({ queries, audits }: Step): Promise<string | null> {
    const inside = await this.compare([...audits, ...queries], this.current, this.transaction ?? this.engine);
    if (inside !== null || this.transaction === null) return inside;
    const outside = await this.compare(audits, this.durable, this.engine);
    return outside === null ? null : `outside of the transaction: ${outside}`;
  }

  private async compare(queries: readonly string[], graph: ModelGraph, where: Pick<Engine, 'execute'>): Promise<string | null> {
    for (const query of queries) {
      const question = ask(query, graph, this.counts);
      if (question === null || question.expected === 'error') continue;
      if (isRefusal(question.expected)) return `${query}\nit failed: ${question.expected.refusal.stack}`;
      this.counts.runs++;
      const reason = await this.compareOne(query, question.expected, where);
      if (reason !== null) return `${query}\n${reason}`;
    }
    return null;
  }

  private async compareOne(query: string, expected: Expectation, where: Pick<Engine, 'execute'>): Promise<string | null> {
    try {
      const answer = await where.execute(query, PARAMETERS);
      if (answer.rows.length > 0) this.counts.answered++;
      return disagreement(answer, expected);
    } catch (error) {
      this.lost();
      return `it failed: ${(error as Error).stack}`;
    }
  }
}

/** Changes the graph. null: the oracle cannot tell. */
function predict(text: string, graph: ModelGraph): Expectation | 'error' | null {
  try {
    return expectationOf(runOracle(text, graph, PARAMETERS), graph, true);
  } catch (error) {
    if (error instanceof GraphDBError && error.code !== 'SYNTAX_ERROR') return 'error';
    if (!(error instanceof Unknown)) throw new Error(`the oracle failed on: ${text}`, { cause: error });
    return null;
  }
}

/** Created less deleted is the growth. */
function countsDisagree({ writeOutcome }: StatementResult, before: ModelGraph, after: ModelGraph): string | null {
  if (writeOutcome === undefined) return 'no outcome of a statement that writes';
  const nodes = after.nodes.size - before.nodes.size;
  const relationships = after.relationships.size - before.relationships.size;
  const { nodesCreated, nodesDeleted, edgesCreated, edgesDeleted } = writeOutcome;
  if (nodesCreated - nodesDeleted === nodes && edgesCreated - edgesDeleted === relationships) return null;
  return `outcome ${JSON.stringify(writeOutcome)}, but ${nodes} nodes and ${relationships} relationships more`;
}
