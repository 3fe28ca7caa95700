/** POST /v0/cypher: one statement, answered whole. */

import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { nextTurn } from '../../base/index.ts';
import { encodeResult } from '../../result/index.ts';
import { reachBookmarks, sendBookmark } from '../bookmarks.ts';
import { type HttpContext, requireEngine } from '../context.ts';
import { readStatementRequest } from '../statement-request.ts';

export function registerCypher(app: FastifyInstance, context: HttpContext): void {
  app.post('/v0/cypher', async (request, reply) => {
    const engine = requireEngine(context, request);
    const { result, form } = await context.running.run(reply.raw, async (signal) => {
      const { query, params, form, timeoutMs } = await readStatementRequest(request.body, context.requestLimits, signal);
      await reachBookmarks(engine, request, signal);
      return { result: await engine.execute(query, params, { signal, timeoutMs }), form };
    });
    if (result.type !== 'read') sendBookmark(engine, reply);
    const pieces: Buffer[] = [];
    for (const piece of encodeResult(result, form)) {
      if (pieces.push(piece) > 1) await nextTurn();
    }
    reply.header('content-type', 'application/json');
    if (pieces.length === 1) return reply.send(pieces[0]);
    reply.header(
      'content-length',
      pieces.reduce((length, piece) => length + piece.byteLength, 0),
    );
    return reply.send(Readable.from(pieces, { objectMode: false }));
  });
}
