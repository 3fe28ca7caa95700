import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FunctionBuilder } from './function-builder.ts';

function written(write: (f: FunctionBuilder) => void): string {
  let names = 0;
  const f = new FunctionBuilder('f', (prefix) => `${prefix}${++names}`);
  write(f);
  const lines = f.text('').split('\n');
  return lines
    .slice(1, -1)
    .map((line) => line.slice(2))
    .join('\n');
}

test('what was put off is written as far inside as it is first named, and not at all if nobody names it', () => {
  const text = written((f) => {
    f.later('x', 'nobody');
    const row = f.later('row', 'n - base');
    const x = f.later('x', `a[${row}]`);
    f.open('if (c) {');
    f.emit(`use(${x});`);
    f.emit(`use(${x});`);
    f.close();
  });
  assert.equal(text, 'if (c) {\n  const row2 = n - base;\n  const x3 = a[row2];\n  use(x3);\n  use(x3);\n}');
});

test('what was put off before a loop is written before it, and of two such loops before the outer one', () => {
  const text = written((f) => {
    const x = f.later('x', 'a[n]');
    f.open('for (const m of ms) {');
    f.openLoop('for (; k < end; k++) {', null);
    f.open(`if (b[k] > ${x}) {`);
    f.close();
    f.closeLoop();
    f.close();
    f.emit(`use(${x});`);
  });
  assert.equal(
    text,
    'const x1 = a[n];\nfor (const m of ms) {\n  for (; k < end; k++) {\n    if (b[k] > x1) {\n    }\n  }\n}\nuse(x1);'.replaceAll(
      '\n\n',
      '\n',
    ),
  );
});

test('what a comparison alone lets through is counted by its outcome, anything else by a jump', () => {
  const counted = (header: string, before = '', after = ''): string =>
    written((f) => {
      f.open(header);
      if (before !== '') f.emit(before);
      f.increment('n');
      if (after !== '') f.emit(after);
      f.close();
    });
  assert.equal(counted('if ((a1[row2] > p3)) {'), 'n += +(a1[row2] > p3);');
  assert.equal(counted('if ((a1 === 7)) {'), 'n += +(a1 === 7);');
  for (const header of ['if ((a1 > p3 && b1 > 2)) {', 'if (f(a1) > p3) {', 'if (x1) {', 'for (; k < end; k++) {']) {
    assert.equal(counted(header), `${header}\n  n += 1;\n}`);
  }
  assert.equal(counted('if ((a1 > p3)) {', 'use(a1);'), 'if ((a1 > p3)) {\n  use(a1);\n  n += 1;\n}');
  assert.equal(counted('if ((a1 > p3)) {', '', 'm += a1;'), 'if ((a1 > p3)) {\n  n += 1;\n  m += a1;\n}');
});

test('what was put off inside a loop is written inside it, and again where the first place is out of sight', () => {
  const text = written((f) => {
    f.open('for (const n of ns) {');
    const x = f.later('x', 'a[n]');
    f.open('if (c) {');
    f.emit(`use(${x});`);
    f.reopen('} else {');
    f.emit(`use(-${x});`);
    f.close();
    f.close();
  });
  assert.equal(
    text,
    'for (const n of ns) {\n  if (c) {\n    const x1 = a[n];\n    use(x1);\n  } else {\n    const x1 = a[n];\n    use(-x1);\n  }\n}',
  );
});

test('lines that are written elsewhere hold the code itself', () => {
  const text = written((f) => {
    const row = f.later('row', 'n - base');
    const x = f.later('x', `a[${row}]`);
    f.anchor('n');
    f.emitLater(() => `late(${x});`);
    f.atAnchor('n', [`known(${x});`]);
    const captured = f.capture(() => f.emit(`use(${x});`));
    f.open('if (c) {');
    f.append(captured);
    f.emit(`use(${x});`);
    f.reopen(`} else if (${x}) {`);
    f.close();
  });
  assert.match(text, /^known\(\(a\[\(n - base\)\]\)\);\nlate\(\(a\[\(n - base\)\]\)\);\nif \(c\) \{\n/);
  assert.equal(text.match(/const x\d+ = /g)?.length, 1);
  assert.match(text, /\} else if \(\(a\[\(n - base\)\]\)\) \{/);
});
