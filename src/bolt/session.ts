/**
 * The conversation with one client: takes its messages one after the other, answers each, and holds what the client has
 * open: at most one transaction, or one statement outside one, and its results.
 *
 * A failure releases all that is open; then everything but RESET is ignored. RESET works when it comes, not when its
 * turn comes: it stops what runs (`interrupt`), and messages that wait before it are ignored.
 */
import {
  assert,
  type Caller,
  ERROR_CODES,
  fromForeignError,
  GraphDBError,
  type GuessDelays,
  isFaultOfServer,
  type Logger,
  monotonicMs,
  outOfTime,
  traced,
} from '../base/index.ts';
import type { EngineTransaction, StatementOptions } from '../engine/index.ts';
import { type HeldNamespace, Lease, type LeaseLimits, type Namespaces, type Origin, type Wanted } from '../namespaces/index.ts';
import { bookmarkOf } from '../result/index.ts';
import type { ResultValue } from '../value/index.ts';
import { sequenceOf } from './bookmarks.ts';
import { BoltFailure, failureOf } from './failures.ts';
import {
  type Credentials,
  LARGE_MESSAGE_BYTES,
  type NotificationFilter,
  type Request,
  readLargeRequest,
  readRequest,
  requestKind,
  type UnitOptions,
} from './messages.ts';
import { OpenResult } from './open-result.ts';
import { MalformedMessage } from './packstream/packstream-reader.ts';
import { routingTable } from './routing-table.ts';
import { nextState, reactionTo, type State } from './states.ts';
import { summaryMetadata } from './summary.ts';
import type { BoltVersion } from './versions.ts';
import type { Output } from './wire/output.ts';

/** Seconds of silence after which a driver may take a connection for dead; see `KEEP_ALIVE_MS` of the connection. */
const RECEIVE_TIMEOUT_SECONDS = 120;

/** The limits of a session. */
export interface SessionLimits {
  /** The longest time in milliseconds between two messages of a transaction that holds the writer. */
  readonly idleWriteMs: number;
  /** The longest time in milliseconds between two messages of a read transaction, or of an open result outside a transaction. */
  readonly idleReadMs: number;
  /** The longest wait in milliseconds for the commit that a bookmark names. */
  readonly bookmarkMs: number;
  /** The server's own time limit of a statement in milliseconds, which the engine keeps; 0: none. */
  readonly statementMs: number;
  /** The most bytes of memory for the parameters of one statement, beyond which it fails with MEMORY_LIMIT. */
  readonly memoryBytes: number;
}

/** The context of a session. */
export interface SessionContext {
  /** Returns the namespaces. Throws STORE_UNAVAILABLE while the server starts, SHUTTING_DOWN while it stops. */
  readonly namespaces: () => Namespaces;
  /** Returns the caller with these credentials; undefined if it is not admitted. */
  readonly identify: (credentials: Credentials) => Caller | undefined | Promise<Caller | undefined>;
  readonly guessDelays: GuessDelays | undefined;
  /** Called for a client whose credentials are refused. */
  readonly onRefused: (refused: { readonly requestId: string; readonly address: string }) => void;
  readonly limits: SessionLimits;
  readonly logger: Logger;
  /** The name of the server, as drivers are told. */
  readonly agent: string;
  /** The name of the connection in logs and for the client. */
  readonly id: string;
  /** The address at which the client has reached this server, for clients that do not name one. */
  readonly address: string;
  /** The address of the client. */
  readonly remoteAddress: string;
}

/** The unit of work that is held for the client: its transaction, or a statement outside one. */
interface Unit {
  readonly options: UnitOptions;
  readonly lease: Lease;
  /** The namespace that the unit holds; null until then. A server that stops lets it be used to the end. */
  namespace: HeldNamespace | null;
  /** Null for a statement outside a transaction. */
  transaction: EngineTransaction | null;
  readonly results: Map<number, { readonly result: OpenResult; readonly startMs: number }>;
  lastQid: number;
}

