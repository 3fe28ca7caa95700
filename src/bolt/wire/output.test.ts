/** Large messages leave the thread to others between their pieces. */
import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import type { Duplex } from 'node:stream';
import { test } from 'node:test';
import { onNextTurn } from '../../base/index.ts';
import { Output } from './output.ts';

test('others have their turn although the socket takes everything at once', async () => {
  let [pieces, turns] = [0, 0];
  let isWritten = false;
  const socket = new EventEmitter();
  const write = () => {
    pieces++;
    process.nextTick(() => socket.emit('drain'));
    return false;
  };
  const countTurn = () => {
    turns++;
    if (!isWritten) onNextTurn(countTurn);
  };
  onNextTurn(countTurn);
  const output = new Output(Object.assign(socket, { write }) as unknown as Duplex, 1_000); // as: it is written to, and no more
  await output.longRecord([Array.from({ length: 1_000_000 }, (_, i) => i)]);
  isWritten = true;
  assert.ok(pieces > 20, `${pieces} pieces`);
  assert.ok(turns >= pieces, `${turns} turns of the event loop for ${pieces} pieces`);
});
