/** Values, CSV, streams of rows and places of faults in the console, without a browser. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { run } from '../../console/api.ts';
import { placeOf } from '../../console/fault-place.ts';
import { clipboardText, csvText, isNode, isRelationship, jsonText, shortText } from '../../console/values.ts';

const CONNECTION = { token: null, namespace: null };

/** Answers requests with these bytes, so many at a time; returns the bodies of the requests. */
function answerWith(context: TestContext, lines: readonly string[], pieceBytes = 1 << 16): string[] {
  const bytes = new TextEncoder().encode(lines.map((line) => `${line}\n`).join(''));
  const bodies: string[] = [];
  context.mock.method(globalThis, 'fetch', async (_url: unknown, { body }: RequestInit) => {
    bodies.push(String(body));
    let at = 0;
    return new Response(
      new ReadableStream({
        pull(controller) {
          controller.enqueue(bytes.slice(at, at + pieceBytes));
          at += pieceBytes;
          if (at >= bytes.length) controller.close();
        },
      }),
    );
  });
  return bodies;
}

const answerOf = (rows: number): string[] => [
  '{"type":"header","columns":["x"]}',
  ...Array.from({ length: rows }, (_, i) => `{"type":"row","row":{"x":${i}}}`),
  `{"type":"summary","rows":${rows},"elapsed_ms":1}`,
];

test('statements run on pages of plain http, where there is no randomUUID', async (context) => {
  const bodies = answerWith(context, answerOf(1));
  const { randomUUID } = crypto;
  try {
    Object.defineProperty(crypto, 'randomUUID', { value: undefined, configurable: true });
    assert.deepEqual((await run(CONNECTION, 'q', { parameters: { n: 2n ** 60n, s: '1n' } })).rows, [{ x: 0 }]);
  } finally {
    Object.defineProperty(crypto, 'randomUUID', { value: randomUUID, configurable: true });
  }
  assert.deepEqual(bodies, ['{"query":"q","params":{"n":1152921504606846976,"s":"1n"}}']);
});

test('an answer is cut only if there are more rows than the console takes', async (context) => {
  answerWith(context, answerOf(3));
  assert.equal((await run(CONNECTION, 'q', { mostRows: 3 })).isCut, false);
  const { rows, isCut } = await run(CONNECTION, 'q', { mostRows: 2 });
  assert.deepEqual([rows.length, isCut], [2, true]);
});

test('an answer is whole wherever its pieces end', async (context) => {
  answerWith(
    context,
    ['{"type":"header","columns":["x"]}', '{"type":"row","row":{"x":"ä😀\\n"}}', '{"type":"summary","rows":1,"elapsed_ms":1}'],
    5,
  );
  assert.deepEqual((await run(CONNECTION, 'q')).rows, [{ x: 'ä😀\n' }]);
});

test('a map with a key _kind is no node', () => {
  for (const value of [{ _kind: 'node' }, { _kind: 'rel' }, { _kind: 'node', id: 'a', labels: [1], properties: {} }]) {
    assert.ok(!isNode(value) && !isRelationship(value));
    assert.equal(shortText(value), JSON.stringify(value));
  }
  assert.ok(isNode({ _kind: 'node', id: 'a', label: 'L', labels: ['L'], properties: {} }));
  assert.ok(isRelationship({ _kind: 'rel', id: 'a', edge_type: 'T', src: 'b', dst: 'c', properties: {} }));
});

test('JSON has large integers as they are, and texts too', () => {
  assert.equal(
    jsonText({ '\u00011\u0001': '\u00015\u0001', n: -(2n ** 60n) }),
    '{"\\u00011\\u0001":"\\u00015\\u0001","n":-1152921504606846976}',
  );
});

test('what is saved or copied for a spreadsheet holds no formula, and tells null from an empty text', () => {
  const texts = ['=HYPERLINK("http://x")', '+1+cmd', '-1', '+49 170', '@A1', 'a=b', '', null];
  const rows = [...texts, -1, ['=1'], 'a\tb'].map((x) => ({ x }));
  const csv = ['x', `"'=HYPERLINK(""http://x"")"`, "'+1+cmd", '-1', '+49 170', "'@A1", 'a=b', '""', '', '-1', '"[""=1""]"', 'a\tb'];
  assert.deepEqual(csvText(['x'], rows).split('\r\n'), csv);
  assert.equal(clipboardText(['=c', 'x'], [{ '=c': 'a\tb', x: '=1' }]), '\'=c\tx\n"a\tb"\t\'=1');
});

test('a fault stands where the editor has it, behind blanks and behind EXPLAIN', () => {
  const edited = '\n\n  MATCH (n)\nRETURN m';
  assert.equal(placeOf(edited, edited, { line: 2, column: 8 }), edited.indexOf('m', 12));
  assert.equal(placeOf(edited, edited, { line: 1, column: 1 }), 4);
  assert.equal(placeOf('EXPLAIN RETURN m', ' RETURN m', { line: 1, column: 16 }), 8);
  assert.equal(placeOf('EXPLAIN RETURN m', 'RETURN x', { line: 1, column: 16 }), null);
  assert.equal(placeOf('RETURN m', 'RETURN m', { line: undefined, column: undefined }), null);
});
