/** What every endpoint gets: the engine behind the server, and what the server was told about itself. */
import type { FastifyRequest } from 'fastify';
import { GraphDBError, type Logger, type Role } from '../base/index.ts';
import { type Engine, readingEngine } from '../engine/index.ts';
import type { RunningRequests } from './running-requests.ts';
import type { RequestLimits } from './statement-request.ts';

/** `starting` until an engine is there, `stopping` from the first word of a shutdown. */
export type Phase = 'starting' | 'serving' | 'stopping';

export interface HttpContext {
  readonly version: string;
  readonly logger: Logger;
  readonly running: RunningRequests;
  readonly requestLimits: RequestLimits;
  /** How long a client may take nothing of an answer that waits for it. */
  readonly stallLimitMs: number;
  phase(): Phase;
  engine(): Engine | undefined;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** What the token of the request may do. */
    role: Role;
  }
}

/** The engine as the request may use it, or the reason why there is none to ask. */
export function requireEngine(context: HttpContext, { role }: FastifyRequest): Engine {
  const engine = context.engine();
  if (context.phase() === 'stopping') throw new GraphDBError('SHUTTING_DOWN', 'the server is shutting down');
  if (engine === undefined) throw new GraphDBError('STORE_UNAVAILABLE', 'the server is still opening its store');
  return role === 'read' ? readingEngine(engine) : engine;
}
