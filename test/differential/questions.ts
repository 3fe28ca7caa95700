/** A query with the answer that the oracle gives. */
import { GraphDBError } from '../../src/base/index.ts';
import type { Engine } from '../../src/engine/index.ts';
import { disagreement, type Expectation, expectationOf } from './compare.ts';
import type { Counts } from './counts.ts';
import { PARAMETERS } from './generate/parameters.ts';
import { Unknown } from './oracle/context.ts';
import type { ModelGraph } from './oracle/model.ts';
import { runOracle } from './oracle/oracle.ts';
import type { Way } from './ways.ts';

export interface Question {
  readonly query: string;
  readonly expected: Expectation | 'error' | Refusal;
}

/** The parser, which the oracle shares, does not read what is right Cypher. */
export interface Refusal {
  readonly refusal: GraphDBError;
}

export function isRefusal(expected: Question['expected']): expected is Refusal {
  return typeof expected === 'object' && 'refusal' in expected;
}

/** null: the oracle cannot tell. */
export function ask(query: string, graph: ModelGraph, counts: Counts): Question | null {
  try {
    const picks = /\bDISTINCT\b|\bUNION\b|\b(count|sum|avg|min|max|collect)\(/.test(query);
    return { query, expected: expectationOf(runOracle(query, graph, PARAMETERS), graph, picks) };
  } catch (error) {
    if (error instanceof GraphDBError) return { query, expected: error.code === 'SYNTAX_ERROR' ? { refusal: error } : 'error' };
    if (!(error instanceof Unknown)) throw new Error(`the oracle failed on: ${query}`, { cause: error });
    counts.skipped++;
    return null;
  }
}

/** null: it agrees. */
export async function checkOne({ query, expected }: Question, way: Way, engine: Engine, counts: Counts): Promise<string | null> {
  if (isRefusal(expected)) return `it failed: ${expected.refusal.stack}`;
  try {
    const answer = await way.run(query, engine);
    counts.rows += answer.rows.length;
    if (answer.rows.length > 0) counts.answered++;
    return expected === 'error' ? null : disagreement(answer, expected);
  } catch (error) {
    // A value that the oracle's order of evaluation met with an error, another order need not meet; an error of the
    // machine's is always one of ours.
    if (expected === 'error' && error instanceof GraphDBError && error.code !== 'INTERNAL') {
      counts.refused++;
      return null;
    }
    return `it failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
  }
}
