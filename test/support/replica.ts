/**
 * A copy of a graph that is kept in step by its changes, and what it is compared with. It asserts what the feed
 * promises: order, no gaps, no repeats but after a resume, states before that are what the copy has.
 */
import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

interface NodeState {
  readonly labels: readonly string[];
  readonly properties: { readonly [key: string]: Json };
}

interface RelationshipState {
  readonly type: string;
  readonly start: string;
  readonly end: string;
  readonly properties: { readonly [key: string]: Json };
}

/** A row of db.cdc.query. */
export interface Change {
  readonly id: string;
  readonly txId: number;
  readonly seq: number;
  readonly metadata: { readonly [key: string]: Json };
  readonly event: ChangeEvent;
}

interface ChangeEvent {
  readonly elementId: string;
  readonly eventType: 'n' | 'r';
  readonly operation: 'c' | 'u' | 'd';
  readonly type?: string;
  readonly start?: { readonly elementId: string };
  readonly end?: { readonly elementId: string };
  readonly state: { readonly before: Partial<NodeState> | null; readonly after: Partial<NodeState> | null };
}

/** The rows of a statement, plain as in JSON. */
export type Ask = (query: string) => Promise<readonly { readonly [column: string]: unknown }[]>;

const NODES = 'MATCH (n) RETURN elementId(n) AS id, labels(n) AS labels, properties(n) AS properties';
const RELATIONSHIPS =
  'MATCH (a)-[r]->(b) RETURN elementId(r) AS id, type(r) AS type, elementId(a) AS start, elementId(b) AS end, properties(r) AS properties';

export class Replica {
  readonly nodes = new Map<string, NodeState>();
  readonly relationships = new Map<string, RelationshipState>();
  /** The id of the last change that was applied. */
  lastId: string;
  #last: readonly [txId: number, seq: number] = [0, -1];
  applied = 0;
  repeated = 0;

  /** @param from the id of a moment at which the graph was as the copy is */
  constructor(from: string) {
    this.lastId = from;
  }

  /** Takes the graph as it is, at a moment not before that of the id: what happened in between is applied once more. */
  static async copy(ask: Ask, currentId: () => Promise<string>): Promise<Replica> {
    const replica = new Replica(await currentId());
    for (const { id, labels, properties } of await ask(NODES))
      replica.nodes.set(id as string, { labels: sorted(labels as string[]), properties: properties as NodeState['properties'] });
    for (const { id, ...state } of await ask(RELATIONSHIPS)) replica.relationships.set(id as string, state as unknown as RelationshipState);
    return replica;
  }

  /** @param mayRepeat the reader has resumed: changes that it has may come again */
  apply(change: Change, mayRepeat = false): void {
    const { id, txId, seq, event } = change;
    const [lastTx, lastSeq] = this.#last;
    const isNew = txId > lastTx || (txId === lastTx && seq > lastSeq);
    assert.ok(isNew || mayRepeat, `change ${txId}/${seq} comes after ${lastTx}/${lastSeq}`);
    if (!isNew) {
      this.repeated++;
      return;
    }
    this.#last = [txId, seq];
    this.applied++;
    if (event.eventType === 'n') this.#node(event);
    else this.#relationship(event);
    this.lastId = id;
  }

  #node({ elementId, operation, state: { before, after } }: ChangeEvent): void {
    this.#check(elementId, operation, this.nodes.get(elementId), before);
    if (after === null) this.nodes.delete(elementId);
    else this.nodes.set(elementId, { labels: sorted(after.labels!), properties: after.properties! });
  }

  #relationship({ elementId, operation, type, start, end, state: { before, after } }: ChangeEvent): void {
    this.#check(elementId, operation, this.relationships.get(elementId), before);
    if (after === null) {
      this.relationships.delete(elementId);
      return;
    }
    for (const each of [start!, end!])
      assert.ok(this.nodes.has(each.elementId), `${elementId} joins ${each.elementId}, which is not there`);
    this.relationships.set(elementId, { type: type!, start: start!.elementId, end: end!.elementId, properties: after.properties! });
  }

  /** Whether the state before is the one that the copy has. Not in what may overlap with the copy that was taken first. */
  #check(id: string, operation: string, known: NodeState | RelationshipState | undefined, before: Partial<NodeState> | null): void {
    assert.equal(before === null, operation === 'c', `${id}: ${operation} with the state before ${JSON.stringify(before)}`);
    if (known === undefined || before === null) return;
    assert.deepEqual(before.properties, known.properties, `${id} before ${operation}`);
    if ('labels' in known) assert.deepEqual(sorted(before.labels!), known.labels, `${id} before ${operation}`);
  }

  /** Returns the differences from the graph; empty: none. */
  async differences(ask: Ask): Promise<string[]> {
    const nodes = new Map(
      (await ask(NODES)).map(({ id, labels, properties }) => [id as string, { labels: sorted(labels as string[]), properties }]),
    );
    const relationships = new Map((await ask(RELATIONSHIPS)).map(({ id, ...state }) => [id as string, state]));
    return [...differencesOf(this.nodes, nodes), ...differencesOf(this.relationships, relationships)];
  }
}

function differencesOf(ours: ReadonlyMap<string, unknown>, theirs: ReadonlyMap<string, unknown>): string[] {
  const ids = new Set([...ours.keys(), ...theirs.keys()]);
  return [...ids]
    .filter((id) => !isDeepStrictEqual(ours.get(id), theirs.get(id)))
    .map((id) => `${id}: the copy has ${JSON.stringify(ours.get(id))}, the graph ${JSON.stringify(theirs.get(id))}`);
}

function sorted(labels: readonly string[]): string[] {
  return [...labels].sort();
}
