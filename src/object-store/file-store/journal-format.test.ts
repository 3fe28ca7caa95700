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

function bytesOf(record: JournalRecord, { at, durableBytes }: { at: number; durableBytes: number }): Buffer {
  const into = Buffer.alloc(at + recordBytes(record.key, record.body.length));
  assert.equal(encodeRecord(record, { into, at, durableBytes }), into.length - at);
  return into.subarray(at);
}

/** Each was made durable before the next one was written, unless `together`. */
function encode(records: readonly JournalRecord[], { tailBytes, together = false }: { tailBytes: number; together?: boolean }): Buffer {
  let at = HEADER_BYTES;
  const encoded = records.map((record) => {
    const bytes = bytesOf(record, { at, durableBytes: together ? HEADER_BYTES : at });
    at += bytes.length;
    return bytes;
  });
  return Buffer.concat([...encoded, Buffer.alloc(tailBytes)]);
}

function plain(records: readonly JournalRecord[]): JournalRecord[] {
  return records.map(({ kind, key, storedAtMs, body }) => ({ kind, key, storedAtMs, body: Buffer.from(body) }));
}

test('what was written is read, and where it stands', () => {
  for (const tail of [0, 8, 4_096]) {
    const bytes = encode(RECORDS, { tailBytes: tail });
    const { records: decoded, damagedAt } = decodeRecords(bytes, HEADER_BYTES);
    assert.equal(damagedAt, null);
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
    await writeFile(path, Buffer.concat([encodeHeader(), encode(RECORDS, { tailBytes: 64 })]));
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

test('cut off or changed at any place: the intact records before it; damage of what had been durable is told', () => {
  const intact = decodeRecords(encode(RECORDS, { tailBytes: 64 }), HEADER_BYTES).records;
  for (const together of [false, true]) {
    const bytes = encode(RECORDS, { tailBytes: 64, together });
    for (let at = 0; at < bytes.length; at++) {
      const changed = Buffer.from(bytes);
      changed[at] = changed[at]! ^ 0x41;
      const expected = intact.filter(({ end }) => end <= HEADER_BYTES + at);
      for (const [damaged, isCut] of [
        [bytes.subarray(0, at), true],
        [changed, false],
      ] as const) {
        const { records, damagedAt } = decodeRecords(damaged, HEADER_BYTES);
        // Between a body and the next record nothing is checked, and nothing is lost.
        assert.ok(records.length >= expected.length, `at ${at}`);
        assert.deepEqual(plain(records), plain(RECORDS.slice(0, records.length)));
        const isLast = records.length >= RECORDS.length - 1;
        assert.equal(damagedAt !== null, !isCut && !together && !isLast, `at ${at}, ${isCut ? 'cut' : 'changed'}, ${together}`);
      }
    }
  }
});

test('what a record holds is no record, even where a damaged one comes before it', () => {
  const forged = bytesOf(RECORDS[0]!, { at: 8_000, durableBytes: 7_000 });
  const outer: JournalRecord = { kind: 'content', key: 'k', storedAtMs: 1, body: forged };
  const bytes = encode([outer], { tailBytes: 64 });
  bytes[5]! ^= 1;
  assert.deepEqual(decodeRecords(bytes, HEADER_BYTES), { records: [], damagedAt: null });
});

test('a journal with a damaged record is named, by whoever reads it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'graphdb-journal-'));
  try {
    const path = join(folder, 'journal');
    const bytes = Buffer.concat([encodeHeader(), encode(RECORDS, { tailBytes: 64 })]);
    bytes[HEADER_BYTES + 40]! ^= 1;
    await writeFile(path, bytes);
    await assert.rejects(readRecords(path), { code: 'CORRUPTION', message: /journal: the record at byte 64 is damaged/ });
  } finally {
    await rm(folder, { recursive: true });
  }
});
