/** The parts of the shell: cutting text into statements, wherever its pieces end, and completion. */
import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { COMMANDS } from './commands.ts';
import { complete } from './completion.ts';
import { connect } from './connection.ts';
import { Session } from './session.ts';
import { type ShellInput, StatementSplitter } from './statement-splitter.ts';

const TEXT = `// one; two
RETURN ';' AS a, "b;\\"" AS b, \`c;\` AS c; RETURN 1 // end;
/ 2;;
:params
/* a ; *
:not a command */ :param x => 1;
  :source a b
RETURN 'http://x' /* * / ; */ + '\\\\';
 :notcommand RETURN 3`;

function split(pieces: readonly string[]): string[] {
  const splitter = new StatementSplitter();
  const inputs: ShellInput[] = pieces.flatMap((piece) => splitter.push(piece));
  return [...inputs, ...splitter.finish()].map(({ kind, text }) => `${kind}: ${text}`);
}

const EXPECTED = [
  `statement: // one; two\nRETURN ';' AS a, "b;\\"" AS b, \`c;\` AS c`,
  'statement: RETURN 1 // end;\n/ 2',
  'command: :params',
  'statement: /* a ; *\n:not a command */ :param x => 1',
  'command: :source a b',
  "statement: RETURN 'http://x' /* * / ; */ + '\\\\'",
  'command: :notcommand RETURN 3',
];

test('text becomes statements and commands', () => {
  assert.deepEqual(split([TEXT]), EXPECTED);
  assert.deepEqual(split(['RETURN 1']), ['statement: RETURN 1']);
  assert.deepEqual(split([' \n// nothing\n;;\n']), []);
  assert.deepEqual(split(['RETURN 1;\n', ':exit\n']), ['statement: RETURN 1', 'command: :exit']);
});

test('wherever the pieces end, the statements are the same', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(TEXT.length), { maxLength: 12 }), (cuts) => {
      const places = [0, ...cuts.sort((a, b) => a - b), TEXT.length];
      assert.deepEqual(split(places.slice(1).map((end, index) => TEXT.slice(places[index], end))), EXPECTED);
    }),
  );
});

test('a statement is under way from its first word to its semicolon', () => {
  const splitter = new StatementSplitter();
  const isEmptyAfter = (text: string): boolean => {
    splitter.push(text);
    return splitter.isEmpty;
  };
  assert.deepEqual(['// c\n', 'RETURN', ' 1;\n', "RETURN 'a", "';", '/* '].map(isEmptyAfter), [true, false, true, false, true, false]);
});

test('what may stand where the cursor is', () => {
  const context = {
    labels: ['Person', 'Odd name', 'Place'],
    types: ['KNOWS', 'PART_OF'],
    keys: ['name', 'nation', 'od d'],
    functions: ['abs', 'date.truncate', 'date'],
    parameters: ['min', 'max'],
    commands: ['param', 'params', 'help'],
  };
  const cases: [string, string[]][] = [
    ['MATCH (p:P', ['Person', 'Place']],
    ['MATCH (p:o', ['`Odd name`']],
    ['MATCH (p:Person|Pl', ['Place']],
    ['MATCH ()-[:', ['KNOWS', 'PART_OF']],
    ['MATCH (p:Person)-[r:kn', ['KNOWS']],
    ['RETURN p.na', ['name', 'nation']],
    ['RETURN p.o', ['`od d`']],
    ['RETURN date.t', ['date.truncate(']],
    ['MATCH (p {na', ['name', 'nation']],
    ['RETURN $m', ['$min', '$max']],
    ['retu', ['return']],
    ['RETURN AB', ['abs(']],
    [':para', [':param', ':params']],
  ];
  for (const [line, expected] of cases) assert.deepEqual(complete(line, context)[0], expected, line);
});

test('nodes, relationships and paths are no parameters, within lists and maps neither', async () => {
  const output = new PassThrough();
  const written = text(output);
  const connection = await connect('memory://shell-parameters', { readOnly: false, onWriter: () => {} });
  const session = new Session(connection, { input: new PassThrough(), output, errors: output }, { commands: COMMANDS, timing: false });
  const run = (kind: ShellInput['kind'], given: string) => session.run({ kind, text: given });
  assert.ok(await run('statement', 'CREATE (:`\u001b[31mA`)-[:R]->()'));
  for (const expression of ['COLLECT { MATCH (n) RETURN n }', '{a: [COLLECT { MATCH p = ()-->() RETURN p }]}'])
    assert.ok(!(await run('command', `:param x => ${expression}`)), expression);
  assert.ok(await run('command', ':param x => [1, {a: date("2024-01-01")}]'));
  assert.ok(await run('command', ':schema'));
  await connection.close();
  output.end();
  assert.match(await written, /\\u001b\[31mA/);
  assert.ok(!(await written).includes('\u001b'));
});
