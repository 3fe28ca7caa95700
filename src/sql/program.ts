/**
 * The SQL text under construction: its common table expressions, fresh names, and the tables that it reads. It also
 * makes the errors for parts that have no form in SQL.
 */
import { GraphDBError } from '../base/index.ts';
import { placeOf } from '../cypher/index.ts';
import type { ResultValue, Value } from '../value/index.ts';
import type { Constants } from './constants.ts';
import type { Dialect } from './dialect.ts';
import type { GraphShape } from './shape.ts';
import type { Place } from './types.ts';

/** A table that the SQL reads: nodes that carry all labels, or relationships of a type, with columns of `to_arrow_dataset`. */
export interface SqlSource {
  readonly name: string;
  /** The labels of the nodes; null: the table is one of relationships. */
  readonly labels: readonly string[] | null;
  readonly type: string | null;
  readonly columns: readonly string[];
}

/** The SQL text under construction. */
export class Program {
  readonly text: string;
  readonly dialect: Dialect;
  readonly shape: GraphShape;
  readonly parameters: ReadonlyMap<string, Value>;
  readonly prefix: string;
  readonly constants: Constants;
  readonly opaqueText: (value: ResultValue) => string;
  /** The property keys of entities that the statement reads; null: all. */
  readonly keys: ReadonlySet<string> | null;
  /** How often the statement mentions each variable, and the functions that it calls, in small letters. */
  readonly mentions: { readonly variables: ReadonlyMap<string, number>; readonly functions: ReadonlySet<string> };
  readonly tables: string[] = [];
  /** Whether a table reads itself. */
  isRecursive = false;
  /** Whether a WITH has ordered the rows; collect() would show that order. */
  isOrdered = false;
  readonly #reserved: ReadonlySet<string>;
  readonly #sources = new Map<string, { name: string; labels: readonly string[] | null; type: string | null; columns: Set<string> }>();
  #names = 0;

  /** @param reserved the names of the result's columns, which ORDER BY would find before a column of that name */
  constructor(
    options: Pick<Program, 'text' | 'dialect' | 'shape' | 'parameters' | 'keys' | 'mentions' | 'prefix' | 'constants' | 'opaqueText'>,
    reserved: readonly string[],
  ) {
    this.#reserved = new Set(reserved.map((name) => name.toLowerCase()));
    this.text = options.text;
    this.dialect = options.dialect;
    this.shape = options.shape;
    this.parameters = options.parameters;
    this.keys = options.keys;
    this.mentions = options.mentions;
    this.prefix = options.prefix;
    this.constants = options.constants;
    this.opaqueText = options.opaqueText;
  }

  /** Returns a new name. It also differs from all others, and from the result's columns, by more than case, as identifiers of SQL must. */
  fresh(prefix: string): string {
    do this.#names++;
    while (this.#reserved.has(`${prefix}${this.#names}`));
    return `${prefix}${this.#names}`;
  }

  /** Adds a common table expression that reads itself, and returns its name. @param step makes the SELECT over the rows found last */
  recursive(first: string, step: (table: string) => string): string {
    this.isRecursive = true;
    const name = this.fresh('q');
    this.tables.push(`${name} AS ${this.dialect.recursion}(\n  ${first}\n  UNION ALL\n  ${step(name)}\n)`);
    return name;
  }

  /** Adds a common table expression, and returns its name. */
  table(select: string): string {
    const name = this.fresh('q');
    this.tables.push(`${name} AS (\n  ${select}\n)`);
    return name;
  }

  /** Returns the name of a table to read, and adds columns that it must have. */
  source(of: { readonly labels: readonly string[] } | { readonly type: string }, columns: readonly string[]): string {
    const labels = 'labels' in of ? [...of.labels].sort() : null;
    const type = 'type' in of ? of.type : null;
    const key = JSON.stringify([labels, type]);
    const known = this.#sources.get(key) ?? {
      name: `${this.prefix}${labels === null ? 'relationships' : 'nodes'}_${this.#sources.size + 1}`,
      labels,
      type,
      columns: new Set<string>(),
    };
    for (const column of columns) known.columns.add(column);
    this.#sources.set(key, known);
    return known.name;
  }

  sources(): SqlSource[] {
    return [...this.#sources.values()].map((source) => ({ ...source, columns: [...source.columns] }));
  }

  /** Returns the value of a parameter. @throws PARAMETER_MISSING */
  parameter(name: string): Value {
    const value = this.parameters.get(name);
    if (value === undefined) throw new GraphDBError('PARAMETER_MISSING', `parameter $${name} is missing`);
    return value;
  }

  /** Returns an UNSUPPORTED error with the place in the statement. */
  refuse(what: string, at: Place): GraphDBError {
    const place = placeOf(this.text, at.span.start);
    return new GraphDBError('UNSUPPORTED', `${what} has no form in SQL (line ${place.line}, column ${place.column})`, place);
  }
}
