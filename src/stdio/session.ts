/**
 * One client at the other end of two pipes: the databases that it has opened, its transactions, and its running
 * requests. Requests run concurrently, those of one transaction in their order. When the input ends, running requests
 * are stopped, open transactions are rolled back, and every database is closed, since the client has gone.
 */
import type { Readable, Writable } from 'node:stream';
import { ERROR_CODES, fromForeignError, GraphDBError, isFaultOfServer, type Logger } from '../base/index.ts';
import { type Engine, type EngineTransaction, openEngine, type StatementOutcome, type StatementStream } from '../engine/index.ts';
import { encodeArrowStream, encodeWriteOutcome } from '../result/index.ts';
import { translate } from '../sql/index.ts';
import { type ResultValue, writeJson } from '../value/index.ts';
import { readFrames, writeFrame } from './frames.ts';
import { Request } from './requests.ts';

const PIECE_CHARACTERS = 1024 * 1024;

/** A request under way. */
class Running {
  readonly #abort = new AbortController();
  readonly #end = Promise.withResolvers<void>();
  /** The transaction of the request; undefined for a request that is in none. */
  readonly transaction: number | undefined;
  /** How many batches the client has asked for but was not sent yet. */
  #credit = 0;
  #wake = (): void => {};
  #isWaiting = false;
  isCancelled = false;

  constructor(transaction: number | undefined) {
    this.transaction = transaction;
  }

  /** Resolves when nothing of the request runs any more. */
  get ended(): Promise<void> {
    return this.#end.promise;
  }

