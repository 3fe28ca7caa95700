/**
 * The examples of docs/COMPAT.md: a block of statements (`cypher`), and behind it what the last of them answers
 * (`result`: the columns, then the rows, as the REPL writes values; `error`: the code, the place and the message;
 * `warning`: the notifications).
 */

import { GraphDBError } from '../../src/base/index.ts';
import type { Engine, StatementResult } from '../../src/engine/index.ts';
import { literalText } from '../../src/value/index.ts';

const BLOCK = /^```(cypher|result|error|warning|plan)\n(.*?)^```$/gms;
const ANSWER = /^```cypher\n.*?^```\n(?:\n?```(?:result|error|warning|plan)\n.*?^```\n)?/gms;

export interface Example {
  /** 1-based, in the document. */
  readonly line: number;
  readonly statements: readonly string[];
  readonly kind: 'none' | 'result' | 'error' | 'warning' | 'plan';
  readonly answer: string;
}

export function examplesOf(document: string): Example[] {
  return [...document.matchAll(ANSWER)].map((match) => {
    const [query, answer] = [...match[0].matchAll(BLOCK)];
    const statements = query![2]!
      .split(/;\s*\n/)
      .map((statement) => statement.trim())
      .filter((statement) => statement !== '');
    const line = document.slice(0, match.index).split('\n').length;
    return { line, statements, kind: (answer?.[1] ?? 'none') as Example['kind'], answer: answer?.[2] ?? '' };
  });
}

/** Runs an example, and returns its answer as the document writes it. */
export async function run(engine: Engine, { statements, kind }: Example): Promise<{ kind: Example['kind']; answer: string }> {
  for (const statement of statements.slice(0, -1)) await engine.execute(statement, new Map());
  try {
    return shown(await engine.execute(statements.at(-1)!, new Map()), kind);
  } catch (error) {
    if (!(error instanceof GraphDBError)) throw error;
    const place = error.line === undefined ? '' : ` (line ${error.line}, column ${error.column})`;
    return { kind: 'error', answer: `${error.code}${place}: ${error.message}\n` };
  }
}

function shown(result: StatementResult, wanted: Example['kind']): { kind: Example['kind']; answer: string } {
  if (wanted === 'warning')
    return {
      kind: 'warning',
      answer: (result.notifications ?? []).map((one) => `${one.line}:${one.column} ${one.description}\n`).join(''),
    };
  if (wanted === 'plan') return { kind: 'plan', answer: `${(result.plan ?? '').replace(/[\d.e+]+ ms/g, '… ms')}\n` };
  if (result.columns.length === 0) return { kind: 'none', answer: '' };
  const rows = result.rows.map((row) => row.map(literalText).join(' | '));
  return { kind: 'result', answer: [result.columns.join(' | '), ...rows].map((line) => `${line}\n`).join('') };
}

/** The document with other answers; one per example, in order. */
export function withAnswers(document: string, answers: readonly { kind: Example['kind']; answer: string }[]): string {
  let next = 0;
  return document.replace(ANSWER, (text) => {
    const { kind, answer } = answers[next++]!;
    const query = /^```cypher\n.*?^```\n/ms.exec(text)![0];
    return kind === 'none' ? query : `${query}\`\`\`${kind}\n${answer}\`\`\`\n`;
  });
}
