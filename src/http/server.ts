/**
 * The HTTP server: composes Fastify, the endpoints and what holds for all of them. For each request, in this order:
 *
 *   1. an unknown path is 404, a known one with another method 405 (OPTIONS is answered with what is allowed);
 *   2. the bearer token, on every endpoint that does not say it is public;
 *   3. the body: its type, its size; its content only in the endpoint;
 *   4. the endpoint; a statement runs under a signal that the client's going away aborts.
 *
 * The server may listen before there is an engine: a port that is taken must be known before opening a store fences another writer.
 * Until `serve` it answers 503.
 */
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { finished } from 'node:stream/promises';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest, InjectOptions, LightMyRequestResponse } from 'fastify';
import {
  abortAfter,
  type Caller,
  GraphDBError,
  type GuessDelays,
  type Identify,
  isFaultOfServer,
  type Logger,
  openToAll,
  repeatEvery,
  scheduleByTimer,
  startTimer,
  systemTimeMs,
} from '../base/index.ts';
import type { Transactions } from '../engine/index.ts';
import type { Namespaces } from '../namespaces/index.ts';
import { callerOfHeader } from './authentication.ts';
import { headersOfAnswer, REQUEST_ID_HEADER } from './begin-answer.ts';
import type { HttpContext, Phase } from './context.ts';
import { errorAnswer, toGraphDBError } from './errors.ts';
import { rejectMalformedRequest, rejectTunnel } from './malformed-request.ts';
import { namedIn, takeName } from './named-paths.ts';
import { followAnswers, pathOf, traceRequests } from './observed-requests.ts';
import { OpenTransactions } from './open-transactions.ts';
import { boundPipelining } from './request-gate.ts';
import { registerChanges } from './routes/changes.ts';
import { registerCompact } from './routes/compact.ts';
import { registerConsole } from './routes/console.ts';
import { registerCypher } from './routes/cypher.ts';
import { registerCypherArrow } from './routes/cypher-arrow.ts';
import { registerCypherStream } from './routes/cypher-stream.ts';
import { registerFlush } from './routes/flush.ts';
import { registerHealth } from './routes/health.ts';
import { registerMcp } from './routes/mcp.ts';
import { type MetricsTexts, registerMetrics } from './routes/metrics.ts';
import { registerOpenApi } from './routes/openapi.ts';
import { registerProbes } from './routes/probes.ts';
import { registerSignIn, type SignIn } from './routes/sign-in.ts';
import { registerStatements } from './routes/statements.ts';
import { registerTransactions } from './routes/transactions.ts';
import { registerVersion } from './routes/version.ts';
import { createRunningRequests } from './running-requests.ts';
import { SharedTurns } from './shared-turns.ts';
import type { RequestLimits } from './statement-request.ts';

/** Milliseconds for a client to send one whole request, and to send its headers. */
const REQUEST_TIMEOUT_MS = 300_000;
const HEADERS_TIMEOUT_MS = 20_000;
/** The most connections at a time; more are closed as they come. */
const MAX_CONNECTIONS = 10_000;
const STALL_LIMIT_MS = 60_000;
/** An idle connection is kept longer than one that is stalled: balancers end theirs after 60 s, and must do so first. */
const IDLE_FOR_STALLED = 1.2;
/** Milliseconds between checks whether the callers that wait for answers are still admitted. */
const VALIDITY_MS = 5_000;
/** Milliseconds between checks for requests that take too long to come. */
const CHECK_INTERVAL_MS = 5_000;
/** Milliseconds for which the body of a refused request may come in before its answer. */
const REFUSED_BODY_MS = 30_000;

const GIVEN_REQUEST_ID = /^[\w.:+/=@-]{1,128}$/;

const NO_LIMITS: RequestLimits = { timeoutMs: 0, memoryBytes: Number.POSITIVE_INFINITY };

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Who may call the endpoint; absent: `bearer`. */
    access?: 'public' | 'public unless named' | 'bearer';
    /** True for a public endpoint that answers some callers more than others. */
    asksCaller?: boolean;
  }
}