  end(): void {
    this.#end.resolve();
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Stops the request. One that only waits for the client to ask for more is left, which does not stop what its transaction does. */
  cancel(): void {
    this.isCancelled = true;
    if (!this.#isWaiting) this.#abort.abort();
    this.#wake();
  }

  next(): void {
    this.#credit++;
    this.#wake();
  }

  /** Waits until the client asks for one more batch. */
  async asked(): Promise<void> {
    this.#isWaiting = true;
    while (this.#credit === 0 && !this.isCancelled) await new Promise<void>((resolve) => (this.#wake = resolve));
    this.#isWaiting = false;
    if (this.isCancelled) throw new GraphDBError('CANCELLED', 'the statement was stopped');
    this.#credit--;
  }
}

/** A session over two pipes. */
export class StdioSession {
  readonly #output: Writable;
  readonly #logger: Logger;
  readonly #databases = new Map<number, Engine>();
  readonly #transactions = new Map<number, EngineTransaction>();
  readonly #running = new Map<number, Running>();
  readonly #work = new Set<Promise<void>>();
  #handles = 0;

  constructor(output: Writable, logger: Logger) {
    this.#output = output;
    this.#logger = logger;
  }

  /** Serves the client; resolves once the input has ended and everything is closed. */
  async serve(input: Readable): Promise<void> {
    try {
      for await (const { header } of readFrames(input)) await this.#receive(header);
    } finally {
      await this.#end();
    }
  }

  async #receive(header: string): Promise<void> {
    try {
      this.#accept(new Request(header));
    } catch (error) {
      // A value that no parser takes is the fault of one request. Without an id the client could not be told, so the session ends.
      const id = /^\{"id":(\d{1,15}),/.exec(header)?.[1];
      if (id === undefined) throw error;
      await writeFrame(this.#output, `{"id":${id}${this.#failure(error)}}`);
    }
  }

  #accept(request: Request): void {
    const running = this.#running.get(request.id);
    if (request.operation === 'cancel') return running?.cancel();
    if (request.operation === 'next') return running?.next();
    if (running !== undefined) throw new GraphDBError('BAD_REQUEST', `the id ${request.id} is in use`);
    const work = this.#answer(request).finally(() => this.#work.delete(work));
    this.#work.add(work);
  }

  async #answer(request: Request): Promise<void> {
    const { id } = request;
    let members: string;
    try {
      const transaction = request.has('transaction') ? request.number('transaction') : undefined;
      const left = this.#leftIn(transaction);
      const running = new Running(transaction);
      this.#running.set(id, running);
      try {
        if (left.length > 0) await Promise.all(left);
        members = await this.#run(request, running);
      } finally {
        this.#running.delete(id);
        running.end();
      }
    } catch (error) {
      members = this.#failure(error);
    }
    await writeFrame(this.#output, `{"id":${id}${members}}`);
  }

  /** Returns the ends of requests of a transaction that were cancelled: rows that nobody reads on end before the next statement begins. */
  #leftIn(transaction: number | undefined): readonly Promise<void>[] {
    if (transaction === undefined) return [];
    const running = [...this.#running.values()];
    return running.filter((other) => other.transaction === transaction && other.isCancelled).map(({ ended }) => ended);
  }

  /** Runs a request. Returns the members of its answer, each with a comma before it. */
  async #run(request: Request, running: Running): Promise<string> {
    switch (request.operation) {
      case 'open':
        return this.#open(request);
      case 'query':
        return this.#query(request, running.signal);
      case 'stream':
        return this.#stream(request, running);
      case 'arrow':
        return this.#arrow(request, running.signal);
      case 'sql':
        return this.#sql(request, running.signal);
      case 'begin':
        return this.#begin(request, running.signal);
      case 'commit':
        await this.#commit(request);
        return '';
      case 'rollback':
        await this.#endTransaction(request).rollback();
        return '';
      case 'flush':
        return membersOf(await this.#database(request).flush());
      case 'compact':
        return membersOf(await this.#database(request).compact());
      case 'status':
        return membersOf(this.#database(request).status());
      case 'close':
        return this.#close(request);
      default:
        throw new GraphDBError('BAD_REQUEST', `there is no operation "${request.operation}"`);
    }
  }

  async #sql(request: Request, signal: AbortSignal): Promise<string> {
    const dialect = request.text('dialect');
    if (dialect !== 'spark' && dialect !== 'duckdb') throw new GraphDBError('ARGUMENT_ERROR', `there is no dialect "${dialect}"`);
    const database = this.#database(request);
    const statement = await translate((query) => database.execute(query, new Map(), { signal }), {
      text: request.text('query'),
      dialect,
      parameters: request.parameters(),
      prefix: request.has('prefix') ? request.text('prefix') : '',
    });
    return `,"sql":${JSON.stringify(statement.sql)},"sources":${JSON.stringify(statement.sources)}`;
  }

  async #open(request: Request): Promise<string> {
    const engine = await openEngine(
      request.text('uri'),
      {
        readOnly: request.flag('read_only'),
        ...(request.has('version') ? { version: request.number('version') } : {}),
        ...(request.has('change_retention_ms') ? { changeRetentionMs: request.number('change_retention_ms') } : {}),
        ...(request.has('flush_interval_ms') ? { flushIntervalMs: request.number('flush_interval_ms') } : {}),
      },
      { logger: this.#logger },
    );
    this.#databases.set(++this.#handles, engine);
    return `,"database":${this.#handles}`;
  }

  async #query(request: Request, signal: AbortSignal): Promise<string> {
    const { columns, rows, ...outcome } = await this.#target(request).execute(request.text('query'), request.parameters(), {
      ...limitsOf(request),
      signal,
    });
    for (const piece of pieces(rows)) await this.#send(request.id, Buffer.from(piece), signal);
    return resultMembers(columns, outcome);
  }

  async #stream(request: Request, running: Running): Promise<string> {
    const stream = await this.#openStream(request, running.signal);
    await this.#send(request.id, Buffer.from(JSON.stringify(stream.columns)), running.signal);
    await running.asked();
    for await (const rows of stream.batches) {
      for (const piece of pieces(rows)) {
        await this.#send(request.id, Buffer.from(piece), running.signal);
        await running.asked();
      }
    }
    return resultMembers(stream.columns, stream.summary());
  }