type Entry = [string, ResultValue];

/** The failure of a client that has to authenticate again: drivers with a source of tokens do so by themselves. */
class Expelled extends BoltFailure {
  constructor() {
    super('Neo.ClientError.Security.TokenExpired', 'the token has been revoked, or has expired');
  }
}

/** Thrown to end the connection without an answer. */
class Unanswered extends Error {}

/** A conversation with one client. */
export class Session {
  readonly #version: BoltVersion;
  readonly #output: Output;
  readonly #context: SessionContext;
  #state: State = 'connected';
  #unit: Unit | null = null;
  /** Null while the client is not authenticated. */
  #caller: Caller | null = null;
  #notifications: NotificationFilter = { minimumSeverity: null, disabledCategories: null };
  /** The number of RESETs that have come and not had their turn. */
  #interrupts = 0;
  #requests = 0;
  #isEnded = false;
  /** Stops the reading of a large message; null if none is read. */
  #reading: AbortController | null = null;
  /** The end of the time of the message at work if it is large, in milliseconds of `monotonicMs()`; else Infinity. */
  #deadline = Number.POSITIVE_INFINITY;

  constructor(version: BoltVersion, output: Output, context: SessionContext) {
    this.#version = version;
    this.#output = output;
    this.#context = context;
    output.format = { elementIds: version.elementIds, utc: version.utc === 'always' };
  }

  get isAuthenticated(): boolean {
    return this.#state !== 'connected' && this.#state !== 'authentication';
  }

  /** True if the client has something open. */
  get isHolding(): boolean {
    return this.#unit !== null;
  }

  /** True if the client is still admitted: its token has not been revoked, and has not expired. */
  get isWelcome(): boolean {
    return this.#caller === null || this.#caller.isValid();
  }

  /** To be called when a RESET has come: stops what runs. */
  interrupt(): void {
    this.#interrupts++;
    this.stop(new GraphDBError('CANCELLED', 'the client has sent a RESET'));
  }

  /** Stops the running statement, or the reading of a large message. */
  stop(reason: GraphDBError): void {
    this.#reading?.abort(reason);
    this.#unit?.lease.stop(reason);
  }

  /** Ends the session and releases what it holds. To be called when no message is at work. */
  async end(): Promise<void> {
    this.#isEnded = true;
    await this.#letGo();
  }

