/** The HTTP API of the server that served the page, as the console uses it: statements whose rows come as they are found. */
import { jsonText } from './values.ts';

export interface PlanNode {
  readonly operator: string;
  readonly details: string;
  readonly estimatedRows: number;
  /** Rows that a profile counted. */
  readonly rows?: number;
  readonly timeMs?: number;
  readonly children: readonly PlanNode[];
}

export interface Notification {
  readonly title?: string;
  readonly description?: string;
  readonly message?: string;
  readonly severity?: string;
  /** Counted from one, in the text of the statement. */
  readonly line?: number;
  readonly column?: number;
}

export interface Summary {
  readonly rows: number;
  readonly elapsed_ms: number;
  readonly write_outcome?: Readonly<Record<string, number>>;
  readonly plan?: PlanNode;
  readonly notifications?: readonly Notification[];
}

/** A statement that failed, and where in its text. */
export class StatementError extends Error {
  readonly code: string;
  /** Counted from one; undefined: no place in the text. */
  readonly line: number | undefined;
  readonly column: number | undefined;

  constructor({ error, code, line, column }: ErrorBody) {
    super(error);
    this.code = code;
    this.line = line;
    this.column = column;
  }
}

interface ErrorBody {
  readonly error: string;
  readonly code: string;
  readonly line?: number;
  readonly column?: number;
}

export type Row = Readonly<Record<string, unknown>>;

export interface Answer {
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
  readonly summary: Summary;
  /** There were more rows than the console takes. */
  readonly isCut: boolean;
}

export interface Connection {
  /** null: none is given. */
  readonly token: string | null;
  /** null: the default one. */
  readonly namespace: string | null;
}

export interface RunOptions {
  readonly parameters?: Readonly<Record<string, unknown>>;
  readonly signal?: AbortSignal;
  readonly mostRows?: number;
  /** Called when more rows have come. */
  readonly onRows?: (columns: readonly string[], rows: readonly Row[]) => void;
}

const MOST_ROWS = 10_000;
const REPORTED_EACH_MS = 250;

export function pathOf({ namespace }: Connection, path: string): string {
  return `${namespace === null ? '' : `/${encodeURIComponent(namespace)}`}${path}`;
}

export function headersOf({ token }: Connection): Record<string, string> {
  return token === null ? {} : { authorization: `Bearer ${token}` };
}

export async function run(connection: Connection, query: string, options: RunOptions = {}): Promise<Answer> {
  const { parameters = {}, signal, mostRows = MOST_ROWS, onRows } = options;
  const response = await fetch(pathOf(connection, '/v0/cypher/stream'), {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headersOf(connection) },
    body: jsonText({ query, params: parameters }),
    signal: signal ?? null,
  });
  if (!response.ok || response.body === null) throw new StatementError((await response.json()) as ErrorBody);
  const rows: Row[] = [];
  let columns: readonly string[] = [];
  let told = performance.now();
  for await (const line of linesOf(response.body)) {
    if (line.type === 'header') columns = line.columns;
    else if (line.type === 'error') throw new StatementError(line);
    else if (line.type === 'summary') return { columns, rows, summary: line, isCut: false };
    else if (rows.length >= mostRows) return { columns, rows, summary: { rows: rows.length, elapsed_ms: 0 }, isCut: true };
    else rows.push(line.row);
    if (onRows !== undefined && performance.now() - told > REPORTED_EACH_MS) {
      onRows(columns, rows);
      told = performance.now();
    }
  }
  throw new StatementError({ error: 'the answer broke off', code: 'STORE_UNAVAILABLE' });
}

type Line =
  | { readonly type: 'header'; readonly columns: readonly string[] }
  | { readonly type: 'row'; readonly row: Row }
  | ({ readonly type: 'error' } & ErrorBody)
  | ({ readonly type: 'summary' } & Summary);

/** Leaving the loop cancels the statement. */
async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Line, void, void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  try {
    // Each piece is looked through once, however long a line is.
    let begun: string[] = [];
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const [end = '', ...lines] = decoder.decode(value, { stream: true }).split('\n');
      begun.push(end);
      if (lines.length === 0) continue;
      const rest = lines.pop()!;
      for (const line of [begun.join(''), ...lines]) yield parseExactly(line) as Line;
      begun = [rest];
    }
  } finally {
    void reader.cancel().catch(() => undefined);
  }
}

/** Integers beyond 2^53 become BigInts: a number would be another one. */
export function parseExactly(text: string): unknown {
  return JSON.parse(text, (_key, value: unknown, context?: { readonly source?: string }) => {
    if (typeof value !== 'number' || Number.isSafeInteger(value)) return value;
    return context?.source !== undefined && /^-?\d+$/.test(context.source) ? BigInt(context.source) : value;
  });
}
