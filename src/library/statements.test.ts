/** Parts of a result beside its rows, the forms of Integers, errors with their place, and calls that wait. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { GraphDBError } from '../base/index.ts';
import { CypherDate, CypherDateTime, CypherDuration, CypherTime } from '../value/index.ts';
import { open } from './index.ts';
import { inTransaction } from './retries.ts';

test('a call that waits for its turn keeps the process alive', () => {
  const program = `import { open } from ${JSON.stringify(join(import.meta.dirname, 'index.ts'))};
    const db = await open('memory://waiting', { flushIntervalMs: 0 });
    const first = await db.begin();
    setTimeout(() => first.rollback(), 300).unref();
    const second = await db.begin();
    await second.rollback();
    await db.close();
    console.log('in turn');`;
  const { stdout, status } = spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8', timeout: 60_000 });
  assert.deepEqual([status, stdout], [0, 'in turn\n']);
});

test('a transaction is tried again after a failure that passes, and not after another', async () => {
  const steps: string[] = [];
  const begin = async () => ({
    commit: async (): Promise<void> => void steps.push('commit'),
    rollback: async (): Promise<void> => void steps.push('rollback'),
  });
  const failing = (code: 'STORE_UNAVAILABLE' | 'WRITER_FENCED', times: number) => () => {
    steps.push('work');
    if (steps.filter((step) => step === 'work').length <= times) throw new GraphDBError(code, 'no');
    return steps.length;
  };
  assert.equal(await inTransaction(begin, failing('STORE_UNAVAILABLE', 2), { attempts: 3 }), 5);
  assert.deepEqual(steps.splice(0), ['work', 'rollback', 'work', 'rollback', 'work', 'commit']);
  await assert.rejects(inTransaction(begin, failing('STORE_UNAVAILABLE', 2), { attempts: 2 }), { code: 'STORE_UNAVAILABLE' });
  steps.length = 0;
  await assert.rejects(inTransaction(begin, failing('WRITER_FENCED', 2), { attempts: 5 }), { code: 'WRITER_FENCED' });
  assert.deepEqual(steps, ['work', 'rollback']);
});

test('a message shows the place of a fault, of streams and plans too', async () => {
  await using db = await open('memory://library-places');
  const shown = { code: 'SEMANTIC_ERROR', line: 1, column: 8, message: /\(line 1, column 8\)\n {2}1 \| RETURN x\n {4}\| {8}\^$/ };
  await assert.rejects(db.query('RETURN x'), shown);
  await assert.rejects(db.first('RETURN x'), shown);
  await assert.rejects(db.explain('RETURN x'), shown);
  await assert.rejects(async () => {
    for await (const row of db.stream('RETURN x')) assert.fail(String(row));
  }, shown);
  await assert.rejects(
    db.transaction((tx) => tx.query('RETURN x')),
    shown,
  );
});

test('an option that does nothing where it stands is refused', async () => {
  await assert.rejects(open('memory://x', { token: 'secret' }), { code: 'ARGUMENT_ERROR', message: /^token: / });
  await assert.rejects(open('http://localhost:1', { readOnly: true }), { code: 'ARGUMENT_ERROR', message: /^readOnly: a server decides/ });
  await assert.rejects(open('memory://x', { integers: 'text' as never }), {
    code: 'ARGUMENT_ERROR',
    message: /auto, number, bigint, error/,
  });
  await assert.rejects(open('http://127.0.0.1:9/'), { code: 'STORE_UNAVAILABLE' });
});

test('rows of a statement that is run often have the form of Integers that is asked for', async () => {
  await using db = await open('memory://library-bigints', { integers: 'bigint' });
  for (const _ of [1, 2]) {
    const { rows } = await db.query('UNWIND range(1, 300) AS i RETURN i, 1.0 AS float, {a: [i]} AS map');
    assert.deepEqual(rows[299], { i: 300n, float: 1, map: { a: [300n] } });
  }
});

test('temporal values are shown as Cypher writes them', () => {
  const at = CypherDateTime.fromString('1969-12-31T23:59:59.999+02:00');
  assert.equal(inspect([CypherDate.fromString('-0001-03-01'), at]), "[ date('-0001-03-01'), datetime('1969-12-31T23:59:59.999+02:00') ]");
  assert.equal(at.toDate().getTime(), -2 * 3_600_000 - 1);
  assert.equal(inspect(CypherDuration.fromString('P1M')), "duration('P1M')");
  assert.equal(CypherTime.fromString('23:59:59.000000001Z').nanosecond, 1);
  assert.throws(() => CypherDate.fromString('+999999999-01-01').toDate(), { code: 'ARGUMENT_ERROR' });
});
