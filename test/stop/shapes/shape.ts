/** The vocabulary of shapes: statements that ask for far more work or memory than their limits allow, over the graph of `../graph.ts`. */

/** The way a statement comes and its result leaves: JSON, NDJSON and Arrow over HTTP, and Bolt. */
export type Protocol = 'json' | 'ndjson' | 'arrow' | 'bolt';

export interface Shape {
  /** Unique among all shapes. */
  readonly name: string;
  readonly statement: string;
  /** Made when the shape is sent, so that large ones do not stand in memory together. */
  readonly parameters?: () => Readonly<Record<string, unknown>>;
  /** The parameters as JSON, where they are too deep to be made a value of; in place of `parameters`. */
  readonly parametersText?: () => string;
  /** JSON where nothing is said. */
  readonly over?: Protocol;
  /** Switches of the engine, as variables of the server's environment, for what is not planned by default. */
  readonly switches?: Readonly<Record<string, string>>;
  /** It changes the store when it is answered; the server begins again with a new copy behind it. */
  readonly writes?: true;
  /** A refusal for its syntax or its length is an answer to it. */
  readonly mayBeRefused?: true;
}

/** Statements by their names, as shapes. */
export function shapes(
  group: string,
  statements: Readonly<Record<string, string>>,
  common: Omit<Shape, 'name' | 'statement'> = {},
): Shape[] {
  return Object.entries(statements).map(([name, statement]) => ({ name: `${group}: ${name}`, statement, ...common }));
}

/** Shapes that read some of the parameters `text`, `digits`, `blanks`, `list` and `map`: each is given those that its statement names. */
export function withParameters(group: string, statements: Readonly<Record<string, string>>): Shape[] {
  return shapes(group, statements).map((shape) => ({ ...shape, parameters: () => parametersOf(shape.statement) }));
}

/** The large parameters that a statement names with `$`. */
export function parametersOf(statement: string): Record<string, unknown> {
  const named = Object.entries(LARGE).filter(([name]) => new RegExp(`\\$${name}\\b`).test(statement));
  return Object.fromEntries(named.map(([name, make]) => [name, make()]));
}

const LARGE: Readonly<Record<string, () => unknown>> = {
  /** 2 MB of prose. */
  text: () => 'Lorem ipsum, dolor sit amet. '.repeat(70_000),
  /** A text that looks like a number for 1,000,000 characters and is none. */
  digits: () => `${'1'.repeat(1_000_000)}x`,
  /** 1,000,000 blanks around a letter. */
  blanks: () => `${' '.repeat(500_000)}x${' '.repeat(500_000)}y`,
  /** 300,000 Integers. */
  list: () => Array.from({ length: 300_000 }, (_, i) => i),
  /** 300,000 texts of digits. */
  texts: () => Array.from({ length: 300_000 }, (_, i) => `${i}`),
  /** 300,000 Floats. */
  floats: () => Array.from({ length: 300_000 }, (_, i) => i + 0.5),
  /** 100,000 entries. */
  map: () => Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`key${i}`, i])),
};
