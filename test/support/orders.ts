/**
 * The graph that the tests of durability write, and how they look at it.
 *
 * Each operation is one statement that changes several things which must appear together:
 *
 *   (:Client {id, operations})-[:PLACED]->(:Order {key, items, version})-[:HAS {position}]->(:Item {order, position, version})
 *
 * place: an order with all its items, and the client's count of operations one up; revise: the version of the order and of all its
 * items, and the count; withdraw: the order and its items gone, and the count. A half of any of them shows as a fault in `inspect`, or
 * as a count that does not fit.
 */
import { rowsOf, type ServerProcess } from './server-process.ts';

export interface Order {
  readonly client: string;
  readonly items: number;
  readonly version: number;
}

export type Operation =
  | { readonly kind: 'place'; readonly client: string; readonly key: string; readonly items: number }
  | { readonly kind: 'revise'; readonly client: string; readonly key: string; readonly version: number }
  | { readonly kind: 'withdraw'; readonly client: string; readonly key: string };

const COUNT_OPERATION = `MERGE (c:Client {id: $client}) ON CREATE SET c.operations = 0 SET c.operations = c.operations + 1 WITH c`;

const STATEMENTS: Record<Operation['kind'], string> = {
  place: `${COUNT_OPERATION}
    CREATE (c)-[:PLACED]->(o:Order {key: $key, items: $items, version: 1})
    WITH o UNWIND range(1, $items) AS position
    CREATE (o)-[:HAS {position: position}]->(:Item {order: $key, position: position, version: 1, text: 'item ' + position +
    ' of ' + $key})`,
  revise: `${COUNT_OPERATION}
    MATCH (c)-[:PLACED]->(o:Order {key: $key}) SET o.version = $version
    WITH o MATCH (o)-[:HAS]->(i:Item) SET i.version = $version`,
  withdraw: `${COUNT_OPERATION}
    MATCH (c)-[:PLACED]->(o:Order {key: $key})-[:HAS]->(i:Item) DETACH DELETE o, i`,
};

export function statementOf(operation: Operation): { query: string; params: Record<string, unknown> } {
  const { kind, ...params } = operation;
  return { query: STATEMENTS[kind], params };
}

export interface GraphState {
  /** Operations that each client's node has counted. */
  readonly operations: ReadonlyMap<string, number>;
  readonly orders: ReadonlyMap<string, Order>;
  /** Sentences on orders that no whole operation can have left: in part, twice, without their items. */
  readonly faults: readonly string[];
}

interface OrderRow {
  readonly client: string;
  readonly key: string;
  readonly items: number;
  readonly version: number;
  readonly found: number;
  readonly positions: number;
  readonly oldest: number;
  readonly newest: number;
}

const ORDERS = `MATCH (c:Client)-[:PLACED]->(o:Order) OPTIONAL MATCH (o)-[h:HAS]->(i:Item) WHERE i.order = o.key AND i.position = h.position
  RETURN c.id AS client, o.key AS key, o.items AS items, o.version AS version, count(i) AS found, count(DISTINCT i.position) AS positions,
    min(i.version) AS oldest, max(i.version) AS newest`;

/** Reads the whole graph through the server. */
export async function inspect(server: ServerProcess): Promise<GraphState> {
  const faults: string[] = [];
  const operations = new Map<string, number>();
  for (const { id, operations: count } of await rowsOf(server, 'MATCH (c:Client) RETURN c.id AS id, c.operations AS operations')) {
    if (operations.has(id as string)) faults.push(`client ${id} is there twice`);
    operations.set(id as string, count as number);
  }
  const orders = new Map<string, Order>();
  const rows = (await rowsOf(server, ORDERS)) as unknown as OrderRow[];
  for (const row of rows) {
    faults.push(...orderFaults(row, orders));
    orders.set(row.key, { client: row.client, items: row.items, version: row.version });
  }
  faults.push(...(await countFaults(server, orders)));
  return { operations, orders, faults };
}

function orderFaults(row: OrderRow, seen: ReadonlyMap<string, Order>): string[] {
  const faults: string[] = [];
  if (seen.has(row.key)) faults.push(`order ${row.key} is there twice`);
  if (row.found !== row.items || row.positions !== row.items) faults.push(`order ${row.key} has ${row.found} of ${row.items} items`);
  if (row.oldest !== row.version || row.newest !== row.version) {
    faults.push(`order ${row.key} is at version ${row.version}, its items at ${row.oldest} to ${row.newest}`);
  }
  return faults;
}

async function countFaults(server: ServerProcess, orders: ReadonlyMap<string, Order>): Promise<string[]> {
  const items = [...orders.values()].reduce((sum, order) => sum + order.items, 0);
  const expected: [string, string, number][] = [
    ['orders', 'MATCH (o:Order) RETURN count(o) AS n', orders.size],
    ['items', 'MATCH (i:Item) RETURN count(i) AS n', items],
    ['PLACED', 'MATCH ()-[r:PLACED]->() RETURN count(r) AS n', orders.size],
    ['HAS', 'MATCH ()-[r:HAS]->() RETURN count(r) AS n', items],
  ];
  const faults: string[] = [];
  for (const [what, query, wanted] of expected) {
    const [row] = await rowsOf(server, query);
    if (row?.['n'] !== wanted) faults.push(`${row?.['n']} ${what} in all, but the orders found make ${wanted}`);
  }
  return faults;
}
