/** The rows of `cases.ts` are the engine's, and each statement has a form in both dialects. What SQL answers, `rows.ts` holds. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Engine, openEngine } from '../../src/engine/index.ts';
import type { DialectName } from '../../src/sql/index.ts';
import { CASES, GRAPH } from './cases.ts';
import { dumpGraph, type GraphDump, jsonOf } from './graph-dump.ts';
import { translate } from './sql-helper.ts';

const none = new Map();
let engine: Engine;
let dump: GraphDump;

before(async () => {
  engine = await openEngine('memory://cases-of-sql', { flushIntervalMs: 0 });
  await engine.execute(GRAPH, none);
  dump = await dumpGraph(engine);
});

after(() => engine.close());

for (const { name, text, rows, notOnSpark } of CASES) {
  test(name, async () => {
    const answer = await engine.execute(text, none);
    const found = answer.rows.map((row) =>
      row.map((value, index) =>
        answer.columns[index]!.startsWith('bag') && Array.isArray(value) ? `[${value.map(jsonOf).sort().join(',')}]` : jsonOf(value),
      ),
    );
    assert.deepEqual(found.map((row) => `[${row.join(',')}]`).sort(), [...rows].sort());
    for (const dialect of ['duckdb', 'spark'] satisfies DialectName[])
      assert.equal(
        typeof (await translate(engine, { query: text, dump, params: none, dialect })),
        dialect === 'spark' && notOnSpark === true ? 'string' : 'object',
        dialect,
      );
  });
}
