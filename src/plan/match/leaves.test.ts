/** Which way to find a node is chosen. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatPlan } from '../explain/format-plan.ts';
import { fakeStatistics } from '../testing/fake-statistics.ts';
import { planOf } from '../testing/plan-of.ts';

const EMPTY = fakeStatistics([
  { label: 'New', keys: ['id'], unique: true },
  { label: 'New', keys: ['name'], unique: false },
]);

test('what a statement may create is looked up in an index, though the label is empty when it is planned', () => {
  for (const query of [
    'UNWIND $rows AS row MERGE (n:New {id: row.id})',
    'UNWIND $rows AS row MERGE (n:New {name: row.name})',
    'UNWIND $rows AS row CALL (row) { MATCH (n:New {id: row.id}) SET n.seen = true MERGE (:New {id: row.next}) }',
  ]) {
    const plan = formatPlan(planOf(query, EMPTY));
    assert.match(plan, /IndexSeek/, plan);
    assert.doesNotMatch(plan, /LabelScan/, plan);
  }
});
