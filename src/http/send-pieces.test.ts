/** Long answers leave the thread to others between their pieces. */
import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { test } from 'node:test';
import type { FastifyReply } from 'fastify';
import { onNextTurn } from '../base/index.ts';
import type { HttpContext } from './context.ts';
import { sendPieces } from './send-pieces.ts';

const PIECES = 20_000;

test('others have their turn although the socket takes everything at once', async () => {
  const socket = new EventEmitter();
  const write = () => {
    process.nextTick(() => socket.emit('drain'));
    return false;
  };
  const raw = Object.assign(socket, { write, writeHead: () => socket, end: () => undefined });
  const context = { stallLimitMs: 1_000, phase: () => 'serving' } as unknown as HttpContext; // as: what the function asks
  // as: what the function asks
  const reply = { raw, hijack: () => undefined, getHeaders: () => ({}), request: { id: 'r' } } as unknown as FastifyReply;
  let turns = 0;
  let isSent = false;
  const countTurn = () => {
    turns++;
    if (!isSent) onNextTurn(countTurn);
  };
  onNextTurn(countTurn);
  const piece = Buffer.from('x');
  async function* pieces(): AsyncGenerator<Uint8Array, void, void> {
    for (let sent = 0; sent < PIECES; sent++) yield piece;
  }
  await sendPieces(context, reply, { contentType: 'text/plain', pieces: pieces(), signal: new AbortController().signal });
  isSent = true;
  assert.ok(turns > 0, 'the event loop has come round');
});
