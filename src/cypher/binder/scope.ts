/** Names and scopes: the names that users give to variables, and the unique names of these in the bound tree. */
import type { Type } from './types.ts';

/** A variable: its unique name in the bound tree, and its type. */
export interface Binding {
  /** The name in the bound tree, unique in the statement. */
  readonly name: string;
  readonly type: Type;
}

/**
 * The variables that are visible at one place. A scope may be inside an outer one (a subquery, a comprehension,
 * FOREACH), which is searched for names that are not found in the inner one. `*` stands for the variables in `own`.
 */
export class Scope {
  readonly #bindings = new Map<string, Binding>();
  readonly #outer: Scope | null;

  constructor(outer: Scope | null = null) {
    this.#outer = outer;
  }

  get outer(): Scope | null {
    return this.#outer;
  }

  lookup(name: string): Binding | undefined {
    return this.#bindings.get(name) ?? this.#outer?.lookup(name);
  }

  bind(name: string, binding: Binding): void {
    this.#bindings.set(name, binding);
  }

  get own(): ReadonlyMap<string, Binding> {
    return this.#bindings;
  }

  /** Returns all visible names as users wrote them, for suggestions and for `*`. */
  names(): Set<string> {
    return new Set([...this.#bindings.keys(), ...(this.#outer?.names() ?? [])]);
  }

  /** Returns the unique names of all visible variables. */
  uniqueNames(): Set<string> {
    const names = this.#outer?.uniqueNames() ?? new Set<string>();
    for (const binding of this.#bindings.values()) names.add(binding.name);
    return names;
  }

  /** Returns a scope inside this one: additions to it are not visible in this one. */
  inner(): Scope {
    return new Scope(this);
  }
}

/** Gives out names, each once. A user's own name may contain a `#`; like any other name it is not given out twice. */
export class Names {
  readonly #used = new Set<string>();
  readonly #counters = new Map<string, number>();

  /**
   * Returns `x`, or `x#2`, `x#3` … where that is taken. Names that begin with `#` are generated ones, and those that
   * begin with a space and have no number belong to planner and code generator (`MULTIPLICITY`): a user's gets both.
   */
  unique(name: string): string {
    if (name.startsWith('#') || name.startsWith(' ')) return this.#numbered(` ${name}#`, 2);
    if (this.#used.has(name)) return this.#numbered(`${name}#`, 2);
    this.#used.add(name);
    return name;
  }

  /** Returns `#n1`, `#n2` … for an unnamed part of a pattern, or a column with a long name. */
  generated(prefix: 'n' | 'r' | 'p' | 'c'): string {
    return this.#numbered(`#${prefix}`, 1);
  }

  #numbered(stem: string, first: number): string {
    let number = this.#counters.get(stem) ?? first;
    while (this.#used.has(`${stem}${number}`)) number++;
    this.#counters.set(stem, number + 1);
    this.#used.add(`${stem}${number}`);
    return `${stem}${number}`;
  }
}
