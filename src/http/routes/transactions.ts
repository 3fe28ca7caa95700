/**
 * Transactions of several statements, each of which is a request:
 *
 *   POST   /v0/transactions                      {"mode":"read"|"write"}? → 200 {"id":…,"mode":…}
 *   POST   /v0/transactions/<id>/cypher          as /v0/cypher
 *   POST   /v0/transactions/<id>/cypher/stream   as /v0/cypher/stream
 *   POST   /v0/transactions/<id>/commit          200 {"id":…,"status":"committed"}
 *   DELETE /v0/transactions/<id>                 200 {"id":…,"status":"rolled back"}
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { GraphDBError } from '../../base/index.ts';
import { parseJson } from '../../value/index.ts';
import { reachBookmarks, sendBookmark } from '../bookmarks.ts';
import { type HttpContext, requireNamespaces, wantedBy } from '../context.ts';
import type { OpenTransaction } from '../open-transactions.ts';
import { answerStatement } from './cypher.ts';
import { answerStream } from './cypher-stream.ts';

/** The most bytes of the body that begins a transaction, which is read in one piece. */
const MAX_BEGIN_BYTES = 4_096;

interface WithId {
  Params: { id: string };
}

/** Registers the endpoints of transactions. */
export function registerTransactions(app: FastifyInstance, context: HttpContext): void {
  const { transactions, requestLimits } = context;
  const find = (request: FastifyRequest<WithId>): OpenTransaction => transactions.find(request.params.id, request);
  const send = (reply: FastifyReply, answer: unknown) =>
    reply.header('content-type', 'application/json').send(Buffer.from(JSON.stringify(answer)));
  const bodyLimit = Math.min(app.initialConfig.bodyLimit ?? MAX_BEGIN_BYTES, MAX_BEGIN_BYTES);
  app.post('/v0/transactions', { bodyLimit }, async (request, reply) => {
    const mode = modeOf(request.body);
    const opened = await context.running.run({ raw: reply.raw, caller: request.caller }, async (signal) => {
      const { caller, namespace, id: requestId, ip: address } = request;
      const begun = await transactions.begin({
        caller,
        namespace,
        mode,
        signal,
        timeoutMs: requestLimits.timeoutMs,
        hold: async (stop, orTerminated) => {
          const held = await requireNamespaces(context).hold(wantedBy(request), caller, { requestId, address, stop });
          try {
            await reachBookmarks(held, request, orTerminated);
          } catch (error) {
            held.release();
            throw error;
          }
          return held;
        },
      });
      // The client has gone, and nobody else knows its transaction.
      if (signal.aborted) await transactions.rollback(begun);
      return begun;
    });
    return send(reply, { id: opened.id, mode });
  });
  app.post<WithId>('/v0/transactions/:id/cypher', async (request, reply) => {
    const { lease, transaction } = find(request);
    return lease.during(() => answerStatement(context, request, reply, () => ({ target: transaction, signal: lease.signal })));
  });
  app.post<WithId>('/v0/transactions/:id/cypher/stream', async (request, reply) => {
    const { lease, transaction } = find(request);
    return lease.during(() => answerStream(context, request, reply, () => ({ target: transaction, signal: lease.signal })));
  });
  app.post<WithId>('/v0/transactions/:id/commit', async (request, reply) => {
    const opened = find(request);
    const { engine } = opened.held;
    await transactions.commit(opened);
    sendBookmark(engine, reply);
    return send(reply, { id: opened.id, status: 'committed' });
  });
  app.delete<WithId>('/v0/transactions/:id', async (request, reply) => {
    const opened = find(request);
    await transactions.rollback(opened);
    return send(reply, { id: opened.id, status: 'rolled back' });
  });
}

function modeOf(body: unknown): 'read' | 'write' {
  if (!(body instanceof Uint8Array) || body.length === 0) return 'write';
  const members = parseJson(new TextDecoder().decode(body));
  const mode = members instanceof Map ? (members.get('mode') ?? 'write') : null;
  if (mode === 'read' || mode === 'write') return mode;
  throw new GraphDBError('BAD_REQUEST', 'the body must be a JSON object, its "mode" "read" or "write"');
}