  async #arrow(request: Request, signal: AbortSignal): Promise<string> {
    const stream = await this.#openStream(request, signal);
    for await (const piece of encodeArrowStream(stream)) await this.#send(request.id, piece, signal);
    return resultMembers(stream.columns, stream.summary());
  }

  #openStream(request: Request, signal: AbortSignal): Promise<StatementStream> {
    return this.#target(request).stream(request.text('query'), request.parameters(), { ...limitsOf(request), signal });
  }

  async #begin(request: Request, signal: AbortSignal): Promise<string> {
    const mode = request.text('mode');
    if (mode !== 'read' && mode !== 'write') throw new GraphDBError('BAD_REQUEST', '"mode" must be "read" or "write"');
    this.#transactions.set(++this.#handles, await this.#database(request).begin({ mode, signal }));
    return `,"transaction":${this.#handles}`;
  }

  async #close(request: Request): Promise<string> {
    const database = this.#database(request);
    this.#databases.delete(request.number('database'));
    await database.close();
    return '';
  }

  #target(request: Request): Pick<Engine, 'execute' | 'stream'> {
    return request.has('transaction') ? this.#transaction(request) : this.#database(request);
  }

  #database(request: Request): Engine {
    const database = this.#databases.get(request.number('database'));
    if (database === undefined) throw new GraphDBError('ARGUMENT_ERROR', 'the database is closed');
    return database;
  }

  #transaction(request: Request): EngineTransaction {
    const transaction = this.#transactions.get(request.number('transaction'));
    if (transaction === undefined) throw new GraphDBError('ARGUMENT_ERROR', 'the transaction has ended');
    return transaction;
  }

  #endTransaction(request: Request): EngineTransaction {
    const transaction = this.#transaction(request);
    this.#transactions.delete(request.number('transaction'));
    return transaction;
  }

  /** Commits a transaction. One that cannot be committed, as while a statement of it runs, is rolled back: nobody can name it any more. */
  async #commit(request: Request): Promise<void> {
    const transaction = this.#endTransaction(request);
    try {
      await transaction.commit();
    } catch (error) {
      await transaction.rollback();
      throw error;
    }
  }

  async #send(id: number, body: Uint8Array, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    await writeFrame(this.#output, `{"id":${id},"more":true}`, body);
  }

  #failure(thrown: unknown): string {
    const error = isAbort(thrown) ? new GraphDBError('CANCELLED', 'the statement was stopped') : fromForeignError(thrown);
    if (isFaultOfServer(error)) this.#logger.error({ error: error.cause ?? error }, 'a request failed');
    const { code, line, column, outcomeUnknown } = error;
    const isFinal = ERROR_CODES[code].retriable && !error.retriable;
    const message = code === 'INTERNAL' ? 'internal error; the log of the engine on stderr says more' : error.message;
    const told = { outcome_unknown: outcomeUnknown ? true : undefined, retriable: isFinal ? false : undefined };
    return `,${JSON.stringify({ error: message, code, line, column, ...told }).slice(1, -1)}`;
  }

  async #end(): Promise<void> {
    for (const running of this.#running.values()) running.cancel();
    await Promise.allSettled(this.#work);
    await Promise.allSettled([...this.#transactions.values()].map((transaction) => transaction.rollback()));
    await Promise.allSettled([...this.#databases.values()].map((database) => database.close()));
  }
}

function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}

function limitsOf(request: Request): { timeoutMs?: number } {
  return request.has('timeout_ms') ? { timeoutMs: request.number('timeout_ms') } : {};
}

function resultMembers(columns: readonly string[], { writeOutcome, notifications = [], planTree }: StatementOutcome): string {
  const outcome = writeOutcome === undefined ? '' : `,"write_outcome":${encodeWriteOutcome(writeOutcome)}`;
  const told = notifications.length === 0 ? '' : `,"notifications":${JSON.stringify(notifications)}`;
  const plan = planTree === undefined ? '' : `,"plan":${JSON.stringify(planTree)}`;
  return `,"columns":${JSON.stringify(columns)}${outcome}${told}${plan}`;
}

/** Returns the members of an outcome, with names as in the HTTP API: `sstsWritten` becomes `ssts_written`. */
function membersOf(outcome: object): string {
  return Object.entries(outcome)
    .map(([name, value]) => `,${JSON.stringify(name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`))}:${JSON.stringify(value)}`)
    .join('');
}

/** Yields the rows as JSON arrays of about `PIECE_CHARACTERS` characters; none where there are no rows. */
function* pieces(rows: readonly (readonly ResultValue[])[]): Generator<string, void, void> {
  let text = '';
  for (const row of rows) {
    text += `${text === '' ? '[' : ','}[${row.map((value) => writeJson(value, 'typed')).join(',')}]`;
    if (text.length < PIECE_CHARACTERS) continue;
    yield `${text}]`;
    text = '';
  }
  if (text !== '') yield `${text}]`;
}
