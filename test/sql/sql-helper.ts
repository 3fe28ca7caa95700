/**
 * Statements in SQL, held against the engine's answers: a Python with duckdb or pyspark runs them (`run_<dialect>.py`),
 * the one that PYTHON names.
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { GraphDBError } from '../../src/base/index.ts';
import { analyze, parse } from '../../src/cypher/index.ts';
import type { Engine } from '../../src/engine/index.ts';
import { DIALECTS, type DialectName, findConstants, lowerStatement, type SqlStatement } from '../../src/sql/index.ts';
import type { ResultValue, Value } from '../../src/value/index.ts';
import { type GraphDump, jsonOf, rowsOf } from './graph-dump.ts';

const CLIENT = join(import.meta.dirname, '../../clients/python');

interface Statement {
  readonly query: string;
  readonly dump: GraphDump;
  readonly params: ReadonlyMap<string, Value>;
  readonly dialect: DialectName;
  /** The beginning of the names of its tables, which no other statement has that runs at the same time. */
  readonly prefix?: string;
}

/** Returns the statement in SQL, or why it has no form there. */
export async function translate(engine: Engine, { query, dump, params, dialect, prefix = '' }: Statement): Promise<SqlStatement | string> {
  try {
    const bound = analyze(parse(query), query);
    const { body } = bound.statement;
    const ask = (text: string) => engine.execute(text, params);
    const constants = body.kind === 'query' && !bound.writes ? await findConstants(body.parts, query, ask) : undefined;
    const common = { text: query, dialect, shape: dump.shape, parameters: params, prefix } as const;
    return lowerStatement(bound, {
      ...common,
      ...(constants === undefined ? {} : { constants }),
      opaqueText: (value) => `json:${jsonOf(value)}`,
    });
  } catch (error) {
    if (!(error instanceof GraphDBError)) throw error;
    return reasonOf(error);
  }
}

/** Returns why a statement was refused, without the place in its text. */
export function reasonOf(error: GraphDBError): string {
  return error.message.replace(/ \(line.*/, '');
}

/** A statement in SQL, and the answer that it should give. */
export interface Comparison {
  readonly lowered: SqlStatement;
  /** The rows of its tables, or the URI of the store that holds them. */
  readonly tables: GraphDump | string;
  /** The columns, and the rows as values or as JSON. */
  readonly answer: { readonly columns: readonly string[]; readonly rows: readonly (readonly ResultValue[] | string)[] };
  readonly inOrder: boolean;
  /** Whether an Integer and a Float of the same value are the same: a statement that groups may answer any of them. */
  readonly isLoose?: boolean;
  /** Whether lists may have any order. */
  readonly ignoreListOrder?: boolean;
  /** Whether Floats are held against each other by nine digits: sums in no order. */
  readonly isRounded?: boolean;
}

/** A process that runs SQL of one dialect and compares rows. */
export class SqlHelper {
  readonly #dialect: DialectName;
  readonly #helper;
  readonly #answers;

  constructor(dialect: DialectName, parameters: readonly string[] = []) {
    this.#dialect = dialect;
    this.#helper = spawn(process.env['PYTHON'] ?? 'python3', [join(import.meta.dirname, `run_${dialect}.py`), ...parameters], {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { ...process.env, PYTHONPATH: CLIENT },
    });
    this.#answers = createInterface({ input: this.#helper.stdout })[Symbol.asyncIterator]();
  }

  /** Returns what differs; null: the rows are those of the answer. */
  async difference({ lowered, tables, answer, inOrder, ...how }: Comparison): Promise<string | null> {
    const store = typeof tables === 'string' ? tables : undefined;
    const { isLoose = false, isRounded = false, ignoreListOrder = false } = how;
    const common = { inOrder, isLoose, isRounded, ignoreListOrder, store };
    const head = JSON.stringify({ sql: lowered.sql, columns: answer.columns, ...common }).slice(0, -1);
    const sources = lowered.sources.map((source) =>
      typeof tables === 'string' ? JSON.stringify(source) : rowsOf(tables, source, DIALECTS[this.#dialect]),
    );
    const rows = answer.rows.map((row) => (typeof row === 'string' ? row : `[${row.map(jsonOf).join(',')}]`)).join(',');
    this.#helper.stdin.write(`${head},"sources":[${sources.join(',')}],"rows":[${rows}]}\n`);
    const { value } = await this.#answers.next();
    if (value === undefined) throw new Error('the helper has ended');
    return JSON.parse(value) as string | null;
  }

  close(): void {
    this.#helper.stdin.end();
  }
}