  /** Answers a message. Returns `close` if the connection is over. */
  async receive(message: Buffer): Promise<'continue' | 'close'> {
    try {
      const kind = requestKind(message);
      if (kind === 'goodbye' || this.#isEnded) return 'close';
      if (!this.isWelcome && kind !== 'reset' && kind !== 'logoff') throw new Expelled();
      if (kind !== 'reset' && this.#interrupts > 0 && this.isAuthenticated) return this.#ignore();
      const reaction = reactionTo(kind, this.#state, this.#version);
      if (reaction === 'ignore') return this.#ignore();
      if (reaction === 'refuse') throw new MalformedMessage(`${kind.toUpperCase()} has no place in the state "${this.#state}"`);
      this.#deadline = Number.POSITIVE_INFINITY;
      const isLarge = message.length > LARGE_MESSAGE_BYTES;
      const request = isLarge ? await this.#readLarge(message) : readRequest(message, this.#context.limits.memoryBytes);
      const metadata = await traced(
        () => ({ name: `bolt ${kind.toUpperCase()}`, kind: 'server', attributes: { 'network.protocol.name': 'bolt' } }),
        () => this.#handle(request),
      );
      const hasOpenResults = this.#unit !== null && this.#unit.results.size > 0;
      this.#state = nextState(kind, this.#state, { version: this.#version, hasOpenResults });
      if (metadata === null) this.#output.ignored();
      else this.#output.success(new Map(metadata));
      return 'continue';
    } catch (error) {
      return this.#fail(error);
    }
  }

  /** Reads a large message. The time of its statement begins here. */
  async #readLarge(message: Buffer): Promise<Request> {
    const { statementMs, memoryBytes } = this.#context.limits;
    const deadline = statementMs === 0 ? Number.POSITIVE_INFINITY : monotonicMs() + statementMs;
    this.#reading = new AbortController();
    try {
      const request = await readLargeRequest(message, memoryBytes, { deadline, signal: this.#reading.signal });
      this.#deadline = deadline;
      return request;
    } finally {
      this.#reading = null;
    }
  }

  #ignore(): 'continue' {
    this.#output.ignored();
    return 'continue';
  }

  async #fail(error: unknown): Promise<'continue' | 'close'> {
    const mode = this.#unit?.options.mode ?? 'write';
    const timeLimitOf = this.#unit === null ? 'server' : this.#timeLimitOf(this.#unit);
    const { id, logger } = this.#context;
    const isFatal = error instanceof MalformedMessage || error instanceof Expelled || !this.isAuthenticated;
    this.#state = 'failed';
    await this.#letGo();
    if (error instanceof Unanswered) return 'close';
    if (!(error instanceof BoltFailure) && !(error instanceof MalformedMessage)) {
      const known = fromForeignError(error);
      if (isFaultOfServer(known)) logger.error({ connection: id, error: known.cause ?? known }, 'a message failed');
    }
    this.#output.failure(failureOf(error, { reference: id, mode, timeLimitOf }));
    return isFatal ? 'close' : 'continue';
  }

  /** Handles a request. Returns the metadata of SUCCESS; null if the message is ignored. */
  async #handle(request: Request): Promise<Entry[] | null> {
    switch (request.kind) {
      case 'hello':
        return this.#hello(request);
      case 'logon':
        await this.#authenticate(request.auth);
        return [];
      case 'run':
        return this.#unit === null ? this.#runAlone(request) : this.#runInTransaction(this.#unit, request);
      case 'pull':
      case 'discard':
        return this.#portion(this.#unit!, request);
      case 'begin':
        return this.#begin(request.options);
      case 'commit':
        return this.#commit(this.#unit!);
      case 'rollback':
        await this.#letGo();
        return [];
      case 'reset':
        return this.#reset();
      case 'route':
        return this.#route(request);
      case 'logoff':
        this.#caller = null;
        return [];
      case 'telemetry':
      case 'goodbye':
        return [];
    }
  }

  async #hello(request: Request & { kind: 'hello' }): Promise<Entry[]> {
    if (!this.#version.logon) await this.#authenticate(request.auth);
    this.#notifications = request.notifications;
    const patches = this.#version.utc === 'on request' && request.patches.includes('utc') ? ['utc'] : [];
    if (patches.length > 0) this.#output.format = { ...this.#output.format, utc: true };
    this.#context.logger.debug({ connection: this.#context.id, userAgent: request.userAgent?.slice(0, 200) }, 'client');
    return [
      ['server', this.#context.agent],
      ['connection_id', this.#context.id],
      ['hints', new Map([['connection.recv_timeout_seconds', RECEIVE_TIMEOUT_SECONDS]])],
      ...(patches.length === 0 ? [] : [['patch_bolt', patches] satisfies Entry]),
    ];
  }

  async #authenticate(credentials: Credentials): Promise<void> {
    const { identify, guessDelays, remoteAddress } = this.#context;
    const caller = await identify(credentials);
    if (caller !== undefined) {
      this.#caller = caller;
      guessDelays?.right(remoteAddress);
      return;
    }
    this.#context.onRefused({ requestId: this.#context.id, address: remoteAddress });
    // A client that gives no credentials does not guess.
    if (credentials.credentials !== null && (await guessDelays?.wrong(remoteAddress)) === false) throw new Unanswered();
    throw new BoltFailure(
      ERROR_CODES.UNAUTHORIZED.neo4jCode,
      'this server needs a token: as the password of basic authentication with any user, or as a bearer token',
    );
  }

  async #runAlone({ query, params, options }: Request & { kind: 'run' }): Promise<Entry[]> {
    const unit = this.#open(options, { idleMs: this.#context.limits.idleReadMs, totalMs: 0 });
    const startMs = monotonicMs();
    return unit.lease.during(async () => {
      const { engine } = await this.#ready(unit);
      const stream = await engine.stream(query, params, this.#statementOptions(unit, options.timeoutMs));
      return this.#opened(unit, new OpenResult(stream), startMs);
    });
  }

  async #runInTransaction(unit: Unit, { query, params }: Request & { kind: 'run' }): Promise<Entry[]> {
    const startMs = monotonicMs();
    return unit.lease.during(async () => {
      const stream = await unit.transaction!.stream(query, params, this.#statementOptions(unit, 0));
      return [...this.#opened(unit, new OpenResult(stream), startMs), ['qid', unit.lastQid]];
    });
  }

  #statementOptions({ lease, options }: Unit, askedMs: number): StatementOptions {
    const leftMs = this.#deadline - monotonicMs();
    if (leftMs <= 0) throw outOfTime();
    const timeoutMs = leftMs === Number.POSITIVE_INFINITY || (askedMs > 0 && askedMs < leftMs) ? askedMs : leftMs;
    return { signal: lease.signal, timeoutMs, access: options.mode };
  }

  #opened(unit: Unit, result: OpenResult, startMs: number): Entry[] {
    unit.lastQid++;
    unit.results.set(unit.lastQid, { result, startMs });
    return [
      ['fields', [...result.columns]],
      ['t_first', elapsed(startMs)],
    ];
  }

  async #portion(unit: Unit, { kind, count, qid }: Request & { kind: 'pull' | 'discard' }): Promise<Entry[]> {
    return unit.lease
      .during(async (): Promise<Entry[]> => {
        const id = qid === -1 ? unit.lastQid : qid;
        const open = unit.results.get(id);
        if (open === undefined) throw new GraphDBError('BAD_REQUEST', `there is no open result ${id}`);
        const { result, startMs } = open;
        const wanted = count === -1 ? Number.POSITIVE_INFINITY : count;
        const hasMore = kind === 'pull' ? await result.send(wanted, this.#output, unit.lease.signal) : await result.skip(wanted);
        if (hasMore) return [['has_more', true]];
        unit.results.delete(id);
        const summary = summaryMetadata(result.summary(), {
          lastMs: elapsed(startMs),
          filter: this.#filter(unit.options),
          database: unit.namespace!.database,
        });
        if (unit.transaction !== null) return summary;
        this.#unit = null;
        return [...summary, ['bookmark', bookmarkOf(unit.namespace!.engine.status())]];
      })
      .finally(() => {
        if (this.#unit !== unit) end(unit);
      });
  }

  async #begin(options: UnitOptions): Promise<Entry[]> {
    const { idleReadMs, idleWriteMs } = this.#context.limits;
    const unit = this.#open(options, { idleMs: options.mode === 'write' ? idleWriteMs : idleReadMs, totalMs: options.timeoutMs });
    await unit.lease.during(async () => {
      const { mode, timeoutMs } = options;
      const { engine } = await this.#ready(unit);
      unit.transaction = await engine.begin({ mode, signal: unit.lease.signal, timeoutMs });
    });
    return [];
  }

  async #commit(unit: Unit): Promise<Entry[]> {
    await unit.lease.during(async () => {
      await closeAll(unit);
      await unit.transaction!.commit();
    });
    this.#unit = null;
    const bookmark = bookmarkOf(unit.namespace!.engine.status());
    end(unit);
    return [['bookmark', bookmark]];
  }

