/** Places of all nodes at once, as the picture of a large graph uses them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { draw, emptyPicture } from '../../console/graph-model.ts';
import { boxOf, endsOf, framed, writePlaces } from '../../console/places.ts';

test('the box around places is framed around (0.5, 0.5), its longer side is 1', () => {
  const places = Float32Array.of(-10, 5, 30, 15, 10, 10);
  const box = boxOf(places);
  assert.deepEqual(box, { x: [-10, 30], y: [5, 15] });
  assert.deepEqual([...framed(places, box)], [0, 0.375, 1, 0.625, 0.5, 0.5]);
});

test('nodes that are all at one place are in the middle', () => {
  const places = Float32Array.of(7, -3, 7, -3);
  assert.deepEqual([...framed(places, boxOf(places))], [0.5, 0.5, 0.5, 0.5]);
});

test('places of nodes, and of the ends of relationships, go to the first two numbers of each item', () => {
  const node = (id: string) => ({ _kind: 'node', id, labels: ['N'], properties: {} });
  const edge = (id: string, src: string, dst: string) => ({ _kind: 'rel', id, src, dst, edge_type: 'T', properties: {} });
  const { graph } = draw(emptyPicture(), [
    { a: node('a'), b: node('b'), c: node('c') },
    { x: edge('x', 'c', 'a'), y: edge('y', 'b', 'b') },
  ]);
  const ends = endsOf(graph);
  assert.deepEqual([...ends], [2, 0, 1, 1]);
  const places = Float32Array.of(1, 2, 3, 4, 5, 6);
  const points = new Float32Array(9).fill(9);
  writePlaces(places, points, 3);
  assert.deepEqual([...points], [1, 2, 9, 3, 4, 9, 5, 6, 9]);
  const lines = new Float32Array(12).fill(9);
  writePlaces(places, lines, 3, ends);
  assert.deepEqual([...lines], [5, 6, 9, 1, 2, 9, 3, 4, 9, 3, 4, 9]);
});
