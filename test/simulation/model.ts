/**
 * The content that the database must have: the operations of the simulation, carried out one after the other on plain maps.
 *
 * Every operation creates a node `:Op` with its number, in the same transaction. So the `:Op` nodes of a database, in
 * the order of their ordinals, tell which operations it holds and in which order; the model makes the state that
 * follows from them.
 */
import type { Random } from '../support/random.ts';

export type Text = string | number | null;

export type Operation = { readonly number: number } & (
  | { readonly kind: 'create'; readonly text: Text }
  | { readonly kind: 'set'; readonly k: number }
  | { readonly kind: 'text'; readonly k: number; readonly text: Text }
  | { readonly kind: 'mark' | 'unmark' | 'delete' | 'cut' | 'renew'; readonly k: number }
  | { readonly kind: 'connect'; readonly k: number; readonly other: number }
  | { readonly kind: 'fill'; readonly count: number }
  | { readonly kind: 'bulk'; readonly count: number; readonly text: string }
  | { readonly kind: 'rare'; readonly text: Text }
);

const OP = 'CREATE (o:Op {number: $number}) WITH o ';

const STATEMENTS: Readonly<Record<Operation['kind'], string>> = {
  create: 'CREATE (:Op {number: $number}) CREATE (:N {k: $number, v: $number, t: $text, e: [$number % 7, $number % 5, 1]})',
  set: `${OP}MATCH (n:N {k: $k}) SET n.v = $number, n.e = vector([$number % 11, 1, 2])`,
  text: `${OP}MATCH (n:N {k: $k}) SET n.t = $text`,
  mark: `${OP}MATCH (n:N {k: $k}) SET n:M`,
  unmark: `${OP}MATCH (n:N {k: $k}) REMOVE n:M`,
  delete: `${OP}MATCH (n:N {k: $k}) DETACH DELETE n`,
  connect: `${OP}MATCH (a:N {k: $k}), (b:N {k: $other}) CREATE (a)-[:R {w: $number}]->(b)`,
  renew: `${OP}MATCH (:N {k: $k})-[r:R]->() SET r.w = $number`,
  cut: `${OP}MATCH (:N {k: $k})-[r:R]->() DELETE r`,
  rare: 'CREATE (:Op {number: $number}) CREATE (:Rare {k: $number, t: $text})',
  bulk:
    'CREATE (:Op {number: $number}) WITH 1 AS one UNWIND range(1, $count) AS i CREATE (:N {k: $number * 1000 + i, v: i, t: ' +
    '$text + i, e: vector([i % 7, i % 5, 1])})',
  fill: 'CREATE (:Op {number: $number}) WITH 1 AS one UNWIND range(1, $count) AS i CREATE (:N {k: $number * 1000 + i, v: i})',
};

export function statementOf({ kind, ...params }: Operation): { query: string; params: Map<string, Text> } {
  return { query: STATEMENTS[kind], params: new Map(Object.entries(params)) };
}

const TEXTS: readonly Text[] = ['', 'a', 'ärger', 'x'.repeat(300), 7, 0.5, null];
const KINDS: readonly Operation['kind'][] = [
  'create',
  'create',
  'create',
  'connect',
  'connect',
  'set',
  'text',
  'mark',
  'unmark',
  'delete',
  'renew',
  'cut',
  'fill',
  'rare',
];

/** An operation on what is likely to be there: nodes made one by one or, now and then, many at once. */
export function randomOperation(random: Random, number: number, bulkRate: number): Operation {
  const recent = random.between(Math.max(1, number - 30), number);
  const k = random.chance(0.25) ? recent * 1_000 + random.between(1, 10) : recent;
  const kind = random.chance(bulkRate) ? 'bulk' : random.pick(KINDS);
  switch (kind) {
    case 'create':
    case 'rare':
      return { kind, number, text: random.pick(TEXTS) };
    case 'text':
      return { kind, number, k, text: random.pick(TEXTS) };
    case 'connect':
      return { kind, number, k, other: random.between(Math.max(1, number - 30), number) };
    case 'fill':
      return { kind, number, count: random.between(1, 20) };
    case 'bulk':
      return { kind, number, count: 600, text: 'y'.repeat(100) };
    default:
      return { kind, number, k };
  }
}

interface ModelNode {
  v: number;
  t: Text;
  marked: boolean;
}

interface ModelRelationship {
  readonly from: number;
  readonly to: number;
  w: number;
}

export class Model {
  readonly #nodes = new Map<number, ModelNode>();
  readonly #rare = new Map<number, Text>();
  #relationships: ModelRelationship[] = [];

  apply(operation: Operation): void {
    const { number } = operation;
    const node = 'k' in operation ? this.#nodes.get(operation.k) : undefined;
    switch (operation.kind) {
      case 'create':
        this.#nodes.set(number, { v: number, t: operation.text, marked: false });
        return;
      case 'rare':
        this.#rare.set(number, operation.text);
        return;
      case 'fill':
      case 'bulk':
        for (let i = 1; i <= operation.count; i++) {
          this.#nodes.set(number * 1_000 + i, { v: i, t: operation.kind === 'bulk' ? `${operation.text}${i}` : null, marked: false });
        }
        return;
      case 'set':
        if (node !== undefined) node.v = number;
        return;
      case 'text':
        if (node !== undefined) node.t = operation.text;
        return;
      case 'mark':
      case 'unmark':
        if (node !== undefined) node.marked = operation.kind === 'mark';
        return;
      case 'delete':
        this.#nodes.delete(operation.k);
        this.#relationships = this.#relationships.filter(({ from, to }) => from !== operation.k && to !== operation.k);
        return;
      case 'connect':
        if (node !== undefined && this.#nodes.has(operation.other))
          this.#relationships.push({ from: operation.k, to: operation.other, w: number });
        return;
      case 'renew':
        for (const relationship of this.#relationships) if (relationship.from === operation.k) relationship.w = number;
        return;
      case 'cut':
        this.#relationships = this.#relationships.filter(({ from }) => from !== operation.k);
    }
  }

  /** Returns the text that `stateText` gives for a database with this content. */
  text(): string {
    const nodes = [...this.#nodes].map(([k, { v, t, marked }]) => [k, v, t, marked] as const);
    return stateText(
      [...nodes, ...this.#rare],
      this.#relationships.map(({ from, to, w }) => [from, to, w] as const),
    );
  }
}

/** One text for one content, whatever the order of rows. */
export function stateText(nodes: readonly (readonly unknown[])[], relationships: readonly (readonly unknown[])[]): string {
  const lines = (rows: readonly (readonly unknown[])[]): string[] => rows.map((row) => JSON.stringify(row)).sort();
  return [...lines(nodes), '--', ...lines(relationships)].join('\n');
}
