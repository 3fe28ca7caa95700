/** Names: what users call things, and the unique names that the bound tree calls them. */
import type { Type } from './types.ts';

/** A variable: its unique name in the bound tree, and its type. */
export interface Binding {
  /** Unique in the statement. */
  readonly name: string;
  readonly type: Type;
}

/**
 * The variables that can be seen at one place. A scope may lie inside an outer one (a subquery, a comprehension,
 * FOREACH): what is not found here is looked for there. `own` is what `*` stands for.
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

  /** Every name that can be seen, for suggestions. */
  names(): Set<string> {
    return new Set([...this.#bindings.keys(), ...(this.#outer?.names() ?? [])]);
  }

  /** Unique names of everything that can be seen. */
  uniqueNames(): Set<string> {
    const names = this.#outer?.uniqueNames() ?? new Set<string>();
    for (const binding of this.#bindings.values()) names.add(binding.name);
    return names;
  }

  /** Returns a scope with the same variables, to which others can be added without a trace here. */
  inner(): Scope {
    return new Scope(this);
  }
}

/** Gives out names, each once. A user's own name with a `#` in it is a name like any other: it is just not given out twice. */
export class Names {
  readonly #used = new Set<string>();
  readonly #counters = new Map<string, number>();

  /** `x`, or `x#2`, `x#3` … when it is taken. */
  unique(name: string): string {
    if (!this.#used.has(name)) {
      this.#used.add(name);
      return name;
    }
    return this.#numbered(`${name}#`, 2);
  }

  /** `#n1`, `#n2` … for what has no name. */
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
