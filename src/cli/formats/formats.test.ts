/** The formats of `graphdb run`, to the character. */
import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { createFakeEngine, type FakeResult } from '../../http/engine.fixture.ts';
import { CypherDate, makeFloat, Node, type ResultValue } from '../../value/index.ts';
import { ANSWER_FORMATS, type AnswerFormat } from './index.ts';
import { formatTree } from './tree.ts';

async function format(name: AnswerFormat, result: FakeResult, isTTY = false): Promise<string> {
  const output = Object.assign(new PassThrough(), { isTTY });
  const written = text(output);
  await ANSWER_FORMATS[name](createFakeEngine({ execute: () => result }), { query: 'q', params: new Map() }, output);
  output.end();
  return written;
}

const NODE = new Node('n1', 0, ['Person'], new Map([['name', 'Ann']]));
const RESULT: FakeResult = {
  columns: ['name', 'value'],
  rows: [
    ['Ann', 9223372036854775807n],
    ['日本', makeFloat(1)],
    [null, [1, 'x']],
    ['', NODE],
    ['a,"b"\n', new CypherDate(0)],
  ],
};
const WRITTEN = { nodesCreated: 1, edgesCreated: 0, nodesDeleted: 0, edgesDeleted: 2, propertiesSet: 2, labelsAdded: 0, labelsRemoved: 0 };

test('table', async () => {
  const lines = [
    '+---------+-------------------------+',
    '| name    | value                   |',
    '+---------+-------------------------+',
    '| Ann     | 9223372036854775807     |',
    '| 日本    | 1.0                     |',
    "| null    | [1, 'x']                |",
    "|         | (:Person {name: 'Ann'}) |",
    '| a,"b"\\n | 1970-01-01              |',
    '+---------+-------------------------+',
    '5 rows',
    '',
  ];
  assert.equal(await format('table', RESULT), lines.join('\n'));
  assert.equal(await format('table', { columns: ['a'], rows: [] }), '+---+\n| a |\n+---+\n0 rows\n');
  assert.equal(
    await format('table', { columns: [], rows: [], writeOutcome: WRITTEN }),
    '1 node created, 2 relationships deleted, 2 properties set\n',
  );
  const nothing = Object.fromEntries(Object.keys(WRITTEN).map((name) => [name, 0])) as typeof WRITTEN;
  assert.equal(await format('table', { columns: [], rows: [], writeOutcome: nothing }), 'nothing changed\n');
  const schemaOutcome = { indexesAdded: 2, indexesRemoved: 0, constraintsAdded: 1, constraintsRemoved: 0 };
  assert.equal(
    await format('table', { columns: [], rows: [], writeOutcome: nothing, schemaOutcome }),
    '2 indexes added, 1 constraint added\n',
  );
  assert.equal(await format('table', { columns: ['\u001b[31m'], rows: [[1]] }).then((table) => table.includes('\u001b')), false);
});

test('a table may have more rows than a call takes arguments', async () => {
  const rows = Array.from({ length: 200_000 }, (_, i) => [i]);
  const table = await format('table', { columns: ['i'], rows });
  assert.ok(table.endsWith('| 199999 |\n+--------+\n200000 rows\n'));
});

test('json is the body of HTTP', async () => {
  const body =
    '{"columns":["a"],"rows":[{"a":1.0}],"write_outcome":{' +
    '"nodes_created":1,"edges_created":0,"nodes_deleted":0,"edges_deleted":2,"properties_set":2}}\n';
  assert.equal(await format('json', { columns: ['a'], rows: [[makeFloat(1)]], writeOutcome: WRITTEN }), body);
});

test('ndjson has a row per line', async () => {
  const rows: ResultValue[][] = [
    [1, 'x'],
    [null, new Map([['k', 2]])],
  ];
  assert.equal(await format('ndjson', { columns: ['a', 'b'], rows }), '{"a":1,"b":"x"}\n{"a":null,"b":{"k":2}}\n');
});

test('csv tells null from an empty string and quotes what needs it', async () => {
  const lines = [
    'name,value',
    'Ann,9223372036854775807',
    '日本,1.0',
    ',"[1,""x""]"',
    '"","{""_kind"":""node"",""id"":""n1"",""label"":""Person"",""labels"":[""Person""],""properties"":{""name"":""Ann""}}"',
    '"a,""b""\n",1970-01-01',
    '',
  ];
  assert.equal(await format('csv', RESULT), lines.join('\r\n'));
  assert.equal(await format('csv', { columns: [], rows: [], writeOutcome: WRITTEN }), '');
});

test('csv shows control characters on a terminal as escapes, and leaves them in a file', async () => {
  const result: FakeResult = { columns: ['a\u001b[2J'], rows: [['x\u0007\r\u009b1m\ty\nz']] };
  assert.equal(await format('csv', result, true), 'a\\u001b[2J\r\n"x\\u0007\\u000d\\u009b1m\ty\nz"\r\n');
  assert.equal(await format('csv', result), 'a\u001b[2J\r\n"x\u0007\r\u009b1m\ty\nz"\r\n');
});

test('a tree is JSON with exact numbers', () => {
  const tree = { kind: 'literal', value: 9223372036854775807n, span: { start: 0, end: 1 }, empty: [], items: [makeFloat(1), null] };
  const lines = [
    '{',
    '  "kind": "literal",',
    '  "value": 9223372036854775807,',
    '  "span": {',
    '    "start": 0,',
    '    "end": 1',
    '  },',
    '  "empty": [],',
    '  "items": [',
    '    1.0,',
    '    null',
    '  ]',
    '}',
  ];
  assert.equal(formatTree(tree), lines.join('\n'));
});

test('a statement ends when the reader of its rows has gone', async () => {
  for (const name of ['ndjson', 'csv'] as const) {
    const output = new PassThrough();
    output.on('error', () => {});
    let isLeft = false;
    async function* batches(): AsyncGenerator<ResultValue[][]> {
      try {
        for (let i = 0; ; i++) {
          // Standard output tells that its reader has gone, and is not destroyed.
          if (i === 3) output.emit('error', new Error('write EPIPE'));
          yield [[i]];
        }
      } finally {
        isLeft = true;
      }
    }
    const engine = createFakeEngine({ execute: () => RESULT });
    const stream = async () => ({ columns: ['x'], batches: batches(), summary: () => ({ type: 'read' as const, rows: 0 }) });
    assert.deepEqual(await ANSWER_FORMATS[name]({ ...engine, stream }, { query: 'q', params: new Map() }, output), []);
    assert.ok(isLeft);
  }
});

test('on a terminal values have no control characters', async () => {
  for (const name of ['json', 'ndjson', 'csv'] as const)
    assert.doesNotMatch(await format(name, { columns: ['a\u009b'], rows: [['\u001b[31m\u009b1m\u007f']] }, true), /(?![\r\n])\p{Cc}/u);
});
