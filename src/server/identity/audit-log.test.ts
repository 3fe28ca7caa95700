/** The audit log while its file cannot be written. */
import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Logger, silentLogger } from '../../base/index.ts';
import { AppendedFile } from './appended-file.ts';
import { openAuditLog } from './audit-log.ts';

const told: unknown[] = [];
const logger: Logger = {
  ...silentLogger,
  error: () => void told.push('cannot be written'),
  warn: (facts) => void told.push((facts as { lostLines: number }).lostLines),
};

async function until(isSo: () => boolean): Promise<void> {
  for (let tries = 0; !isSo() && tries < 200; tries++) await sleep(10);
  assert.ok(isSo());
}

test('a disk that takes nothing for a while loses the lines of that while, and no later ones', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'graphdb-audit-'));
  context.after(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'late', 'log');
  const audit = openAuditLog(path, { now: () => 0, logger });
  const refuse = (requestId: string): void =>
    audit.refused({ requestId, protocol: 'http', who: null, namespace: null, address: null, result: 'UNAUTHORIZED' });
  await until(() => told.length === 1);
  mkdirSync(join(folder, 'late'));
  for (const id of ['one', 'two', 'three']) refuse(id);
  await audit.close();
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  assert.deepEqual(
    lines.map((line) => (JSON.parse(line) as { request_id: string }).request_id),
    ['one', 'two', 'three'],
  );
  assert.equal(statSync(path).mode & 0o777, 0o600);
  assert.deepEqual(told, ['cannot be written', 1]);
});

test('a line behind one that was written in part is a line of its own', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'graphdb-audit-'));
  context.after(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'late', 'log');
  told.length = 0;
  const file = new AppendedFile(path, logger);
  await until(() => told.length === 1);
  mkdirSync(join(folder, 'late'));
  appendFileSync(path, '{"event"');
  file.write('{}\n');
  await new Promise<void>((resolve) => file.end(resolve));
  assert.equal(readFileSync(path, 'utf8'), '{"event"\n{}\n');
});
