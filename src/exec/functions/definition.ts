/**
 * A scalar function: a pure function on values, keyed by the name of its facts (`src/functions`), which say what the
 * compiler, EXPLAIN and SHOW FUNCTIONS need to know about it.
 *
 * Calling convention: `evaluate(context, a, b, …)` with between `minArgs` and `maxArgs` values, never undefined in between; a missing
 * optional argument is left out at the end. Where nulls propagate the function gives null for any null argument by itself too, but
 * the caller may answer null without calling.
 *
 * Faults: TYPE_ERROR with the TCK's `InvalidArgumentValue` or `InvalidArgumentType`, ARGUMENT_ERROR, ARITHMETIC_ERROR.
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

/** Where a function reads the graph; made by the compiler over the view of the statement. */
export interface GraphAccess {
  /** The persistent internal identifier: what `id(n)`, `elementId(n)` and `n._id` answer. */
  nodeId(node: NodeValue): string;
  nodeLabels(node: NodeValue): string[];
  /** null where the node has no such property. */
  nodeProperty(node: NodeValue, key: string): Value;
  /** A new map. */
  nodeProperties(node: NodeValue): ValueMap;
  relationshipId(relationship: RelationshipValue): string;
  relationshipType(relationship: RelationshipValue): string;
  relationshipProperty(relationship: RelationshipValue, key: string): Value;
  relationshipProperties(relationship: RelationshipValue): ValueMap;
}

/** The context of a function's call. */
export interface FunctionContext {
  readonly graph: GraphAccess;
  /** Fixed when the statement starts; every call in one statement sees the same. */
  readonly statementTime: Instant;
  /** Fixed when the transaction starts. */
  readonly transactionTime: Instant;
  /** The clock now. */
  realTime(): Instant;
  /** Uniform in [0, 1). */
  random(): number;
  /** A version 4 UUID. */
  randomUuid(): string;
  /** The row of LOAD CSV that is worked on; null outside. */
  csvPlace(): CsvPlace | null;
  readonly allowance: Allowance;
  /** The graphs that users have projected; statements whose functions ask for it run on the main thread. */
  catalog(): GraphCatalog;
}

/** Where a call counts its work before it does it, and is charged for what it makes before it makes it (S2). */
export interface Allowance {
  /** Steps of work. @throws QUERY_TIMEOUT, CANCELLED */
  count(steps: number): void;
  /** Counts the work of an implementation in pieces before each of them. True: others should run. @throws QUERY_TIMEOUT, CANCELLED */
  worked(steps: number): boolean;
  /** Bytes of a value that is about to be made. @throws MEMORY_LIMIT */
  hold(bytes: number): void;
  /** Bytes that a value takes, however deep; counts the work of finding out. */
  bytesOf(value: Value): number;
}

/** The part of the context by which work and memory are counted. */
export type Allowed = Pick<FunctionContext, 'allowance'>;

/** The parts of the graph that a function can ask for whose facts say what it reads. */
export interface GraphReads extends Record<EntityRead, unknown> {
  nothing: unknown;
  catalog: Pick<FunctionContext, 'catalog'>;
  identifier: { readonly graph: Pick<GraphAccess, 'nodeId' | 'relationshipId'> };
  labels: { readonly graph: Pick<GraphAccess, 'nodeLabels'> };
  type: { readonly graph: Pick<GraphAccess, 'relationshipType'> };
  properties: { readonly graph: Pick<GraphAccess, 'nodeProperties' | 'relationshipProperties'> };
}

/** The environment that a function can ask for beside its arguments, by how far its facts say that its answer is determined by them. */
interface Environments extends Record<Determinism, unknown> {
  pure: unknown;
  statement: Pick<FunctionContext, 'statementTime' | 'transactionTime'>;
  row: Pick<FunctionContext, 'csvPlace'>;
  clock: Pick<FunctionContext, 'realTime'>;
  random: Pick<FunctionContext, 'random' | 'randomUuid'>;
}

/** The part of the context that the facts of a function allow: one that reads labels and says that it reads nothing does not compile. */
type ContextOf<Facts extends FunctionFacts> = Allowed & GraphReads[Facts['reads']] & Environments[Facts['determinism']];

/** The implementation of a function. */
// biome-ignore lint/suspicious/noExplicitAny: each definition takes its own number of arguments; the compiler checks the count
export type Evaluate<Context = FunctionContext> = (context: Context, ...args: any[]) => Value;

/** Calls a function that may give way: answers its value, or the pieces of work that make it. */
// biome-ignore lint/suspicious/noExplicitAny: as above
export type Begin<Context = FunctionContext> = (context: Context, ...args: any[]) => Value | Pieces<Value>;

/** The implementation of a function whose longest call is more than a turn of the thread: it yields null where others should run. */
export interface InPieces<Context = FunctionContext> {
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly pieces: (context: Context, ...args: any[]) => Pieces<Value>;
}

/** An implementation for each function of a table, and none besides. */
export type Implementations<Table extends FunctionTable> = {
  readonly [name in keyof Table]: Evaluate<ContextOf<Table[name]>> | InPieces<ContextOf<Table[name]>>;
};

/**
 * The table itself where it names each function of the facts. Needed beside the above for a name that every object
 * inherits: `toString`.
 */
export type Complete<Facts extends FunctionTable, Table> = keyof Facts extends keyof Table ? Table : never;

/** A function: its facts and what is called. */
export interface FunctionDefinition extends DescribedFunction {
  /** The value, in one turn. */
  readonly evaluate: Evaluate;
  /** Calls the function where it can give way; null for one that never does. */
  readonly begin: Begin | null;
}

/** The state of an aggregate: values are added, and a result is asked for. */
export interface Accumulator {
  /** `argument` is the second argument of the function, the percentile. */
  add(value: Value, argument?: Value, third?: Value, fourth?: Value, fifth?: Value): void;
  /** Work that is done before the result is asked for, and gives way; absent: there is none. */
  finish?(work: Work): Pieces<void>;
  /** Values that are to be sorted, in the order of ORDER BY, before the result is asked for; absent: there are none. */
  unsorted?(): Value[];
  result(): Value;
}

/** The accumulator of one group, for each aggregate of a table, and none besides. */
export type AccumulatorMakers<Table extends AggregateTable> = { readonly [name in keyof Table]: (catalog?: GraphCatalog) => Accumulator };

/** An aggregate: its facts and how its state is made. */
export interface AggregateDefinition extends DescribedAggregate {
  /** @param catalog of projected graphs, for those that say `usesCatalog` */
  create(catalog?: GraphCatalog): Accumulator;
}
