import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { decodeJournal, encodeHeader, encodeRecord, HEADER_BYTES, type JournalRecord } from './journal-format.ts';

const BOOT_ID = '01234567-89ab-cdef-0123-456789abcdef';

const record = fc.record({
  kind: fc.constantFrom('created' as const, 'forgotten' as const),
  key: fc.stringMatching(/^[a-z/0-9.]{1,40}$/),
  inode: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
  body: fc.uint8Array({ maxLength: 100 }),
});

function journalOf(records: readonly JournalRecord[], spare = 512): Buffer {
  return Buffer.concat([encodeHeader(BOOT_ID), ...records.map(encodeRecord), Buffer.alloc(spare)]);
}

function plain(records: readonly JournalRecord[] | undefined): unknown {
  return records?.map((one) => ({ ...one, body: [...one.body] }));
}

test('what is written is read', () => {
  fc.assert(
    fc.property(fc.array(record), fc.constantFrom(0, 8, 512), (records, spare) => {
      const content = decodeJournal(journalOf(records, spare));
      assert.equal(content?.bootId, BOOT_ID);
      assert.deepEqual(plain(content?.records), plain(records));
    }),
  );
});

test('a journal cut off or changed anywhere gives the records before the damage, none that is not whole', () => {
  fc.assert(
    fc.property(fc.array(record, { minLength: 1, maxLength: 5 }), fc.nat(), fc.nat(7), fc.boolean(), (records, where, bit, cut) => {
      const whole = journalOf(records, 0);
      const position = HEADER_BYTES + (where % (whole.length - HEADER_BYTES));
      const damaged = cut ? whole.subarray(0, position) : Buffer.from(whole);
      if (!cut) damaged[position] = damaged[position]! ^ (1 << bit);
      const found = plain(decodeJournal(damaged)?.records) as unknown[];
      assert.deepEqual(found, (plain(records) as unknown[]).slice(0, found.length));
      const before = records.filter((_, index) => journalOf(records.slice(0, index + 1), 0).length <= position);
      assert.ok(found.length >= before.length, 'a record before the damage is lost');
    }),
  );
});

test('what is no journal: null', () => {
  assert.equal(decodeJournal(Buffer.alloc(0)), null);
  assert.equal(decodeJournal(Buffer.alloc(1_000)), null);
  assert.equal(decodeJournal(encodeHeader(BOOT_ID).subarray(0, 40)), null);
});
