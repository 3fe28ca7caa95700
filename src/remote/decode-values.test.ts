/** Values of results come back from typed JSON as what they were: a map is no node, whatever its keys are. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Node, Path, parseJson, Relationship, type ResultValue, type Value, writeJson, writeJsonParts } from '../value/index.ts';
import { decodeValue } from './decode-values.ts';

function map(members: Readonly<Record<string, Value>>): Value {
  return new Map(Object.entries(members));
}

const MAPS: readonly Value[] = [
  map({ _kind: 'node', properties: map({}) }),
  map({ _kind: 'node', id: 'x', labels: ['A'], properties: map({ a: 1 }) }),
  map({ _kind: 'rel', id: 'x', src: 'a', dst: 'b', edge_type: 'T', properties: map({}) }),
  map({ _kind: 'point', srid: 7203, x: 1, y: 2 }),
  map({ _kind: null }),
  map({ $: 'date', value: map({ _kind: 'node', labels: 7, properties: map({}) }) }),
];

test('a map that looks like a node or a relationship stays a map, however long it is', () => {
  for (const value of [...MAPS, [...MAPS], map({ a: [MAPS[0]!] })]) {
    assert.deepEqual(decodeValue(parseJson(writeJson(value as ResultValue, 'typed'))), value); // as: maps of a result
    const long = map({ _kind: 'rel', value, properties: map({ text: 'x'.repeat(200_000) }) }) as ResultValue; // as: likewise
    const text = [...writeJsonParts(long, 'typed')].join('');
    assert.equal(text, writeJson(long, 'typed'));
    assert.deepEqual(decodeValue(parseJson(text)), long);
  }
});

test('nodes, relationships and paths are what they were, also within such maps, whatever their properties are', () => {
  const properties = new Map<string, Value>([
    ['$', 'date'],
    ['_kind', 'node'],
    ['text', 'x'.repeat(200_000)],
  ]);
  const [a, b] = [new Node('a', -1, ['A'], properties), new Node('b', -1, [], new Map())];
  const ends = { sourceId: 'a', targetId: 'b', sourceOrdinal: -1, targetOrdinal: -1 };
  const relationship = new Relationship({ id: 'r0', ordinal: -1, type: 'T', ...ends, properties });
  const value: ResultValue = new Map<string, ResultValue>([
    ['_kind', a],
    ['properties', [relationship, new Path([a, b], [relationship])]],
  ]);
  assert.deepEqual(decodeValue(parseJson(writeJson(value, 'typed'))), value);
  assert.equal([...writeJsonParts(value, 'typed')].join(''), writeJson(value, 'typed'));
});
