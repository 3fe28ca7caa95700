/**
 * One client of the crash tests: sends one operation after the other and knows what the graph must hold of its own.
 *
 * An operation that was answered happened; one that was refused did not; one that was left unanswered may have, but wholly or not at all.
 * Since a client waits for its answer, at most one operation of each is in doubt.
 */
import type { GraphState, Operation, Order } from '../support/orders.ts';
import { statementOf } from '../support/orders.ts';
import type { Random } from '../support/random.ts';
import type { Reply, ServerProcess } from '../support/server-process.ts';

/** Orders of one client, kept low so that looking at everything stays cheap. */
const MOST_ORDERS = 40;

export class ClientModel {
  readonly id: string;
  private readonly random: Random;
  private readonly orders = new Map<string, Order>();
  private operations = 0;
  private nextKey = 0;
  private inDoubt: Operation | undefined;

  constructor(id: string, random: Random) {
    this.id = id;
    this.random = random;
  }

  /** Sends one operation. Not to be called while one is in doubt: `settle` first. */
  async send(server: ServerProcess): Promise<Reply> {
    const operation = this.next();
    const { query, params } = statementOf(operation);
    this.inDoubt = operation;
    const reply = await server.cypher(query, params);
    if (reply.kind === 'answered') this.apply(operation);
    if (reply.kind !== 'unanswered') this.inDoubt = undefined;
    return reply;
  }

  get hasDoubt(): boolean {
    return this.inDoubt !== undefined;
  }

  /**
   * Holds the graph against what this client knows, and lets the graph decide the operation in doubt. Answers with what is wrong, and
   * whether the operation in doubt had happened.
   */
  settle(state: GraphState): { faults: string[]; happened: boolean } {
    const without = this.differences(state);
    if (this.inDoubt === undefined || without.length === 0) {
      this.inDoubt = undefined;
      return { faults: without, happened: false };
    }
    const operation = this.inDoubt;
    this.inDoubt = undefined;
    this.apply(operation);
    const withIt = this.differences(state);
    if (withIt.length === 0) return { faults: [], happened: true };
    return {
      faults: [
        `neither before nor after ${JSON.stringify(operation)}:`,
        ...without.map((text) => `before: ${text}`),
        ...withIt.map((text) => `after: ${text}`),
      ],
      happened: false,
    };
  }

  private next(): Operation {
    const keys = [...this.orders.keys()];
    const choice = keys.length === 0 ? 0 : keys.length >= MOST_ORDERS ? 9 : this.random.between(0, 9);
    if (choice < 5) return { kind: 'place', client: this.id, key: `${this.id}-${this.nextKey++}`, items: this.random.between(1, 6) };
    const key = this.random.pick(keys);
    if (choice < 8) return { kind: 'revise', client: this.id, key, version: this.orders.get(key)!.version + 1 };
    return { kind: 'withdraw', client: this.id, key };
  }

  private apply(operation: Operation): void {
    this.operations++;
    if (operation.kind === 'withdraw') this.orders.delete(operation.key);
    else if (operation.kind === 'place') this.orders.set(operation.key, { client: this.id, items: operation.items, version: 1 });
    else this.orders.set(operation.key, { ...this.orders.get(operation.key)!, version: operation.version });
  }

  private differences(state: GraphState): string[] {
    const faults: string[] = [];
    const counted = state.operations.get(this.id) ?? 0;
    if (counted !== this.operations) faults.push(`client ${this.id} has counted ${counted} operations, not ${this.operations}`);
    for (const [key, order] of this.orders) {
      const found = state.orders.get(key);
      if (found === undefined) faults.push(`order ${key} is lost`);
      else if (orderText(found) !== orderText(order)) faults.push(`order ${key} is ${orderText(found)}, not ${orderText(order)}`);
    }
    for (const [key, order] of state.orders) {
      if (order.client === this.id && !this.orders.has(key)) faults.push(`order ${key} should not be there`);
    }
    return faults;
  }
}

function orderText({ client, items, version }: Order): string {
  return `client ${client}, ${items} items, version ${version}`;
}
