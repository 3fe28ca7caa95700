/** A few rounds of what `npm run crash` does in full. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import type { GraphState } from '../support/orders.ts';
import { seededRandom } from '../support/random.ts';
import type { Reply, ServerProcess } from '../support/server-process.ts';
import { ClientModel } from './client-model.ts';
import { fullDiskRounds, mountSmallDisk } from './full-disk.ts';
import { killRounds } from './kill-rounds.ts';

test('B4: every answered write survives SIGKILL, and no unanswered one is there by half', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'graphdb-crash-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const report = await killRounds({
    store: `file://${folder}?ns=crash`,
    rounds: 5,
    clients: 4,
    seed: 7,
    log: (line) => t.diagnostic(line),
  });
  assert.deepEqual(report.faults, []);
  assert.ok(report.answered > 0, 'no write was answered at all');
});

test('a full disk refuses writes and loses none', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'graphdb-full-disk-'));
  const disk = mountSmallDisk(folder, 16);
  t.after(() => {
    if ('unmount' in disk) disk.unmount();
    rmSync(folder, { recursive: true });
  });
  if ('reason' in disk) return t.skip(disk.reason);
  mkdirSync(join(folder, 'store'));
  const report = await fullDiskRounds({ folder, rounds: 2, clients: 3, seed: 7, log: (line) => t.diagnostic(line) });
  assert.deepEqual(report.faults, []);
  assert.ok(report.answered > 0 && report.refused > 0, `${report.answered} answered, ${report.refused} refused`);
});

/** A client after two answered orders and one operation in doubt. */
async function clientInDoubt(): Promise<{ client: ClientModel; state: GraphState }> {
  const replies: Reply[] = [
    { kind: 'answered', rows: [] },
    { kind: 'unanswered', message: 'killed' },
  ];
  const sent: Record<string, unknown>[] = [];
  const cypher = async (_query: string, params: Record<string, unknown>) => {
    sent.push(params);
    return replies.shift();
  };
  const client = new ClientModel('a', seededRandom(1));
  for (let operation = 0; operation < 2; operation++) await client.send({ cypher } as unknown as ServerProcess);
  const items = sent[0]!['items'] as number;
  return { client, state: { operations: new Map([['a', 1]]), orders: new Map([['a-0', { client: 'a', items, version: 1 }]]), faults: [] } };
}

test('the audit sees a lost write, a surplus one and half of one', async () => {
  const { client, state } = await clientInDoubt();
  assert.deepEqual(client.settle(state).faults, []);
  const lost = await clientInDoubt();
  assert.notDeepEqual(lost.client.settle({ ...lost.state, orders: new Map() }).faults, []);
  const surplus = await clientInDoubt();
  const orders = new Map([...surplus.state.orders, ['a-9', { client: 'a', items: 1, version: 1 }] as const]);
  assert.notDeepEqual(surplus.client.settle({ ...surplus.state, orders }).faults, []);
  const half = await clientInDoubt();
  assert.notDeepEqual(half.client.settle({ ...half.state, operations: new Map([['a', 2]]) }).faults, []);
});
