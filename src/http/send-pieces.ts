/**
 * Sends an answer of unknown length in pieces, as the client takes them: a client that reads slowly slows only its own
 * statement, and memory holds a few pieces whatever the size of the result. A client that takes nothing for a while is
 * disconnected, since its statement holds a snapshot.
 *
 * A failure before the first piece is an ordinary error answer. A later one can only break the answer off, which the
 * client sees as an incomplete message; formats that can report a failure do so before (see ndjson.ts), also if the
 * statement is stopped while the client has not taken what it was sent.
 */
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';
import { GraphDBError, monotonicMs, nextTurn, startTimer } from '../base/index.ts';
import { beginAnswer } from './begin-answer.ts';
import type { HttpContext } from './context.ts';

/** Milliseconds for which a client that takes everything at once has the thread before others have their turn. */
const SLICE_MS = 4;

/** An answer that is written in pieces. */
export interface PiecewiseAnswer {
  readonly contentType: string;
  readonly pieces: AsyncGenerator<Uint8Array, void, void>;
  /** Aborted when the client goes away. */
  readonly signal: AbortSignal;
}

/** Sends the answer; resolves when all of it is written. `pieces` is always run to its end, or ended. */
export async function sendPieces(context: HttpContext, reply: FastifyReply, answer: PiecewiseAnswer): Promise<void> {
  const { contentType, pieces, signal } = answer;
  try {
    let step = await pieces.next();
    signal.throwIfAborted();
    const response = beginAnswer(context, reply, { 'content-type': contentType });
    try {
      let sliceEnd = monotonicMs() + SLICE_MS;
      for (; step.done !== true; step = await pieces.next()) {
        // A socket that takes everything at once has drained within the same turn.
        if (!response.write(step.value)) await drained(response, context.stallLimitMs, signal);
        if (monotonicMs() < sliceEnd) continue;
        await nextTurn();
        sliceEnd = monotonicMs() + SLICE_MS;
      }
      response.end();
    } catch (error) {
      if (!signal.aborted) logBrokenOff(context, reply, error);
      const last = signal.aborted && !response.destroyed ? await lastOf(pieces, signal.reason) : null;
      if (last === null) response.destroy();
      else endUnread(response, last, context.stallLimitMs);
    }
  } finally {
    await pieces.return();
  }
}

/**
 * Tells the encoder why its answer ends. Returns its last piece, which reports that, and is empty if the last piece was
 * sent before; null if its format cannot report a failure.
 */
async function lastOf(pieces: PiecewiseAnswer['pieces'], reason: unknown): Promise<Uint8Array | null> {
  const step = await pieces.throw(reason).catch(() => null);
  if (step === null) return null;
  return step.done === true ? new Uint8Array(0) : step.value;
}

/** Ends an answer of which the client has not taken everything, and disconnects a client that takes nothing for too long. */
function endUnread(response: ServerResponse, last: Uint8Array, limitMs: number): void {
  const cancelLimit = startTimer(limitMs, () => response.destroy());
  response.once('close', cancelLimit);
  response.end(last);
}

/** Logs that an answer was broken off. A client that takes nothing is no fault of the server, and is logged without a stack. */
function logBrokenOff({ logger }: HttpContext, reply: FastifyReply, error: unknown): void {
  const requestId = reply.request.id;
  if (error instanceof GraphDBError && error.code === 'CANCELLED')
    logger.info({ requestId, reason: error.message }, 'an answer was broken off');
  else logger.warn({ requestId, error }, 'an answer was broken off');
}

async function drained(response: ServerResponse, limitMs: number, signal: AbortSignal): Promise<void> {
  const stalled = new AbortController();
  const cancelLimit = startTimer(limitMs, () => stalled.abort());
  try {
    await once(response, 'drain', { signal: AbortSignal.any([signal, stalled.signal]) });
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw new GraphDBError('CANCELLED', `the client took nothing for ${limitMs} ms`, { cause: error });
  } finally {
    cancelLimit();
  }
}