/** The options of the HTTP server. */
export interface HttpServerOptions {
  readonly version: string;
  readonly logger: Logger;
  readonly maxRequestBytes: number;
  /** The limits of a statement as they apply to the reading of its request; absent: none. */
  readonly requestLimits?: RequestLimits;
  /** Identifies callers; absent: every request is served. */
  readonly identify?: Identify;
  /** Delays answers to wrong tokens; absent: none is delayed. */
  readonly guessDelays?: GuessDelays | undefined;
  /** Called for each request that is refused for lack of a valid token. */
  readonly onRefused?: (refused: { readonly requestId: string; readonly address: string }) => void;
  /** Called with the status of each answer. */
  readonly onAnswered?: (status: number) => void;
  /** Prometheus text for the endpoints of metrics; absent: there are no such endpoints. */
  readonly metrics?: MetricsTexts;
  /** The transactions that clients have open, for the endpoints of statements; absent: there are no such endpoints. */
  readonly transactions?: Transactions;
  /** Where users of the console sign in; absent or null: they need a token. */
  readonly signIn?: SignIn | null;
  /** True if agents have a tool that changes the graph, within their rights; absent: false. */
  readonly agentsMayWrite?: boolean;
  /** Milliseconds for which a client may take nothing of an answer that waits for it; absent: 60,000. */
  readonly stallLimitMs?: number;
  /** The certificate and its key as PEM; if given, the server serves https instead of http. */
  readonly tls?: { readonly cert: Buffer; readonly key: Buffer } | undefined;
}

/** The HTTP server. */
export interface HttpServer {
  /** Begins to listen; resolves with the base URL, which has the actual port. */
  listen(address: { host: string; port: number }): Promise<string>;
  /** Serves requests on these namespaces from now on. The server does not own them. */
  serve(namespaces: Namespaces): void;
  /**
   * Stops accepting; running requests have `graceMs` milliseconds to end, then fail with SHUTTING_DOWN. Resolves when
   * all connections are closed.
   */
  stop(options: { graceMs: number }): Promise<void>;
  /** The paths that have an endpoint, sorted. */
  paths(): string[];
  /** Handles a request without a network, for tests. */
  inject(request: InjectOptions): Promise<LightMyRequestResponse>;
}

/** Creates the HTTP server, which does not listen yet. */
export async function createHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const logger = options.logger.module('http');
  const running = createRunningRequests();
  const transactions = new OpenTransactions();
  let phase: Phase = 'starting';
  let namespaces: Namespaces | undefined;
  const stallLimitMs = options.stallLimitMs ?? STALL_LIMIT_MS;
  const context: HttpContext = {
    version: options.version,
    logger,
    running,
    transactions,
    turns: new SharedTurns(),
    requestLimits: options.requestLimits ?? NO_LIMITS,
    stallLimitMs,
    idleLimitMs: stallLimitMs * IDLE_FOR_STALLED,
    phase: () => phase,
    namespaces: () => namespaces,
  };
  const { app, methods } = await createApplication(options, context);
  const stopLooking = repeatEvery(VALIDITY_MS, () => {
    running.abortInvalid();
    transactions.endInvalid();
  });

  return {
    async listen(address) {
      await app.listen(address);
      return urlOf(app.server.address() as AddressInfo, options.tls !== undefined);
    },
    serve(opened) {
      namespaces = opened;
      if (phase === 'starting') phase = 'serving';
    },
    async stop({ graceMs }) {
      phase = 'stopping';
      stopLooking();
      const closed = app.close();
      const cancelAbort = startTimer(graceMs, () => {
        running.abortAll(new GraphDBError('SHUTTING_DOWN', 'the server is shutting down'));
        scheduleByTimer(1_000, () => app.server.closeAllConnections());
      });
      await closed;
      cancelAbort();
      await transactions.endAll(new GraphDBError('SHUTTING_DOWN', 'the server is shutting down'));
    },
    paths: () => [...methods.keys()].sort(),
    inject: (request) => app.inject(request),
  };
}

function noCompiler(): never {
  throw new GraphDBError('INTERNAL', 'internal error: a route of the server has a schema of Fastify');
}

