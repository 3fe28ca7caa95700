/**
 * Statements and what becomes of them, in the `.txt` files beside this one: a statement is the lines that begin with `? `, the answer what
 * follows. `UPDATE_GOLDEN=1 node --test src/cypher/golden` writes the answers anew; what changed is read as a diff.
 *
 *   canonical.txt   the canonical text
 *   bound.txt       the bound statement as text, its columns and the types of its variables
 *   faults.txt      the message, its code and the TCK's name for it, under the place in the text
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { GraphDBError } from '../../base/index.ts';
import type { ProcedureSignature } from '../binder/analysis.ts';
import { analyze } from '../binder/analyze.ts';
import { formatStatement } from '../format/statement.ts';
import { parse } from '../parser/parse.ts';

const folder = new URL('.', import.meta.url);
const isUpdating = process.env['UPDATE_GOLDEN'] === '1';

const PROCEDURES: Readonly<Record<string, ProcedureSignature>> = {
  'db.labels': { name: 'db.labels', inputs: [], outputs: [{ name: 'label', type: 'STRING' }] },
  'test.find': {
    name: 'test.find',
    inputs: [
      { name: 'name', type: 'STRING?' },
      { name: 'limit', type: 'INTEGER?', optional: true },
    ],
    outputs: [
      { name: 'node', type: 'NODE' },
      { name: 'score', type: 'FLOAT' },
    ],
  },
};

const bind = (text: string) =>
  analyze(parse(text), text, { procedures: (name) => PROCEDURES[name], procedureNames: () => Object.keys(PROCEDURES) });

function boundText(text: string): string {
  const { statement, columns, variableTypes, writes, parameters } = bind(text);
  const lines = [formatStatement(statement)];
  lines.push(`columns: ${columns.map(({ name, variable }) => (name === variable ? name : `${name} = ${variable}`)).join(', ') || '-'}`);
  lines.push(`types: ${[...variableTypes].map(([name, type]) => `${name} ${type}`).join(', ') || '-'}`);
  if (writes) lines.push('writes');
  if (parameters.size > 0) lines.push(`parameters: ${[...parameters].join(', ')}`);
  return lines.join('\n');
}

function faultText(text: string): string {
  try {
    bind(text);
  } catch (error) {
    assert(error instanceof GraphDBError, String(error));
    const { line = 0, column = 0, code, tck, message } = error;
    const pointed = line === 1 ? `  ${' '.repeat(column - 1)}^\n` : '';
    return `${pointed}${line}:${column} ${message}\n${code} ${tck?.type === 'SyntaxError' ? '' : `${tck?.type} `}${tck?.detail}`;
  }
  return 'no fault';
}

const ANSWERS: Readonly<Record<string, (text: string) => string>> = {
  'canonical.txt': (text) => formatStatement(parse(text)),
  'bound.txt': boundText,
  'faults.txt': faultText,
};

interface Case {
  readonly statement: string;
  readonly answer: string;
}

function readCases(text: string): readonly Case[] {
  return text
    .split(/\n(?=\? )(?<!^\? .*\n)/m)
    .filter((block) => block.startsWith('? '))
    .map((block) => {
      const lines = block.split('\n');
      const own = lines.filter((line) => line.startsWith('? '));
      return { statement: own.map((line) => line.slice(2)).join('\n'), answer: lines.slice(own.length).join('\n').trimEnd() };
    });
}

function writeCase({ statement, answer }: Case): string {
  return `${statement.replace(/^/gm, '? ')}\n${answer}\n`;
}

for (const name of readdirSync(folder).filter((file) => file.endsWith('.txt'))) {
  const file = new URL(name, folder);
  const cases = readCases(readFileSync(file, 'utf8'));
  const answer = ANSWERS[name]!;
  assert(cases.length > 0, `${name} has cases`);
  if (isUpdating) writeFileSync(file, cases.map(({ statement }) => writeCase({ statement, answer: answer(statement) })).join('\n'));
  else for (const each of cases) test(`${name}: ${each.statement}`, () => assert.equal(answer(each.statement), each.answer));
}
