/** The commands of the shell: lines that begin with a colon. */
import { createReadStream } from 'node:fs';
import { GraphDBError } from '../../base/index.ts';
import { Node, Path, Relationship, type ResultValue, type Value } from '../../value/index.ts';
import { paint, withoutControls } from '../terminal.ts';
import { readCatalog } from './catalog.ts';
import type { Session, ShellCommand } from './session.ts';
import { StatementSplitter } from './statement-splitter.ts';

/** The commands of the shell. */
export const COMMANDS: readonly ShellCommand[] = [
  { names: ['help', '?'], usage: '', help: 'this list', run: help },
  { names: ['explain'], usage: '<query>', help: 'the plan of a query, without running it', run: explain },
  { names: ['profile'], usage: '<query>', help: 'run a query, and show its plan with rows and times', run: profile },
  { names: ['param'], usage: '<name> => <expression>', help: 'set a parameter to the value of an expression', run: setParameter },
  { names: ['params'], usage: '[clear | {name: value, …}]', help: 'show, clear or set parameters', run: parameters },
  { names: ['schema'], usage: '', help: 'labels, types, property keys, indexes and constraints', run: schema },
  { names: ['use'], usage: '<namespace>', help: 'go on in another namespace of the same place or server', run: use },
  { names: ['timing'], usage: 'on|off', help: 'show how long statements take', run: timing },
  { names: ['source'], usage: '<file>', help: 'run the statements of a file; the first failure ends it', run: source },
  { names: ['begin'], usage: '', help: 'open a transaction', run: (session) => session.connection.begin() },
  { names: ['commit'], usage: '', help: 'make it durable', run: (session) => session.connection.commit() },
  { names: ['rollback'], usage: '', help: 'undo it', run: (session) => session.connection.rollback() },
  { names: ['exit', 'quit', 'q'], usage: '', help: 'leave; so does Ctrl-D', run: exit },
];

async function help(session: Session): Promise<void> {
  const lines = COMMANDS.map(({ names, usage, help: text }) => `  ${`:${names[0]} ${usage}`.padEnd(36)}${text}`);
  const notes = [
    'A statement ends with a semicolon and may have several lines. Tab completes labels, types, keys, functions and keywords.',
  ];
  session.output.write([...lines, '', ...notes, 'Ctrl-C stops what runs, or forgets what is typed.'].map((line) => `${line}\n`).join(''));
}

async function explain(session: Session, rest: string): Promise<void> {
  session.output.write(`${withoutControls((await session.connection.explain(required(rest, 'explain'))).trimEnd())}\n`);
}

async function profile(session: Session, rest: string): Promise<void> {
  await session.statement(`PROFILE ${required(rest, 'profile')}`);
}

async function setParameter(session: Session, rest: string): Promise<void> {
  const match = /^(?:`(?<quoted>[^`]+)`|(?<plain>[\p{L}_][\p{L}\p{N}_]*))\s*(?:=>|:)\s*(?<expression>[\s\S]+)$/u.exec(rest);
  const name = match?.groups?.['quoted'] ?? match?.groups?.['plain'];
  if (name === undefined) throw usage('param');
  session.params.set(name, await evaluate(session, match?.groups?.['expression'] ?? ''));
}

async function parameters(session: Session, rest: string): Promise<void> {
  if (rest === 'clear') session.params.clear();
  else if (rest !== '') {
    const map = await evaluate(session, rest);
    if (!(map instanceof Map)) throw usage('params');
    for (const [name, value] of map) session.params.set(name, value);
  } else for (const [name, value] of session.params) session.output.write(`$${withoutControls(name)} = ${session.show(value)}\n`);
}

/** Evaluates a Cypher expression, in which other parameters may stand. */
async function evaluate(session: Session, expression: string): Promise<Value> {
  const { rows } = await session.query(`RETURN ${expression} AS value`);
  return parameterValue(rows[0]?.[0] ?? null);
}

function parameterValue(value: ResultValue): Value {
  if (holdsEntity(value)) throw new GraphDBError('ARGUMENT_ERROR', 'a node, relationship or path is no parameter; use identifiers');
  return value as Value; // What is left are values without references.
}

function holdsEntity(value: ResultValue): boolean {
  if (Array.isArray(value)) return value.some(holdsEntity);
  if (value instanceof Map) return [...value.values()].some(holdsEntity);
  return value instanceof Node || value instanceof Relationship || value instanceof Path;
}

async function schema(session: Session): Promise<void> {
  const { labels, types, keys } = await readCatalog(session);
  const section = (title: string, lines: readonly string[]): void => {
    const shown = lines.length === 0 ? ['none'] : lines.map(withoutControls);
    session.output.write(`${paint(session.output, 'bold', title)}\n${shown.map((line) => `  ${line}\n`).join('')}`);
  };
  section('labels', labels);
  section('relationship types', types);
  section('property keys', keys);
  for (const what of ['INDEXES', 'CONSTRAINTS']) {
    const { rows } = await session.query(`SHOW ${what} YIELD createStatement RETURN createStatement`);
    section(what.toLowerCase(), rows.map(String));
  }
}

async function use(session: Session, rest: string): Promise<void> {
  const former = session.connection;
  session.connection = await former.use(
    required(rest, 'use')
      .replace(/^`(.*)`$/, '$1')
      .replace(/;$/, ''),
  );
  await former.close();
}

async function timing(session: Session, rest: string): Promise<void> {
  if (rest !== 'on' && rest !== 'off') throw usage('timing');
  session.timing = rest === 'on';
}

async function source(session: Session, rest: string): Promise<void> {
  const splitter = new StatementSplitter();
  const runAll = async (inputs: ReturnType<StatementSplitter['push']>): Promise<void> => {
    for (const input of inputs) {
      if (session.isOver) return;
      if (!(await session.run(input)))
        throw new GraphDBError('ARGUMENT_ERROR', `${rest}: a statement failed; the rest of the file was not run`);
    }
  };
  const stream = createReadStream(required(rest, 'source'), 'utf8');
  try {
    for await (const piece of stream) await runAll(splitter.push(String(piece)));
  } catch (error) {
    if (error instanceof Error && 'syscall' in error) throw new GraphDBError('ARGUMENT_ERROR', `cannot read ${rest}: ${error.message}`);
    throw error;
  }
  await runAll(splitter.finish());
}

async function exit(session: Session): Promise<void> {
  session.isOver = true;
}

function required(rest: string, name: string): string {
  if (rest === '') throw usage(name);
  return rest;
}

function usage(name: string): GraphDBError {
  const command = COMMANDS.find(({ names }) => names.includes(name));
  return new GraphDBError('ARGUMENT_ERROR', `the form is :${name} ${command?.usage ?? ''}`);
}
