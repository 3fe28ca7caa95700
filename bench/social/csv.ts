/** The social network as CSV files without header lines; the headers for `graphdb import` are files of their own beside them. */
import { once } from 'node:events';
import { createWriteStream, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { dayOf, idOf, NONE, type SocialGraph, socialGraph } from './graph.ts';

const HEADERS: Readonly<Record<string, string>> = {
  person: 'id:ID(Person){id-type: long},name:string,age:int,city:string',
  message: 'id:ID(Message){id-type: long},:LABEL,text:string,created:int,day:date,length:int',
  tag: 'id:ID(Tag){id-type: long},name:string',
  knows: ':START_ID(Person),:END_ID(Person),since:int',
  has_creator: ':START_ID(Message),:END_ID(Person)',
  reply_of: ':START_ID(Message),:END_ID(Message)',
  likes: ':START_ID(Person),:END_ID(Message),at:int',
  has_tag: ':START_ID(Message),:END_ID(Tag)',
};

/** Writes the files unless they are there. */
export async function writeFiles(folder: string, scale: number): Promise<void> {
  const done = join(folder, 'complete');
  if (existsSync(done)) return;
  mkdirSync(folder, { recursive: true });
  for (const [name, header] of Object.entries(HEADERS)) writeFileSync(join(folder, `${name}-header.csv`), `${header}\n`);
  for (const [name, rows] of Object.entries(rowsOf(socialGraph(scale)))) await writeLines(join(folder, `${name}.csv`), rows);
  writeFileSync(done, '');
}

function rowsOf(graph: SocialGraph): Readonly<Record<string, Iterable<string>>> {
  const person = (index: number): number => idOf('person', index);
  const message = (index: number): number => idOf('message', index);
  const { names, ages, cities, replyTo, texts, created } = graph;
  return {
    person: map(graph.persons, (i) => `${person(i)},${names[i]},${ages[i]},${cities[i]}`),
    message: map(graph.messages, (i) => {
      const kind = replyTo[i] === NONE ? 'Post' : 'Comment';
      return `${message(i)},${kind},${texts[i]},${created[i]},${dayOf(created[i]!)},${texts[i]!.length}`;
    }),
    tag: map(graph.tags, (i) => `${idOf('tag', i)},Tag ${i}`),
    knows: map(graph.knowsFrom.length, (i) => `${person(graph.knowsFrom[i]!)},${person(graph.knowsTo[i]!)},${graph.knowsSince[i]}`),
    has_creator: map(graph.messages, (i) => `${message(i)},${person(graph.creators[i]!)}`),
    reply_of: replies(graph),
    likes: map(graph.likesFrom.length, (i) => `${person(graph.likesFrom[i]!)},${message(graph.likesTo[i]!)},${graph.likesAt[i]}`),
    has_tag: map(graph.taggedTag.length, (i) => `${message(graph.taggedMessage[i]!)},${idOf('tag', graph.taggedTag[i]!)}`),
  };
}

function* map(count: number, line: (index: number) => string): Generator<string> {
  for (let i = 0; i < count; i++) yield line(i);
}

function* replies({ replyTo }: SocialGraph): Generator<string> {
  for (let i = 0; i < replyTo.length; i++) if (replyTo[i] !== NONE) yield `${idOf('message', i)},${idOf('message', replyTo[i]!)}`;
}

async function writeLines(file: string, rows: Iterable<string>): Promise<void> {
  const out = createWriteStream(file);
  let lines: string[] = [];
  for (const row of rows) {
    if (lines.push(row) < 10_000) continue;
    if (!out.write(`${lines.join('\n')}\n`)) await once(out, 'drain');
    lines = [];
  }
  out.end(lines.length > 0 ? `${lines.join('\n')}\n` : '');
  await once(out, 'finish');
}
