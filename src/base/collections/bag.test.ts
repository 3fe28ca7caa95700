import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Bag, NOT_IN_BAG } from './bag.ts';

const thing = (name: string) => ({ name, placeInBag: NOT_IN_BAG });
const names = (bag: Bag<ReturnType<typeof thing>>): string[] => [...bag].map(({ name }) => name).sort();

test('things leave a bag in any order, and once', () => {
  const bag = new Bag<ReturnType<typeof thing>>();
  const [a, b, c] = [thing('a'), thing('b'), thing('c')];
  for (const one of [a, b, c]) bag.add(one);
  assert.deepEqual(names(bag), ['a', 'b', 'c']);
  bag.remove(a);
  assert.deepEqual(names(bag), ['b', 'c']);
  bag.remove(a);
  bag.remove(b);
  assert.deepEqual(names(bag), ['c']);
  bag.add(a);
  bag.remove(c);
  assert.deepEqual(names(bag), ['a']);
  bag.remove(a);
  assert.deepEqual(names(bag), []);
});

test('whoever goes through a bag may empty it', () => {
  const bag = new Bag<ReturnType<typeof thing>>();
  for (const name of ['a', 'b', 'c']) bag.add(thing(name));
  const seen: string[] = [];
  for (const one of bag) {
    seen.push(one.name);
    bag.remove(one);
  }
  assert.deepEqual(seen.sort(), ['a', 'b', 'c']);
  assert.deepEqual(names(bag), []);
});

test('what is in a bag cannot be added again', () => {
  const bag = new Bag<ReturnType<typeof thing>>();
  const a = thing('a');
  bag.add(a);
  assert.throws(() => bag.add(a), { code: 'INTERNAL' });
});
