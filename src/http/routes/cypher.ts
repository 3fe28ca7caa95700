/** POST /v0/cypher: one statement, answered whole. A long answer is sent as it is written, without its length, as the client takes it: its text is never held. */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { nextTurn } from '../../base/index.ts';
import type { EngineTransaction } from '../../engine/index.ts';
import { encodeResult } from '../../result/index.ts';
import { reachBookmarks, sendBookmark } from '../bookmarks.ts';
import { type HttpContext, holdNamespace } from '../context.ts';
import { sendPieces } from '../send-pieces.ts';
import { readStatementRequest } from '../statement-request.ts';

const CONTENT_TYPE = 'application/json';
/** Longer answers are sent in pieces. */
const LONGEST_WHOLE_BYTES = 256 * 1024;

export function registerCypher(app: FastifyInstance, context: HttpContext): void {
  app.post('/v0/cypher', async (request, reply) => {
    const held = await holdNamespace(context, request, reply);
    const { engine } = held;
    return answerStatement(context, request, reply, async (signal) => {
      await reachBookmarks(held, request, signal);
      return { target: engine, onWritten: () => sendBookmark(engine, reply) };
    });
  });
}

/** Where the statement of a request runs: by itself, or in a transaction. */
export interface StatementPlace {
  readonly target: Pick<EngineTransaction, 'execute' | 'stream'>;
  /** Stops it, beside the signal of the request. */
  readonly signal?: AbortSignal;
  /** It could write, and has run. */
  readonly onWritten?: () => void;
}

/** Runs the statement of a request where `ready` says, and sends its result. */
export async function answerStatement(
  context: HttpContext,
  request: FastifyRequest,
  reply: FastifyReply,
  ready: (signal: AbortSignal) => StatementPlace | Promise<StatementPlace>,
): Promise<FastifyReply> {
  const whole = await context.running.run({ raw: reply.raw, caller: request.caller }, async (ofRequest) => {
    const { query, params, form, timeoutMs } = await readStatementRequest(request, context.requestLimits, ofRequest);
    const { target, signal: ofPlace, onWritten } = await ready(ofRequest);
    const signal = ofPlace === undefined ? ofRequest : AbortSignal.any([ofRequest, ofPlace]);
    const result = await target.execute(query, params, { signal, timeoutMs });
    if (result.type !== 'read') onWritten?.();
    return sendIfLong(context, reply, encodeResult(result, form), signal);
  });
  return whole === null ? reply : reply.header('content-type', CONTENT_TYPE).send(whole);
}

/** Returns an answer that is short; null: it was long, and has been sent. */
async function sendIfLong(
  context: HttpContext,
  reply: FastifyReply,
  encoded: Iterable<Buffer>,
  signal: AbortSignal,
): Promise<Buffer | null> {
  const pieces = encoded[Symbol.iterator]();
  const begun: Buffer[] = [];
  let bytes = 0;
  for (let step = pieces.next(); ; step = pieces.next()) {
    if (step.done === true) return begun.length === 1 ? begun[0]! : Buffer.concat(begun);
    begun.push(step.value);
    bytes += step.value.byteLength;
    if (bytes > LONGEST_WHOLE_BYTES) break;
    const turn = begun.length === 1 ? context.turns.next() : nextTurn();
    if (turn !== null) await turn;
  }
  await sendPieces(context, reply, { contentType: CONTENT_TYPE, pieces: resumed(begun, pieces), signal });
  return null;
}

async function* resumed(begun: readonly Buffer[], pieces: Iterator<Buffer>): AsyncGenerator<Buffer, void, void> {
  yield* begun;
  for (let step = pieces.next(); step.done !== true; step = pieces.next()) yield step.value;
}
