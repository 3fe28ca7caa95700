import assert from 'node:assert/strict';
import { test } from 'node:test';
import { collectGarbage } from '../../src/base/index.ts';
import { CompiledPlan } from '../../src/exec/compile.ts';
import { createGraphStore, type GraphView } from '../../src/graph/index.ts';
import { createNode, write } from '../../src/graph/testing/small-graph.ts';
import { planOf } from '../../src/plan/testing/plan-of.ts';

const FOR_EVER = Number.POSITIVE_INFINITY;

function merges(count: number): string {
  return Array.from({ length: count }, (_, i) => `MERGE (n${i}:New {i: ${i}})`).join(' ');
}

test('a text of many clauses that write is compiled in a piece for each, to the code of one piece', async () => {
  const view = createGraphStore().snapshot();
  const plan = planOf(`${merges(50)} RETURN n0.i + n49.i`);
  let pieces = 0;
  const prepared = new CompiledPlan(plan);
  await prepared.prepare(view, new Map(), FOR_EVER, () => {
    pieces++;
    return pieces % 7 === 0 ? Promise.resolve() : null;
  });
  assert.ok(pieces >= 100, `${pieces} pieces: one for each pipeline, and one for the text of each`);
  const atOnce = new CompiledPlan(plan).for(view, new Map(), FOR_EVER);
  assert.equal(prepared.for(view, new Map(), FOR_EVER).source, atOnce.source);
});

test('what a clause has created is not kept by the pipelines before it', () => {
  const source = (count: number): string => {
    const view = createGraphStore().snapshot();
    return new CompiledPlan(planOf(merges(count))).for(view, new Map(), FOR_EVER).source;
  };
  assert.ok(source(100).length < 2.2 * source(50).length, 'the code grows with the clauses, not with their pairs');
});

test('pieces together have no more steps than one piece may', async () => {
  const view = createGraphStore().snapshot();
  const plan = new CompiledPlan(planOf(merges(200)), 8_192);
  await assert.rejects(
    plan.prepare(view, new Map(), FOR_EVER, () => null),
    { code: 'UNSUPPORTED' },
  );
});

test('code that is kept keeps nothing of the graph that it was made for', async () => {
  const plan = new CompiledPlan(planOf('MATCH (n:A) WHERE n.x > 1 RETURN n.x, count(*)'));
  const view = new WeakRef(codeForAView(plan));
  // A WeakRef holds what it refers to until the turn has ended.
  await new Promise((resolve) => setImmediate(resolve));
  collectGarbage();
  assert.equal(view.deref(), undefined);
  assert.notEqual(plan, undefined);
});

/** In a function of its own, whose locals are gone when it has returned. */
function codeForAView(plan: CompiledPlan): GraphView {
  const store = createGraphStore();
  write(store, (transaction) => createNode(transaction, ['A'], { x: 1 }));
  const view = store.snapshot();
  plan.for(view, new Map(), FOR_EVER);
  return view;
}
