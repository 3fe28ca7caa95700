/**
 * POST /v0/cypher: runs one statement and answers with its whole result. A long answer is sent in pieces as the client
 * reads it, without its length, so that its text is never held as a whole.
 */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { EngineTransaction } from '../../engine/index.ts';
import { encodeResult } from '../../result/index.ts';
import { sendText } from '../begin-answer.ts';
import { reachBookmarks, sendBookmark } from '../bookmarks.ts';
import { type HttpContext, holdNamespace } from '../context.ts';
import { sendPieces } from '../send-pieces.ts';
import { readStatementRequest } from '../statement-request.ts';

const CONTENT_TYPE = 'application/json';

/** Registers the endpoint of statements. */
export function registerCypher(app: FastifyInstance, context: HttpContext): void {
  app.post('/v0/cypher', async (request, reply) => {
    const asked = holdNamespace(context, request, reply);
    const held = asked instanceof Promise ? await asked : asked;
    const { engine } = held;
    const place: StatementPlace = { target: engine, onWritten: () => sendBookmark(engine, reply) };
    return answerStatement(context, request, reply, (signal) => reachBookmarks(held, request, signal)?.then(() => place) ?? place);
  });
}

/** The place where the statement of a request runs: by itself, or in a transaction. */
export interface StatementPlace {
  readonly target: Pick<EngineTransaction, 'execute' | 'stream'>;
  /** Stops the statement, beside the signal of the request. */
  readonly signal?: AbortSignal;
  /** Called when a statement that could write has run. */
  readonly onWritten?: () => void;
}

/**
 * Runs the statement of a request in the place that `ready` returns, and sends its result. Promises are waited for only
 * where there are any: each wait takes its time of every request.
 */
export async function answerStatement(
  context: HttpContext,
  request: FastifyRequest,
  reply: FastifyReply,
  ready: (signal: AbortSignal) => StatementPlace | Promise<StatementPlace>,
): Promise<FastifyReply> {
  await context.running.run({ raw: reply.raw, caller: request.caller }, async (ofRequest) => {
    const asked = readStatementRequest(request, context.requestLimits, ofRequest);
    const { query, params, form, timeoutMs } = asked instanceof Promise ? await asked : asked;
    const place = ready(ofRequest);
    const { target, signal: ofPlace, onWritten } = place instanceof Promise ? await place : place;
    const signal = ofPlace === undefined ? ofRequest : AbortSignal.any([ofRequest, ofPlace]);
    const result = await target.execute(query, params, { signal, timeoutMs });
    if (result.type !== 'read') onWritten?.();
    await sendResult(context, reply, encodeResult(result, form), signal);
  });
  return reply;
}

/** Sends a short answer at once, and a long one in pieces as the client reads it. */
async function sendResult(context: HttpContext, reply: FastifyReply, encoded: Iterable<string>, signal: AbortSignal): Promise<void> {
  const pieces = encoded[Symbol.iterator]();
  const first = pieces.next();
  const turn = context.turns.next();
  if (turn !== null) await turn;
  const second = pieces.next();
  if (second.done === true) return sendText(context, reply, { contentType: CONTENT_TYPE, text: first.value ?? '' });
  await sendPieces(context, reply, { contentType: CONTENT_TYPE, pieces: asBytes([first.value, second.value], pieces), signal });
}

async function* asBytes(begun: readonly string[], rest: Iterator<string>): AsyncGenerator<Buffer, void, void> {
  for (const text of begun) yield Buffer.from(text);
  for (let step = rest.next(); step.done !== true; step = rest.next()) yield Buffer.from(step.value);
}
