/** The content of a snapshot, and other ways to look at it: by label, by index, by count, from the targets' side. */
import type { Value } from '../../src/value/index.ts';
import type { Random } from '../support/random.ts';
import { stateText } from './model.ts';
import { assertSame } from './violation.ts';

/** Rows of a statement, in one snapshot. */
export type Ask = (query: string, params?: ReadonlyMap<string, Value>) => Promise<unknown[][]>;

export interface Content {
  /** k, v, t, is marked. */
  readonly nodes: readonly (readonly unknown[])[];
  /** k, t. */
  readonly rare: readonly (readonly unknown[])[];
  /** Source, target, w. */
  readonly relationships: readonly (readonly unknown[])[];
  /** Their numbers, in the order in which they were carried out. */
  readonly operations: readonly number[];
  /** Operations whose transaction had a second statement. */
  readonly seen: ReadonlySet<number>;
}

export const OUTGOING = 'MATCH (a:N)-[r:R]->(b) RETURN a.k, b.k, r.w';

/** `rows`: labels, k, v, t, number, seen, id of every node. */
export function contentOf(rows: readonly unknown[][], relationships: readonly unknown[][]): Content {
  const nodes: unknown[][] = [];
  const rare: unknown[][] = [];
  const operations: { number: number; ordinal: number }[] = [];
  const seen = new Set<number>();
  for (const [labels, k, v, t, number, isSeen, id] of rows) {
    const names = labels as string[];
    if (names.includes('Op')) {
      // Identifiers that the engine makes are `n` and the ordinal.
      operations.push({ number: Number(number), ordinal: Number(String(id).slice(1)) });
      if (isSeen === true) seen.add(Number(number));
    } else if (names.includes('Rare')) rare.push([k, t]);
    else nodes.push([k, v, t, names.includes('M')]);
  }
  operations.sort((a, b) => a.ordinal - b.ordinal);
  return { nodes, rare, relationships, operations: operations.map((operation) => operation.number), seen };
}

export interface Look {
  readonly who: string;
  readonly content: Content;
  readonly ask: Ask;
  readonly random: Random;
}

/** Each throws a Violation when what it finds differs from the content. */
export const CHECKS: readonly ((look: Look) => Promise<void>)[] = [
  async ({ who, content, ask }) => {
    const incoming = await ask('MATCH (b:N)<-[r:R]-(a) RETURN a.k, b.k, r.w');
    assertSame(stateText([], incoming), stateText([], content.relationships), `${who}: relationships by target and by source`);
  },
  async ({ who, content, ask }) => {
    const [row] = await ask('MATCH ()-[r:R]->() RETURN count(r)');
    assertSame(row![0], content.relationships.length, `${who}: counted and listed relationships`);
  },
  async ({ who, content, ask }) => {
    const labelled = await ask('MATCH (n:N) RETURN n.k, n.v, n.t, n:M');
    assertSame(stateText(labelled, []), stateText(content.nodes, []), `${who}: nodes by label and by scan`);
  },
  async ({ who, content, ask }) => {
    const [row] = await ask('MATCH (n:M) RETURN count(n)');
    assertSame(row![0], content.nodes.filter(([, , , isMarked]) => isMarked === true).length, `${who}: marked nodes by label and by scan`);
  },
  async ({ who, content, ask }) => {
    const labelled = await ask('MATCH (n:Rare) RETURN n.k, n.t');
    assertSame(stateText(labelled, []), stateText(content.rare, []), `${who}: rare nodes by label and by scan`);
  },
  async ({ who, content: { nodes }, ask, random }) => {
    for (let i = 0; i < 3 && nodes.length > 0; i++) {
      const [k, v] = random.pick(nodes);
      const found = await ask('MATCH (n:N {k: $k}) RETURN n.v', new Map([['k', k as Value]])); // as: a number that a statement gave
      assertSame(JSON.stringify(found), JSON.stringify([[v]]), `${who}: node ${String(k)} by index and by scan`);
    }
  },
];
