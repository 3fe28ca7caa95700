/**
 * POST /v0/cypher/stream: runs one statement and sends its rows as they are found (see ndjson.ts). A failure before the
 * first row has a status of its own.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isFaultOfServer, monotonicMs, reasonOf } from '../../base/index.ts';
import { reachBookmarks } from '../bookmarks.ts';
import { type HttpContext, holdNamespace } from '../context.ts';
import { toGraphDBError } from '../errors.ts';
import { encodeNdjson } from '../ndjson.ts';
import { sendPieces } from '../send-pieces.ts';
import { readStatementRequest } from '../statement-request.ts';
import type { StatementPlace } from './cypher.ts';

/** Registers the endpoint of statements with streamed results. */
export function registerCypherStream(app: FastifyInstance, context: HttpContext): void {
  app.post('/v0/cypher/stream', async (request, reply) => {
    const held = await holdNamespace(context, request, reply);
    return answerStream(context, request, reply, async (signal) => {
      await reachBookmarks(held, request, signal);
      return { target: held.engine };
    });
  });
}

/** Runs the statement of a request in the place that `ready` returns, and sends its rows. */
export async function answerStream(
  context: HttpContext,
  request: FastifyRequest,
  reply: FastifyReply,
  ready: (signal: AbortSignal) => StatementPlace | Promise<StatementPlace>,
): Promise<FastifyReply> {
  await context.running.run({ raw: reply.raw, caller: request.caller }, async (ofRequest) => {
    const { query, params, form, timeoutMs } = await readStatementRequest(request, context.requestLimits, ofRequest);
    const startMs = monotonicMs();
    const { target, signal: ofPlace } = await ready(ofRequest);
    const signal = ofPlace === undefined ? ofRequest : AbortSignal.any([ofRequest, ofPlace]);
    const fail = (thrown: unknown) => {
      const error = toGraphDBError(reasonOf(thrown, signal));
      if (!isFaultOfServer(error)) return { error };
      context.logger.error({ requestId: request.id, error: error.cause ?? error }, 'a statement failed while its rows were sent');
      return { error, requestId: request.id };
    };
    const pieces = encodeNdjson(await target.stream(query, params, { signal, timeoutMs }), { startMs, form, fail });
    await sendPieces(context, reply, { contentType: 'application/x-ndjson', pieces, signal });
  });
  return reply;
}
