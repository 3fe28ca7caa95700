/** Who waits for a turn of the thread, and for how long. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FairTurns } from './fair-turns.ts';
import { nextTurn } from './timers.ts';

/** The order in which pieces of work had turns: each of them asks for so many, one after the other. */
async function orderOf(work: readonly (readonly [owner: string, name: string, turns: number])[]): Promise<string> {
  const turns = new FairTurns<string>();
  const order: string[] = [];
  await Promise.all(
    work.map(async ([owner, name, count]) => {
      for (let i = 0; i < count; i++) {
        await turns.next(owner);
        order.push(name);
      }
    }),
  );
  return order.join(' ');
}

test('owners have their turns in rotation, the work of one in its order', async () => {
  assert.equal(await orderOf([['a', 'a', 3]]), 'a a a');
  assert.equal(
    await orderOf([
      ['heavy', '1', 2],
      ['heavy', '2', 2],
      ['heavy', '3', 2],
      ['light', 'x', 3],
    ]),
    '1 x 2 x 3 x 1 2 3',
  );
});

test('each turn is one of the event loop, so others are served between any two', async () => {
  const turns = new FairTurns<number>();
  let seen = 0;
  let loops = 0;
  let isOver = false;
  const others = (async () => {
    while (!isOver) {
      await nextTurn();
      loops++;
    }
  })();
  const work = async (owner: number): Promise<void> => {
    for (let i = 0; i < 10; i++) {
      await turns.next(owner);
      seen++;
    }
  };
  await Promise.all([work(1), work(1), work(2)]);
  isOver = true;
  await others;
  assert.equal(seen, 30);
  assert.ok(loops >= 29, `${loops}`);
});

test('the event loop comes round twice where it is to: a connection is accepted, then read', async () => {
  const turns = new FairTurns<number>(2);
  const loops: number[] = [];
  let since = 0;
  let isOver = false;
  const others = (async () => {
    while (!isOver) {
      await nextTurn();
      since++;
    }
  })();
  for (let i = 0; i < 5; i++) {
    await turns.next(1);
    loops.push(since);
    since = 0;
  }
  isOver = true;
  await others;
  assert.ok(
    loops.slice(1).every((count) => count >= 2),
    `${loops}`,
  );
});
