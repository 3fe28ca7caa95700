/**
 * The probes of orchestrators, public. GET /v0/live answers 200 while the process answers at all; one that does not
 * should be started anew. GET /v0/ready answers 200 if requests can be served, else 503: the process is starting,
 * stopping, or cannot reach its store, and should be left alone.
 */
import type { FastifyInstance } from 'fastify';
import type { HttpContext } from '../context.ts';
import { statusOf } from './health.ts';

/** Registers the probes of orchestrators. */
export function registerProbes(app: FastifyInstance, context: HttpContext): void {
  const alive = Buffer.from('{"status":"alive"}');
  app.get('/v0/live', { config: { access: 'public' } }, (_request, reply) => {
    reply.header('content-type', 'application/json').send(alive);
  });
  app.get('/v0/ready', { config: { access: 'public unless named' } }, async (request, reply) => {
    const { status } = await statusOf(context, request);
    const isReady = status === 'ok';
    if (!isReady) reply.code(503).header('retry-after', '1');
    return reply.header('content-type', 'application/json').send(Buffer.from(JSON.stringify({ status: isReady ? 'ready' : status })));
  });
}
