/** POST /v0/admin/flush: writes the memtable to SSTs now. The body of the request is ignored. */
import type { FastifyInstance } from 'fastify';
import { type HttpContext, holdNamespace } from '../context.ts';

/** Registers the endpoint that flushes. */
export function registerFlush(app: FastifyInstance, context: HttpContext): void {
  app.post('/v0/admin/flush', async (request, reply) => {
    const outcome = await (await holdNamespace(context, request, reply)).engine.flush();
    const answer = { ssts_written: outcome.sstsWritten, manifest_version: outcome.manifestVersion };
    return reply.header('content-type', 'application/json').send(Buffer.from(JSON.stringify(answer)));
  });
}
