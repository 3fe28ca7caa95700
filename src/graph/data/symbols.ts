/**
 * The three spaces of names: labels, relationship types, property keys. Ids are dense and never reused, not even after a rollback. A name
 * is `logged` once a commit (or a file) has defined its id; the changes of a commit define the names that they use first.
 */
import { GraphDBError } from '../../base/index.ts';
import { assertWellFormed } from '../../value/index.ts';
import type { SymbolTable } from '../view/view.ts';

/** Stands for an id whose name no commit defined: its only user was rolled back. No name is empty. */
const NO_NAME = '';

/** Between the numbers of names in the order of their definitions. A larger gap is damage, not to be turned into an allocation. */
export const LARGEST_SYMBOL_GAP = 1 << 20;

/** A space of names. */
export class Symbols implements SymbolTable {
  readonly #names: string[] = [];
  readonly #ids = new Map<string, number>();
  readonly #logged: boolean[] = [];
  /** Grows with every change. */
  version = 0;

  get size(): number {
    return this.#names.length;
  }

  find(name: string): number {
    return this.#ids.get(name) ?? -1;
  }

  name(id: number): string {
    return this.#names[id] ?? NO_NAME;
  }

  names(): readonly string[] {
    return this.#names.slice();
  }

  /** ARGUMENT_ERROR for what cannot be a name: the log could not be read again. */
  intern(name: string): number {
    const known = this.#ids.get(name);
    if (known !== undefined) return known;
    if (name === NO_NAME) throw new GraphDBError('ARGUMENT_ERROR', 'a label, a relationship type or a property key cannot be empty');
    assertWellFormed(name, 'the name of a label, a relationship type or a property key');
    const id = this.#names.length;
    this.version++;
    this.#names.push(name);
    this.#logged.push(false);
    this.#ids.set(name, id);
    return id;
  }

  isLogged(id: number): boolean {
    return this.#logged[id] === true;
  }

  /** The numbers that a commit defines to define this one: its own, after those that part a gap which is too large for one. */
  definedWith(id: number): number[] {
    const ids = [id];
    let previous = id;
    for (let below = id - 1; below >= 0 && !this.isLogged(below); below--) {
      if (previous - below < LARGEST_SYMBOL_GAP || this.name(below) === NO_NAME) continue;
      ids.unshift(below);
      previous = below;
    }
    return ids;
  }

  setLogged(id: number, logged: boolean): void {
    this.#logged[id] = logged;
  }

  /** Takes in the names of another thread. */
  follow(names: readonly string[]): void {
    for (const [id, name] of names.entries()) {
      if (name !== NO_NAME) this.define(id, name);
      else this.defineNothing(id);
    }
  }

  /** Leaves an id out whose name nobody needs. */
  defineNothing(id: number): void {
    while (this.size <= id) {
      this.#names.push(NO_NAME);
      this.#logged.push(false);
    }
  }

  /** The definition of an id by a commit or a file: the id must be free or have this name. */
  define(id: number, name: string): void {
    const known = this.find(name);
    const occupied = id < this.size && this.name(id) !== NO_NAME;
    if ((known >= 0 && known !== id) || (occupied && known < 0)) {
      throw new GraphDBError('CORRUPTION', `the log gives the symbol "${name}" a number that is taken, or a second one`);
    }
    this.defineNothing(id);
    this.version++;
    this.#names[id] = name;
    this.#ids.set(name, id);
    this.#logged[id] = true;
  }
}