  async #reset(): Promise<Entry[] | null> {
    await this.#letGo();
    this.#interrupts--;
    return this.#interrupts > 0 ? null : [];
  }

  async #route({ address, bookmarks, database }: Request & { kind: 'route' }): Promise<Entry[]> {
    const held = await this.#context.namespaces().hold(wantedOf(database), this.#knownCaller(), this.#origin(null));
    try {
      const { namespace, role } = await held.engine.freshStatus();
      sequenceOf(bookmarks, namespace, { ignoresOthers: held.isOneOfMany });
      return [['rt', routingTable(address ?? this.#context.address, role, held.database)]];
    } finally {
      held.release();
    }
  }

  #open(options: UnitOptions, limits: LeaseLimits): Unit {
    const unit: Unit = {
      options,
      lease: new Lease(limits, () => rollback(unit).finally(() => unit.namespace?.release())),
      namespace: null,
      transaction: null,
      results: new Map(),
      lastQid: -1,
    };
    this.#unit = unit;
    return unit;
  }

  /** Holds the namespace of the unit, and waits until it shows the commits that the client's bookmarks name. */
  async #ready(unit: Unit): Promise<HeldNamespace> {
    const { database, bookmarks, impersonatedUser } = unit.options;
    if (impersonatedUser !== null) {
      throw new BoltFailure('Neo.ClientError.Security.Forbidden', 'a token is for its owner: nobody can be impersonated');
    }
    const held = await this.#context.namespaces().hold(wantedOf(database), this.#knownCaller(), this.#origin(unit));
    unit.namespace = held;
    const { engine, isOneOfMany } = held;
    const sequence = sequenceOf(bookmarks, engine.status().namespace, { ignoresOthers: isOneOfMany });
    if (sequence > 0) await engine.reach(sequence, { timeoutMs: this.#context.limits.bookmarkMs, signal: unit.lease.signal });
    return held;
  }

  /** Returns the origin of a unit: each transaction, or statement outside one, is a request of its own. */
  #origin(unit: Unit | null): Origin {
    const { id, remoteAddress } = this.#context;
    return {
      requestId: `${id}-${++this.#requests}`,
      address: remoteAddress,
      stop: (reason) => unit?.lease.terminate(reason),
      ...(unit !== null && { metadata: unit.options.metadata }),
    };
  }

  #knownCaller(): Caller {
    assert(this.#caller !== null, 'nothing is asked before it is known who asks');
    return this.#caller;
  }

  /**
   * Returns whose limit has ended a unit that ran out of time. For one statement, or the beginning of a transaction,
   * the shorter one of the two holds.
   */
  #timeLimitOf({ lease, transaction, options: { timeoutMs } }: Unit): 'client' | 'server' {
    if (lease.expired !== null) return lease.expired === 'total' ? 'client' : 'server';
    const { statementMs } = this.#context.limits;
    return transaction === null && timeoutMs > 0 && (statementMs === 0 || timeoutMs < statementMs) ? 'client' : 'server';
  }

  #filter({ notifications }: UnitOptions): NotificationFilter {
    return {
      minimumSeverity: notifications.minimumSeverity ?? this.#notifications.minimumSeverity,
      disabledCategories: notifications.disabledCategories ?? this.#notifications.disabledCategories,
    };
  }

  async #letGo(): Promise<void> {
    const unit = this.#unit;
    this.#unit = null;
    if (unit === null) return;
    await rollback(unit);
    end(unit);
  }
}

function wantedOf(database: string | null): Wanted {
  return database === null ? null : { database };
}

/** Ends the lease of a unit and releases its namespace. */
function end({ lease, namespace }: Unit): void {
  lease.end();
  namespace?.release();
}

async function closeAll({ results }: Unit): Promise<void> {
  for (const { result } of results.values()) await result.close().catch(() => undefined);
  results.clear();
}

/** Closes results and rolls back. Failures are ignored: a transaction that has ended already has nothing to roll back. */
async function rollback(unit: Unit): Promise<void> {
  await closeAll(unit);
  await unit.transaction?.rollback().catch(() => undefined);
}

function elapsed(startMs: number): number {
  return Math.round(monotonicMs() - startMs);
}
