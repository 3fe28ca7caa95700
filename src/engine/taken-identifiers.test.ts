/** Identifiers that are taken are found in tables that nobody has read since the store was opened. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Value } from '../value/index.ts';
import { openEngine } from './index.ts';

const none: ReadonlyMap<string, Value> = new Map();

for (const [i, [statement, parameters]] of (
  [
    ["CREATE (:C {_id: 'n0'})", none],
    ["CREATE (:C {_id: 'set'})", none],
    ["MERGE (:C {_id: 'n1', p: 1})", none],
    ['CREATE (n:C $properties)', new Map([['properties', new Map([['_id', 'n0']])]])],
    ["CALL apoc.merge.node(['C'], {_id: 'n0'}) YIELD node RETURN node", none],
  ] as const
).entries()) {
  test(`an identifier that is taken: ${statement}`, async () => {
    const uri = `memory://taken-identifiers-${i}`;
    const first = await openEngine(uri);
    await first.execute("CREATE (:A {k: 1}), (:B {k: 2}), (:D {_id: 'set'})", none);
    await first.flush();
    await first.close();
    const engine = await openEngine(uri);
    await assert.rejects(engine.execute(statement, parameters), { code: 'CONSTRAINT_VIOLATION' });
    await engine.close();
  });
}
