/** A search that lets others run has the answer of its own view, whatever they write meanwhile. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { finish } from '../../base/index.ts';
import { createGraphStore } from '../graph-store.ts';
import { createNode, lookupAt, write } from '../testing/small-graph.ts';
import type { TextHit } from '../view/index-view.ts';
import type { GraphView, IndexDefinition } from '../view/view.ts';

const INDEX: IndexDefinition = { name: 'i', entity: 'node', labelsOrTypes: ['A', 'B'], keys: ['t'], kind: 'fulltext', settings: {} };

function match(view: GraphView): Generator<number, TextHit[], void> {
  const nothing = (): void => {};
  const calls = { onKept: nothing, onWork: nothing, onTaken: nothing };
  return lookupAt(view, 0, 'match').match({ query: 'apple', fields: ['t'], analyzer: null, most: 10, accepts: null, ...calls });
}

test('scores are those of the view, wherever a search is held up', () => {
  for (let steps = 0, isOver = false; !isOver; steps++) {
    const store = createGraphStore();
    write(store, (tx) => {
      tx.createIndex(INDEX);
      for (const label of ['A', 'B']) for (const t of ['apple', 'apple pie', 'pie']) createNode(tx, [label], { t });
    });
    const view = store.snapshot();
    const expected = finish(match(view));
    const search = match(view);
    for (let i = 0; i < steps && !isOver; i++) isOver = search.next().done === true;
    if (isOver) break;
    write(store, (tx) => {
      for (const label of ['A', 'B']) createNode(tx, [label], { t: 'a longer text with apple in it' });
      finish(match(tx.view));
    });
    assert.deepEqual(finish(search), expected, `after ${steps} steps`);
  }
});
