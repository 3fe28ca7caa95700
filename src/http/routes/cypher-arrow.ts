/**
 * POST /v0/cypher/arrow: runs one statement and sends its rows as an Arrow IPC stream (result/arrow). A failure before
 * the first rows are sent has a status of its own; a later one leaves the answer incomplete.
 */
import type { FastifyInstance } from 'fastify';
import { encodeArrowStream } from '../../result/index.ts';
import { reachBookmarks } from '../bookmarks.ts';
import { type HttpContext, holdNamespace } from '../context.ts';
import { sendPieces } from '../send-pieces.ts';
import { readStatementRequest } from '../statement-request.ts';

/** Registers the endpoint of statements with Arrow results. */
export function registerCypherArrow(app: FastifyInstance, context: HttpContext): void {
  app.post('/v0/cypher/arrow', async (request, reply) => {
    const held = await holdNamespace(context, request, reply);
    const { engine } = held;
    await context.running.run({ raw: reply.raw, caller: request.caller }, async (signal) => {
      const { query, params, timeoutMs } = await readStatementRequest(request, context.requestLimits, signal);
      await reachBookmarks(held, request, signal);
      const pieces = encodeArrowStream(await engine.stream(query, params, { signal, timeoutMs }));
      await sendPieces(context, reply, { contentType: 'application/vnd.apache.arrow.stream', pieces, signal });
    });
    return reply;
  });
}
