/**
 * Scalar functions: pure functions on values, keyed by the name of their facts (`src/functions`), which hold what the
 * compiler, EXPLAIN and SHOW FUNCTIONS need to know about them.
 *
 * Calling convention: `evaluate(context, a, b, …)` takes between `minArgs` and `maxArgs` values; missing optional
 * arguments are left out at the end, and are never undefined in between. A function that propagates nulls returns null
 * for any null argument, and the caller may skip the call.
 *
 * Errors: TYPE_ERROR with the TCK's `InvalidArgumentValue` or `InvalidArgumentType`, ARGUMENT_ERROR, ARITHMETIC_ERROR.
 */
import type { GraphCatalog, Pieces, Work } from '../../algorithms/index.ts';
import type {
  AggregateTable,
  DescribedAggregate,
  DescribedFunction,
  Determinism,
  EntityRead,
  FunctionFacts,
  FunctionTable,
} from '../../functions/index.ts';
import type { Instant, NodeValue, RelationshipValue, Value, ValueMap } from '../../value/index.ts';
import type { CsvPlace } from '../csv/load-csv.ts';

/** The access of functions to the graph, made by the compiler over the view of the statement. */
export interface GraphAccess {
  /** Returns the persistent internal identifier, the result of `id(n)`, `elementId(n)` and `n._id`. */
  nodeId(node: NodeValue): string;
  nodeLabels(node: NodeValue): string[];
  /** Returns a property; null if the node does not have it. */
  nodeProperty(node: NodeValue, key: string): Value;
  /** Returns the properties as a new map. */
  nodeProperties(node: NodeValue): ValueMap;
  relationshipId(relationship: RelationshipValue): string;
  relationshipType(relationship: RelationshipValue): string;
  relationshipProperty(relationship: RelationshipValue, key: string): Value;
  relationshipProperties(relationship: RelationshipValue): ValueMap;
}

/** The parts of a statement that a function may use besides its arguments. */
export interface FunctionContext {
  readonly graph: GraphAccess;
  /** The time at which the statement started, equal for all calls in it. */
  readonly statementTime: Instant;
  /** The time at which the transaction started. */
  readonly transactionTime: Instant;
  /** Returns the current time. */
  realTime(): Instant;
  /** Returns a random number, uniform in [0, 1). */
  random(): number;
  /** Returns a random UUID of version 4. */
  randomUuid(): string;
  /** Returns the position of the current row of LOAD CSV; null outside of it. */
  csvPlace(): CsvPlace | null;
  readonly allowance: Allowance;
  /** Returns the graphs that users have projected; statements with functions that call it run on the main thread. */
  catalog(): GraphCatalog;
}

/** The account on which a call counts its work, and holds the memory of its result, before it begins (requirement S2). */
export interface Allowance {
  /** Counts steps of work about to be done. @throws QUERY_TIMEOUT, CANCELLED */
  count(steps: number): void;
  /** Counts steps of an implementation in pieces. Returns true when others should run. @throws QUERY_TIMEOUT, CANCELLED */
  worked(steps: number): boolean;
  /** Holds the bytes of a value that is about to be made. @throws MEMORY_LIMIT */
  hold(bytes: number): void;
  /**
   * Returns the bytes of a value with everything inside it, as often as it appears; counts the work of measuring.
   * @throws MEMORY_LIMIT if they are more than the memory limit of the statement
   */
  bytesOf(value: Value): number;
}

/** The part of the context that counts work and memory. */
export type Allowed = Pick<FunctionContext, 'allowance'>;

/** The parts of the graph that a function may read, by the reads that its facts declare. */
export interface GraphReads extends Record<EntityRead, unknown> {
  nothing: unknown;
  catalog: Pick<FunctionContext, 'catalog'>;
  identifier: { readonly graph: Pick<GraphAccess, 'nodeId' | 'relationshipId'> };
  labels: { readonly graph: Pick<GraphAccess, 'nodeLabels'> };
  type: { readonly graph: Pick<GraphAccess, 'relationshipType'> };
  properties: { readonly graph: Pick<GraphAccess, 'nodeProperties' | 'relationshipProperties'> };
}

/** The parts of the context, other than the graph, that a function may use, by the determinism that its facts declare. */
interface Environments extends Record<Determinism, unknown> {
  pure: unknown;
  statement: Pick<FunctionContext, 'statementTime' | 'transactionTime'>;
  row: Pick<FunctionContext, 'csvPlace'>;
  clock: Pick<FunctionContext, 'realTime'>;
  random: Pick<FunctionContext, 'random' | 'randomUuid'>;
}

/** The context that the facts of a function allow: a function that reads labels but declares no reads does not compile. */
type ContextOf<Facts extends FunctionFacts> = Allowed & GraphReads[Facts['reads']] & Environments[Facts['determinism']];

/** The implementation of a function: returns its value. */
// biome-ignore lint/suspicious/noExplicitAny: each definition takes its own number of arguments; the compiler checks the count
export type Evaluate<Context = FunctionContext> = (context: Context, ...args: any[]) => Value;

/** Calls a function that may yield: returns its value, or the pieces of work that compute it. */
// biome-ignore lint/suspicious/noExplicitAny: as above
export type Begin<Context = FunctionContext> = (context: Context, ...args: any[]) => Value | Pieces<Value>;

/** The implementation of a function that can take longer than a time slice: it yields null where other statements should run. */
export interface InPieces<Context = FunctionContext> {
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly pieces: (context: Context, ...args: any[]) => Pieces<Value>;
}

/** Implementations for exactly the functions of a table. */
export type Implementations<Table extends FunctionTable> = {
  readonly [name in keyof Table]: Evaluate<ContextOf<Table[name]>> | InPieces<ContextOf<Table[name]>>;
};

/**
 * The table itself if it has an implementation for each function of the facts, else never. `Implementations` alone does
 * not check names that every object inherits, such as `toString`.
 */
export type Complete<Facts extends FunctionTable, Table> = keyof Facts extends keyof Table ? Table : never;

/** A function with its facts. */
export interface FunctionDefinition extends DescribedFunction {
  /** Computes the value without a pause. */
  readonly evaluate: Evaluate;
  /** Calls a function that may yield; null for a function that never does. */
  readonly begin: Begin | null;
}

/** The state of an aggregate for one group. */
export interface Accumulator {
  /** Adds a value. @param argument the second argument of the function, such as the percentile */
  add(value: Value, argument?: Value, third?: Value, fourth?: Value, fifth?: Value): void;
  /** Completes the state before the result is read, and yields in between; absent if there is nothing to do. */
  finish?(work: Work): Pieces<void>;
  /** Returns the values that must be sorted in place by ORDER BY before the result is read; absent if there are none. */
  unsorted?(): Value[];
  result(): Value;
}

/** Functions that make the accumulator of one group, for exactly the aggregates of a table. */
export type AccumulatorMakers<Table extends AggregateTable> = { readonly [name in keyof Table]: (catalog?: GraphCatalog) => Accumulator };

/** An aggregate with its facts. */
export interface AggregateDefinition extends DescribedAggregate {
  /** Makes the state of one group. @param catalog the projected graphs, for aggregates that say `usesCatalog` */
  create(catalog?: GraphCatalog): Accumulator;
}