async function createApplication(options: HttpServerOptions, context: HttpContext) {
  // Loaded here and not at the top: the command line imports this layer for its JSON, and must start fast.
  const { default: fastify } = await import('fastify');
  const settings = {
    bodyLimit: options.maxRequestBytes,
    requestTimeout: REQUEST_TIMEOUT_MS,
    // A request without Host is refused below, where the answer has the usual shape.
    http: { headersTimeout: HEADERS_TIMEOUT_MS, requireHostHeader: false, connectionsCheckingInterval: CHECK_INTERVAL_MS },
    // The gate ends idle connections.
    keepAliveTimeout: 0,
    forceCloseConnections: 'idle' as const,
    return503OnClosing: false,
    rewriteUrl: takeName,
    genReqId: createRequestIds(),
    clientErrorHandler: rejectMalformedRequest,
    // No route has a schema of Fastify's, and its compilers take a tenth of the time that the server needs to start.
    schemaController: { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } },
    frameworkErrors: (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => answerError(context, error, request, reply),
  };
  // The type of an https instance differs in its raw requests, of which nothing here uses more than http has.
  const app = (
    options.tls === undefined ? fastify(settings) : fastify({ ...settings, https: { ...options.tls, ...settings.http } })
  ) as FastifyInstance;
  app.server.maxConnections = MAX_CONNECTIONS;
  app.server.on('connect', rejectTunnel);
  const { stallLimitMs, idleLimitMs } = context;
  boundPipelining(app.server, { isTls: options.tls !== undefined, stallLimitMs, idleLimitMs });
  // An expectation that nobody knows may be ignored; Node would answer 417 without a body.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  followAnswers(app, context, options.onAnswered);
  traceRequests(app);
  acceptJsonBodies(app);
  const methods = collectMethods(app);
  admitRequests(app, methods, options);
  app.setErrorHandler((error, request, reply) => answerError(context, error, request, reply));
  app.addHook('onSend', (request, reply, payload, done) => {
    reply.headers(headersOfAnswer(context, request, reply.raw));
    done(null, payload);
  });
  registerHealth(app, context);
  registerProbes(app, context);
  registerVersion(app, context);
  registerConsole(app);
  registerSignIn(app, options.signIn ?? null);
  registerOpenApi(app, context);
  if (options.metrics !== undefined) registerMetrics(app, context, options.metrics);
  if (options.transactions !== undefined) registerStatements(app, context, options.transactions);
  registerCypher(app, context);
  registerCypherStream(app, context);
  registerCypherArrow(app, context);
  registerChanges(app, context);
  registerTransactions(app, context);
  registerMcp(app, context, { mayWrite: options.agentsMayWrite ?? false });
  registerFlush(app, context);
  registerCompact(app, context);
  await app.ready();
  return { app, methods };
}

/** Bodies stay bytes: the endpoint parses them exactly. An empty body of any type is no body. */
function acceptJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const encoding = request.headers['content-encoding'] ?? 'identity';
    if (encoding === 'identity') done(null, body);
    else done(new GraphDBError('UNSUPPORTED_MEDIA_TYPE', `a body with Content-Encoding: ${encoding} is not accepted`));
  });
}

type MethodsByPath = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * Returns the fault of a request whatever its body (no host, an unknown path, another method), or null. OPTIONS on the
 * path of an endpoint is no fault.
 */
function faultOf(request: FastifyRequest, reply: FastifyReply, methods: MethodsByPath): GraphDBError | null {
  const { raw, headers } = request;
  if (raw.httpVersion === '1.1' && headers.host === undefined) return new GraphDBError('BAD_REQUEST', 'the request has no Host header');
  if (!request.is404) return null;
  const path = pathOf(request);
  const known = methods.get(request.url.split('?', 1)[0] ?? '');
  if (known === undefined) return new GraphDBError('NOT_FOUND', `there is nothing at ${path}`);
  const allowed = [...known].sort().join(', ');
  reply.header('allow', allowed);
  if (request.method === 'OPTIONS') return null;
  return new GraphDBError('METHOD_NOT_ALLOWED', `${path} answers ${allowed}, not ${request.method}`);
}

/** The caller of public endpoints that is not identified; they answer everyone alike. It may see the state of the default namespace. */
const STRANGER: Caller = { name: 'stranger', id: '', role: 'reader', namespaces: '*', isValid: () => true };

