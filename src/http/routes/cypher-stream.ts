/** POST /v0/cypher/stream: one statement, its rows sent as they are found (see ndjson.ts). What fails before the first row has a status of its own. */
import type { FastifyInstance } from 'fastify';
import { isFaultOfServer, monotonicMs, reasonOf } from '../../base/index.ts';
import { reachBookmarks } from '../bookmarks.ts';
import { type HttpContext, holdNamespace } from '../context.ts';
import { toGraphDBError } from '../errors.ts';
import { encodeNdjson } from '../ndjson.ts';
import { sendPieces } from '../send-pieces.ts';
import { readStatementRequest } from '../statement-request.ts';

export function registerCypherStream(app: FastifyInstance, context: HttpContext): void {
  app.post('/v0/cypher/stream', async (request, reply) => {
    const held = await holdNamespace(context, request, reply);
    const { engine } = held;
    await context.running.run({ raw: reply.raw, caller: request.caller }, async (signal) => {
      const { query, params, form, timeoutMs } = await readStatementRequest(request, context.requestLimits, signal);
      const startMs = monotonicMs();
      await reachBookmarks(held, request, signal);
      const fail = (thrown: unknown) => {
        const error = toGraphDBError(reasonOf(thrown, signal));
        if (!isFaultOfServer(error)) return { error };
        context.logger.error({ requestId: request.id, error: error.cause ?? error }, 'a statement failed while its rows were sent');
        return { error, requestId: request.id };
      };
      const pieces = encodeNdjson(await engine.stream(query, params, { signal, timeoutMs }), { startMs, form, fail });
      await sendPieces(context, reply, { contentType: 'application/x-ndjson', pieces, signal });
    });
    return reply;
  });
}
