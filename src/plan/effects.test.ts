import assert from 'node:assert/strict';
import { test } from 'node:test';
import { collide, interferes, reading, unite, writing } from './effects.ts';

const names = (...list: string[]): ReadonlySet<string> => new Set(list);
const sets = (...keys: string[]) => writing({ setKeys: names(...keys), setsNodes: true }).writes;

test('creating a node disturbs scans and lookups of its labels, and no others', () => {
  const created = writing({ createdLabels: names('A') }).writes;
  assert(interferes(reading({ scans: names('A') }).reads, created));
  assert(interferes(reading({ lookups: names('A', 'B') }).reads, created));
  assert(interferes(reading({ scans: 'all' }).reads, created));
  assert(!interferes(reading({ scans: names('B'), keys: 'all', types: 'all', labels: true, identifiers: true }).reads, created));
});

test('a node without labels is met by a scan of all nodes only', () => {
  const created = writing({ createdLabels: names('') }).writes;
  assert(interferes(reading({ scans: 'all' }).reads, created));
  assert(!interferes(reading({ scans: names('A') }).reads, created));
});

test('an identifier of the user can be looked up, a computed one cannot be known', () => {
  const lookup = reading({ identifiers: true }).reads;
  assert(interferes(lookup, writing({ createdLabels: names('A'), createdIdentifiers: true }).writes));
  assert(!interferes(lookup, writing({ createdLabels: names('A') }).writes));
});

test('a property of a node disturbs reads of its key and every running scan, but no lookup by another key', () => {
  assert(interferes(reading({ keys: names('x') }).reads, sets('x')));
  assert(!interferes(reading({ keys: names('y') }).reads, sets('x')));
  assert(interferes(reading({ scans: names('A') }).reads, sets('x')));
  assert(!interferes(reading({ lookups: names('A'), keys: names('id') }).reads, sets('x')));
});

test('a property of a relationship leaves scans of nodes alone', () => {
  const set = writing({ setKeys: names('w') }).writes;
  assert(!interferes(reading({ scans: names('A'), types: names('R') }).reads, set));
});

test('deleting disturbs everything that is read, and collides with everything that is changed', () => {
  const deleted = writing({ deletes: true }).writes;
  for (const reads of [{ scans: names('A') }, { types: names('R') }, { keys: names('x') }, { labels: true }, { identifiers: true }]) {
    assert(interferes(reading(reads).reads, deleted));
  }
  assert(collide(sets('x'), deleted));
  assert(collide(deleted, writing({ createdTypes: names('R') }).writes));
});

test('updates of one key collide, those of two keys do not', () => {
  assert(collide(sets('x'), sets('x')));
  assert(collide(sets('x', 'y'), writing({ setKeys: 'all' }).writes));
  assert(!collide(sets('x'), sets('y')));
});

test('together, effects are those of both', () => {
  const both = unite(unite(reading({ scans: names('A') }), reading({ scans: names('B') })), writing({ createdTypes: 'all' }));
  assert.deepEqual(both.reads.scans, names('A', 'B'));
  assert.equal(both.writes.createdTypes, 'all');
});
