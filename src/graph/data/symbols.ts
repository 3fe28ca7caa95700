/**
 * A symbol table: gives the names of labels, of relationship types or of property keys dense ids, which are never reused, not even after a
 * rollback. A name is `logged` once a commit or a manifest has defined its id; a commit defines the names that it is the first to use.
 */
import { GraphDBError } from '../../base/index.ts';
import { assertWellFormed } from '../../value/index.ts';
import type { SymbolTable } from '../view/view.ts';

/** Stands for the name of an id that no commit defined, because its only user was rolled back. A real name is never empty. */
const NO_NAME = '';

/** The largest gap between ids in the order of definition. A larger gap in a log is damage, which must not cause an allocation. */
export const LARGEST_SYMBOL_GAP = 1 << 20;

/** The symbol table of one kind of names. */
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

  /** Returns the id of a name; a new name gets the next one. @throws ARGUMENT_ERROR when it is empty or not well-formed Unicode */
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

  /** Returns the ids that a commit must define to define `id`: first ids in between that keep each gap small enough, then `id`. */
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

  /** Defines the names that another thread has shared, by id. */
  follow(names: readonly string[]): void {
    for (const [id, name] of names.entries()) {
      if (name !== NO_NAME) this.define(id, name);
      else this.defineNothing(id);
    }
  }

  /** Extends the table up to `id` with ids that have no name. */
  defineNothing(id: number): void {
    while (this.size <= id) {
      this.#names.push(NO_NAME);
      this.#logged.push(false);
    }
  }

  /** Defines an id as a commit or a manifest does. @throws CORRUPTION when the id has another name, or the name another id */
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
