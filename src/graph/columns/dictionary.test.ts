import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Dictionary } from './dictionary.ts';

/** Few, so that the same come again; one too long for the map of short strings. */
const TEXTS = fc.oneof(
  fc.integer({ min: 0, max: 60 }).map((i) => `text ${i}`),
  fc.integer({ min: 0, max: 5 }).map((i) => `long ${i} `.repeat(20)),
);

const STEPS = fc.array(
  fc.oneof(
    { weight: 20, arbitrary: fc.record({ step: fc.constant('intern' as const), text: TEXTS }) },
    { weight: 2, arbitrary: fc.record({ step: fc.constant('truncate' as const), back: fc.integer({ min: 0, max: 40 }) }) },
    { weight: 1, arbitrary: fc.record({ step: fc.constant('share' as const) }) },
  ),
  { maxLength: 300 },
);

test('strings that were taken back are gone, others have the codes that they had', () => {
  fc.assert(
    fc.property(STEPS, (steps) => {
      const dictionary = new Dictionary();
      const texts: string[] = [];
      let kept = 0;
      for (const each of steps) {
        if (each.step === 'share') kept = dictionary.share().size;
        else if (each.step === 'truncate') {
          texts.length = Math.max(kept, texts.length - each.back);
          dictionary.truncate(Math.max(0, dictionary.size - each.back));
        } else {
          const known = texts.indexOf(each.text);
          assert.equal(dictionary.intern(each.text), known < 0 ? texts.push(each.text) - 1 : known);
        }
        assert.equal(dictionary.size, texts.length);
      }
      for (const [code, text] of texts.entries()) {
        assert.equal(dictionary.find(text), code);
        assert.equal(dictionary.decode(code), text);
      }
      assert.equal(dictionary.find('text of none'), -1);
    }),
  );
});

test('another thread that was given a dictionary reads its strings, whatever is taken back and added since', () => {
  const dictionary = new Dictionary();
  for (let i = 0; i < 100; i++) dictionary.intern(`text ${i}`);
  const other = new Dictionary();
  other.follow(dictionary.share());
  for (let i = 100; i < 120; i++) dictionary.intern(`text ${i}`);
  dictionary.truncate(0);
  assert.equal(dictionary.size, 100);
  for (let i = 0; i < 20; i++) dictionary.intern(`another ${i}`);
  for (let i = 0; i < 100; i++) assert.equal(other.find(`text ${i}`), i);
  assert.equal(other.find('text 100'), -1);
  other.follow(dictionary.share());
  assert.equal(other.decode(100), 'another 0');
});

test('long strings that are taken back leave no memory in use', () => {
  const dictionary = new Dictionary();
  dictionary.intern('text');
  for (let i = 0; i < 20; i++) dictionary.intern(`${i}`.repeat(1_000_000));
  dictionary.truncate(1);
  assert.ok(dictionary.entries().heap.buffer.byteLength < 1_000);
  assert.equal(dictionary.decode(0), 'text');
});
