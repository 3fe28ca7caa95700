/** The context of every endpoint: the namespaces behind the server, and the server's own settings. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Caller, GraphDBError, type Logger, type Span } from '../base/index.ts';
import type { HeldNamespace, Namespaces, Wanted } from '../namespaces/index.ts';
import type { OpenTransactions } from './open-transactions.ts';
import type { RunningRequests } from './running-requests.ts';
import type { SharedTurns } from './shared-turns.ts';
import type { RequestLimits } from './statement-request.ts';

/** `starting` until there are namespaces, `stopping` from the first word of a shutdown. */
export type Phase = 'starting' | 'serving' | 'stopping';

/** The context of every endpoint. */
export interface HttpContext {
  readonly version: string;
  readonly logger: Logger;
  readonly running: RunningRequests;
  readonly transactions: OpenTransactions;
  /** The turns for which answers wait that came together. */
  readonly turns: SharedTurns;
  readonly requestLimits: RequestLimits;
  /** How long a client may take nothing of an answer that waits for it. */
  readonly stallLimitMs: number;
  phase(): Phase;
  namespaces(): Namespaces | undefined;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Who sends it; of public endpoints, whoever may do nothing. */
    caller: Caller;
    /** The namespace that its path names; null: none. */
    namespace: string | null;
    /** null: nobody listens to spans. */
    span: Span | null;
  }
}

/** STORE_UNAVAILABLE, SHUTTING_DOWN: there are none to ask. */
export function requireNamespaces(context: HttpContext): Namespaces {
  const namespaces = context.namespaces();
  if (context.phase() === 'stopping') throw new GraphDBError('SHUTTING_DOWN', 'the server is shutting down');
  if (namespaces === undefined) throw new GraphDBError('STORE_UNAVAILABLE', 'the server is still opening its store');
  return namespaces;
}

/** The namespace that the request is about, held until its answer has left or the client has; or the reason why there is none to ask. */
export async function holdNamespace(context: HttpContext, request: FastifyRequest, reply: FastifyReply): Promise<HeldNamespace> {
  const stop = (reason: GraphDBError): void => context.running.abort(reply.raw, reason);
  const held = await requireNamespaces(context).hold(wantedBy(request), request.caller, {
    requestId: request.id,
    address: request.ip,
    stop,
  });
  if (reply.raw.closed) held.release();
  else reply.raw.once('close', () => held.release());
  return held;
}

/** Returns the namespace that a request names; null: none. */
export function wantedBy({ namespace }: FastifyRequest): Wanted {
  return namespace === null ? null : { namespace };
}
