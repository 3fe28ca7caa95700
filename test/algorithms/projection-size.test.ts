/** The estimate of a projection beside what making it charges. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { projectionRequest, projectNative } from '../../src/algorithms/index.ts';
import { ended, TestWork } from '../../src/algorithms/testing/random-graphs.fixture.ts';
import { sumOf } from '../../src/exec/procedures/gds/estimates.ts';
import { projectionBytes } from '../../src/exec/procedures/gds/projection-size.ts';
import { createGraphStore, type GraphView } from '../../src/graph/index.ts';
import type { Value } from '../../src/value/index.ts';

const NODES = 2_000;

/** Persons with seven relationships each. */
function view(): GraphView {
  const store = createGraphStore();
  const transaction = store.begin();
  const [label, type, key] = [transaction.internLabel('P'), transaction.internType('R'), transaction.internKey('w')];
  for (let i = 0; i < NODES; i++) transaction.createNode([label], [key], [i], null);
  for (let i = 0; i < 7 * NODES; i++) transaction.createRelationship(type, i % NODES, (i * 31 + Math.floor(i / NODES)) % NODES, [key], [i]);
  transaction.commit();
  store.publish(store.committedSequence);
  return store.snapshot();
}

const map = (entries: Readonly<Record<string, Value>>): Value => new Map(Object.entries(entries));

const TYPES: Readonly<Record<string, Value>> = {
  'as they are': 'R',
  'with a property': map({ R: map({ properties: 'w' }) }),
  undirected: map({ R: map({ orientation: 'UNDIRECTED', properties: 'w' }) }),
  aggregated: map({ R: map({ aggregation: 'SUM', properties: 'w' }) }),
  'of two names': map({ A: map({ type: 'R' }), B: map({ type: 'R', orientation: 'UNDIRECTED', aggregation: 'MAX', properties: 'w' }) }),
};

for (const [name, types] of Object.entries(TYPES)) {
  test(`making a projection charges no more than its estimate, and not much less: ${name}`, () => {
    const from = view();
    const request = projectionRequest(map({ P: map({ properties: 'w' }) }), types, new Map());
    const work = new TestWork();
    const graph = ended(projectNative({ view: from, pages: null }, request, work));
    const estimate = sumOf(projectionBytes(from, request));
    assert.ok(work.most <= estimate, `${work.most} bytes were charged, ${estimate} estimated`);
    assert.ok(estimate <= 1.25 * work.most, `${estimate} bytes were estimated, ${work.most} charged`);
    assert.equal(work.charged, graph.bytes, 'what is charged in the end is the graph');
  });
}
