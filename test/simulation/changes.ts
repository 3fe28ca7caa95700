/** A copy of the graph in a simulation that follows the changes, through whichever engine its owner has open. */
import assert from 'node:assert/strict';
import type { Value } from '../../src/value/index.ts';
import { type Change, Replica } from '../support/replica.ts';
import { codeOf, type Process } from './process.ts';
import { Violation } from './violation.ts';
import type { World } from './world.ts';

const QUERY = 'CALL db.cdc.query($from) YIELD id, txId, seq, metadata, event RETURN id, txId, seq, metadata, event';

export class ChangeReader {
  readonly #world: World;
  /** null: it begins with what was there first. */
  #replica: Replica | null = null;

  constructor(world: World) {
    this.#world = world;
  }

  /** Reads what has come. What it has was perhaps never answered, and taken back: then it is told so, and begins again. */
  async follow(opened: Process): Promise<void> {
    const world = this.#world;
    if (world.changeRetentionMs === undefined) return;
    try {
      this.#replica ??= new Replica(String((await this.#ask(opened, 'CALL db.cdc.earliest() YIELD id RETURN id'))[0]!['id']));
      const rows = await this.#ask(opened, QUERY, new Map([['from', this.#replica.lastId]]));
      for (const row of rows) this.#replica.apply(row as unknown as Change);
      world.changes += rows.length;
    } catch (error) {
      if (error instanceof assert.AssertionError) throw new Violation(`changes by ${opened.who}: ${error.message}`, { cause: error });
      if (codeOf(error) !== 'GONE') throw error;
      if (!/taken back|another one/.test(String(error))) throw new Violation(`changes by ${opened.who} are not kept`, { cause: error });
      world.retracted++;
      this.#replica = null;
    }
  }

  /** Reads all that there is, and holds it against the graph. */
  async finish(opened: Process): Promise<void> {
    await this.follow(opened);
    if (this.#replica === null) await this.follow(opened);
    const differences = await this.#replica!.differences((query) => this.#ask(opened, query));
    if (differences.length > 0) throw new Violation(`a copy that followed changes differs: ${differences.slice(0, 5).join('\n')}`);
  }

  async #ask(opened: Process, query: string, params: ReadonlyMap<string, Value> = new Map()): Promise<Record<string, unknown>[]> {
    const { columns, rows } = await opened.survive(opened.engine.execute(query, params));
    return rows.map((row) => Object.fromEntries(columns.map((column, index) => [column, plain(row[index])])));
  }
}

/** As in JSON. */
function plain(value: unknown): unknown {
  if (value instanceof Map) return Object.fromEntries(Array.from(value, ([key, each]) => [key, plain(each)]));
  if (Array.isArray(value)) return value.map(plain);
  return typeof value === 'object' && value !== null ? String(value) : value;
}
