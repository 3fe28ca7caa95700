/** Statements in SQL, held against the engine's answers: a Python with duckdb runs them (run_duckdb.py), the one that PYTHON names. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { GraphDBError } from '../../src/base/index.ts';
import { analyze, parse } from '../../src/cypher/index.ts';
import type { Engine, StatementResult } from '../../src/engine/index.ts';
import { DIALECTS, findConstants, lowerStatement, type SqlStatement } from '../../src/sql/index.ts';
import type { Value } from '../../src/value/index.ts';
import { type GraphDump, jsonOf, rowsOf } from './graph-dump.ts';

interface Statement {
  readonly query: string;
  readonly dump: GraphDump;
  readonly params: ReadonlyMap<string, Value>;
}

/** The statement in SQL, or why it has no form there. */
export async function translate(engine: Engine, { query, dump, params }: Statement): Promise<SqlStatement | string> {
  try {
    const bound = analyze(parse(query), query);
    const { body } = bound.statement;
    const ask = (text: string) => engine.execute(text, params);
    const constants = body.kind === 'query' && !bound.writes ? await findConstants(body.parts, query, ask) : undefined;
    const common = { text: query, dialect: 'duckdb', shape: dump.shape, parameters: params } as const;
    return lowerStatement(bound, {
      ...common,
      ...(constants === undefined ? {} : { constants }),
      opaqueText: (value) => `json:${jsonOf(value)}`,
    });
  } catch (error) {
    if (!(error instanceof GraphDBError)) throw error;
    return error.message.replace(/ \(line.*/, '');
  }
}

export interface Comparison {
  readonly lowered: SqlStatement;
  readonly dump: GraphDump;
  readonly answer: Pick<StatementResult, 'columns' | 'rows'>;
}

export interface Strictness {
  readonly inOrder: boolean;
  /** An Integer and a Float of the same value are the same: a statement that groups may answer any of them. */
  readonly isLoose?: boolean;
}

export class DuckDb {
  readonly #helper = spawn(process.env['PYTHON'] ?? 'python3', [join(import.meta.dirname, 'run_duckdb.py')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  readonly #answers = createInterface({ input: this.#helper.stdout })[Symbol.asyncIterator]();

  /** null: DuckDB gives the rows of the answer. */
  async difference({ lowered, dump, answer, inOrder, isLoose = false }: Comparison & Strictness): Promise<string | null> {
    const sources = lowered.sources.map((source) => rowsOf(dump, source, DIALECTS.duckdb));
    const head = JSON.stringify({ sql: lowered.sql, columns: answer.columns, inOrder, isLoose }).slice(0, -1);
    const rows = answer.rows.map((row) => `[${row.map(jsonOf).join(',')}]`).join(',');
    this.#helper.stdin.write(`${head},"sources":[${sources.join(',')}],"rows":[${rows}]}\n`);
    const { value } = await this.#answers.next();
    if (value === undefined) throw new Error('the helper has ended');
    return JSON.parse(value) as string | null;
  }

  close(): void {
    this.#helper.stdin.end();
  }
}
