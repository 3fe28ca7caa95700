/** Who waits for a turn, and who does not. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SharedTurns } from './shared-turns.ts';

async function answersAlone(turns: SharedTurns, count: number): Promise<number> {
  let waited = 0;
  for (let i = 0; i < count; i++) {
    const turn = turns.next();
    if (turn === null) continue;
    waited++;
    await turn;
  }
  return waited;
}

test('an answer alone seldom waits', async () => {
  assert.equal(await answersAlone(new SharedTurns(), 160), 10);
});

test('answers that come together wait for one turn, again and again', async () => {
  const turns = new SharedTurns();
  for (let round = 0; round < 40; round++) {
    const all = [turns.next(), turns.next(), turns.next()];
    assert.ok(all[0] !== null && all.every((turn) => turn === all[0]), `round ${round}`);
    await all[0];
  }
});

test('those that come behind many alone are found soon', async () => {
  const turns = new SharedTurns();
  await answersAlone(turns, 100);
  let rounds = 0;
  for (let shared = false; !shared; rounds++) {
    const all = [turns.next(), turns.next()];
    shared = all[0] !== null && all[0] === all[1];
    await all[0];
  }
  assert.ok(rounds <= 16, String(rounds));
});