/** Checks all that is asked of a request before its body, in one hook: each hook takes its time of every request. */
function admitRequests(
  app: FastifyInstance,
  methods: MethodsByPath,
  { identify = openToAll, guessDelays, onRefused }: HttpServerOptions,
): void {
  app.decorateRequest('caller');
  app.decorateRequest('namespace', null);
  const enter = (request: FastifyRequest, caller: Caller): void => {
    request.caller = caller;
    guessDelays?.right(request.ip);
  };
  const refuse = async (request: FastifyRequest): Promise<void> => {
    // A request without a token is no guess.
    if (request.headers.authorization !== undefined && (await guessDelays?.wrong(request.ip)) === false) request.raw.socket.destroy();
    if (isPublic(request)) return;
    onRefused?.({ requestId: request.id, address: request.ip });
    const message =
      request.headers.authorization === undefined
        ? 'this endpoint needs "Authorization: Bearer <token>" with a token of this server'
        : 'the token is none of this server, or has expired; "Authorization: Bearer <token>" is the form';
    throw new GraphDBError('UNAUTHORIZED', message);
  };
  // By callback and not by promise, since most callers are known at once.
  app.addHook('onRequest', (request, reply, done) => {
    request.caller = STRANGER;
    if (request.headers['content-length'] === '0') delete request.headers['content-type'];
    const fault = faultOf(request, reply, methods);
    if (fault !== null) return done(fault);
    if (request.is404) return reply.code(204).send();
    request.namespace = namedIn(request.raw);
    if (isPublic(request) && request.routeOptions.config.asksCaller !== true) return done();
    const asked = callerOfHeader(identify, request.headers.authorization);
    if (asked !== undefined && !(asked instanceof Promise)) {
      enter(request, asked);
      return done();
    }
    Promise.resolve(asked)
      .then((caller) => (caller === undefined ? refuse(request) : enter(request, caller)))
      .then(() => done(), done);
  });
}

/** Collects the methods of each path; the map fills as endpoints are added. */
function collectMethods(app: FastifyInstance): MethodsByPath {
  const methods = new Map<string, Set<string>>();
  app.addHook('onRoute', (route) => {
    const known = methods.get(route.url) ?? new Set(['OPTIONS']);
    for (const method of [route.method].flat()) known.add(method);
    methods.set(route.url, known);
  });
  return methods;
}

function answerError(context: HttpContext, thrown: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const error = toGraphDBError(thrown);
  const isOurs = isFaultOfServer(error);
  if (isOurs) context.logger.error({ requestId: request.id, error: error.cause ?? error }, `${request.method} ${pathOf(request)} failed`);
  const answer = errorAnswer(error, isOurs ? request.id : undefined);
  // Fastify closes the connection when a body is refused.
  reply.removeHeader('connection').code(answer.status).headers(answer.headers);
  whenBodyIsIn(request, reply, () => reply.send(answer.body));
}

/**
 * Answers once the body of a refused request is in: a client that is still sending when the connection closes sees no
 * answer. The body is discarded: after the answer if the connection stays, otherwise before it.
 */
function whenBodyIsIn({ raw }: FastifyRequest, reply: FastifyReply, answer: () => void): void {
  if (raw.complete || reply.raw.shouldKeepAlive) return answer();
  const ended = finished(raw, { signal: abortAfter(REFUSED_BODY_MS) });
  raw.resume();
  ended.catch(() => {}).then(answer);
}

function isPublic({ routeOptions: { config }, namespace }: FastifyRequest): boolean {
  return config.access === 'public' || (config.access === 'public unless named' && namespace === null);
}

/** Returns a function that gives requests their ids: the one of the client or a proxy if a log may hold it, else a new one. */
function createRequestIds(): (request: IncomingMessage) => string {
  const start = systemTimeMs().toString(36);
  let count = 0;
  return ({ headers }) => {
    const given = headers[REQUEST_ID_HEADER];
    return typeof given === 'string' && GIVEN_REQUEST_ID.test(given) ? given : `${start}-${(++count).toString(36)}`;
  };
}

function urlOf(address: AddressInfo, isTls: boolean): string {
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return `${isTls ? 'https' : 'http'}://${host}:${address.port}`;
}
