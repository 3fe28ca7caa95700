/** The context of every endpoint: the namespaces behind the server, and the server's own settings. */
import type { ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Caller, GraphDBError, type Logger, type Span } from '../base/index.ts';
import type { HeldNamespace, Namespaces, Sender, Wanted } from '../namespaces/index.ts';
import type { OpenTransactions } from './open-transactions.ts';
import type { RunningRequests } from './running-requests.ts';
import type { SharedTurns } from './shared-turns.ts';
import type { RequestLimits } from './statement-request.ts';

/** The phase of the server: `starting` until there are namespaces, `stopping` from the beginning of a shutdown. */
export type Phase = 'starting' | 'serving' | 'stopping';

/** The context of every endpoint. */
export interface HttpContext {
  readonly version: string;
  readonly logger: Logger;
  readonly running: RunningRequests;
  readonly transactions: OpenTransactions;
  /** The turns in which answers to requests that came together leave together. */
  readonly turns: SharedTurns;
  readonly requestLimits: RequestLimits;
  /** Milliseconds for which a client may read nothing of an answer that waits for it, before it is disconnected. */
  readonly stallLimitMs: number;
  /** Milliseconds for which a client may leave a connection idle; answers tell it so. */
  readonly idleLimitMs: number;
  phase(): Phase;
  namespaces(): Namespaces | undefined;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller that sends the request; on a public endpoint one that is not identified. */
    caller: Caller;
    /** The namespace that the path of the request names; null if it names none. */
    namespace: string | null;
    /** The span of the request; null if nobody listens to spans. */
    span: Span | null;
  }
}

/** Returns the namespaces. @throws STORE_UNAVAILABLE while the server starts, SHUTTING_DOWN while it stops. */
export function requireNamespaces(context: HttpContext): Namespaces {
  const namespaces = context.namespaces();
  if (context.phase() === 'stopping') throw new GraphDBError('SHUTTING_DOWN', 'the server is shutting down');
  if (namespaces === undefined) throw new GraphDBError('STORE_UNAVAILABLE', 'the server is still opening its store');
  return namespaces;
}

/**
 * Holds the namespace that the request is about until its answer has left or the client has gone. Returns a promise only
 * if it must be opened first.
 *
 * @throws the errors of `requireNamespaces` and of `Namespaces.hold`.
 */
export function holdNamespace(context: HttpContext, request: FastifyRequest, reply: FastifyReply): HeldNamespace | Promise<HeldNamespace> {
  const { raw } = reply;
  const stop = (reason: GraphDBError): void => context.running.abort(raw, reason);
  const origin = { requestId: request.id, address: request.ip, stop };
  const held = requireNamespaces(context).hold(wantedBy(request), request.caller, origin);
  return held instanceof Promise ? held.then((opened) => releaseWith(raw, opened)) : releaseWith(raw, held);
}

function releaseWith(raw: ServerResponse, held: HeldNamespace): HeldNamespace {
  if (raw.closed) held.release();
  else raw.once('close', () => held.release());
  return held;
}

/** Returns the sender of a request. */
export function senderOf({ id: requestId, ip: address }: FastifyRequest): Sender {
  return { requestId, address };
}

/** Returns the namespace that a request names; null if it names none. */
export function wantedBy({ namespace }: FastifyRequest): Wanted {
  return namespace === null ? null : { namespace };
}
