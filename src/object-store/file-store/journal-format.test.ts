import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { decodeRecords, encodeHeader, encodeRecord, HEADER_BYTES, type JournalRecord, readRecords, recordBytes } from './journal-format.ts';

const RECORDS: readonly JournalRecord[] = [
  { kind: 'content', key: 'wal/00000000000000000001.wal', storedAtMs: 1.7e12, body: randomBytes(123) },
  { kind: 'apart', key: 'a', storedAtMs: 0, body: new Uint8Array(0) },
  { kind: 'content', key: 'data/x.arrow', storedAtMs: 1_700_000_000_000.5, body: new Uint8Array(0) },
  { kind: 'content', key: 'p%20q=+~@/_-', storedAtMs: 7, body: randomBytes(4_000) },
];

function encode(records: readonly JournalRecord[], tailBytes: number): Buffer {
  return Buffer.concat([...records.map(encodeRecord), Buffer.alloc(tailBytes)]);
}

function plain(records: readonly JournalRecord[]): JournalRecord[] {
  return records.map(({ kind, key, storedAtMs, body }) => ({ kind, key, storedAtMs, body: Buffer.from(body) }));
}

test('what was written is read, and where it stands', () => {
  for (const tail of [0, 8, 4_096]) {
    const bytes = encode(RECORDS, tail);
    const decoded = decodeRecords(bytes, HEADER_BYTES);
    assert.deepEqual(plain(decoded), plain(RECORDS));
    let at = HEADER_BYTES;
    for (const { key, body, bodyAt, end } of decoded) {
      assert.equal(end, (at += recordBytes(key, body.length)));
      assert.deepEqual(bytes.subarray(bodyAt - HEADER_BYTES, bodyAt - HEADER_BYTES + body.length), Buffer.from(body));
    }
  }
});

test('a file is read from the start of any record on', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'graphdb-journal-'));
  try {
    const path = join(folder, 'journal');
    await writeFile(path, Buffer.concat([encodeHeader(), encode(RECORDS, 64)]));
    const all = (await readRecords(path))!;
    assert.deepEqual(plain(all), plain(RECORDS));
    for (const [index, { end }] of all.entries()) assert.deepEqual(plain((await readRecords(path, end))!), plain(RECORDS.slice(index + 1)));
    assert.equal(await readRecords(join(folder, 'none')), null);
    await writeFile(path, encodeHeader());
    assert.deepEqual(await readRecords(path), []);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('cut off or changed at any place: the intact records before it, and never an error', () => {
  const bytes = encode(RECORDS, 64);
  const ends = decodeRecords(bytes, 0).map(({ end }) => end);
  for (let at = 0; at < bytes.length; at++) {
    const changed = Buffer.from(bytes);
    changed[at] = changed[at]! ^ 0x41;
    for (const damaged of [bytes.subarray(0, at), changed]) {
      const decoded = decodeRecords(damaged, 0);
      const expected = ends.findIndex((end) => at < end);
      assert.ok(decoded.length >= (expected === -1 ? ends.length : expected), `at ${at}`);
      assert.deepEqual(plain(decoded), plain(RECORDS.slice(0, decoded.length)));
    }
  }
});
