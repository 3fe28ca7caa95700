import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nearestName } from './suggest.ts';

test('the nearest name, if one is near', () => {
  const names = ['person', 'persons', 'place', 'toString', 'x'];
  assert.equal(nearestName('persn', names), 'person');
  assert.equal(nearestName('presons', names), 'persons');
  assert.equal(nearestName('TOSTRING', names), 'toString');
  assert.equal(nearestName('plaec', names), 'place');
  assert.equal(nearestName('zebra', names), null);
  assert.equal(nearestName('y', names), null);
  assert.equal(nearestName('person', ['person']), null);
});
