/**
 * What a scalar function is: a pure function on values, with what the compiler, EXPLAIN and SHOW FUNCTIONS need to know about it.
 *
 * Calling convention: `evaluate(context, a, b, …)` with between `minArgs` and `maxArgs` values, never undefined in between; a missing
 * optional argument is left out at the end. When `nullPropagating` is set the function gives null for any null argument by itself too, but
 * the caller may answer null without calling. The compiler puts a `deterministic` function of constants into the constants.
 *
 * Faults: TYPE_ERROR with the TCK's `InvalidArgumentValue` or `InvalidArgumentType`, ARGUMENT_ERROR, ARITHMETIC_ERROR.
 */
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
  /** The row of LOAD CSV that is worked on; null outside. */
  csvPlace(): CsvPlace | null;
}

/** Types as signatures name them; `Any` accepts every value. */
export type TypeHint =
  | 'Any'
  | 'Boolean'
  | 'Integer'
  | 'Float'
  | 'Number'
  | 'String'
  | 'Bytes'
  | 'Vector'
  | 'List'
  | 'Map'
  | 'Node'
  | 'Relationship'
  | 'Path'
  | 'Date'
  | 'Time'
  | 'LocalTime'
  | 'DateTime'
  | 'LocalDateTime'
  | 'Duration'
  | 'Point';

export type FunctionCategory =
  | 'Numeric'
  | 'Trigonometric'
  | 'Logarithmic'
  | 'String'
  | 'List'
  | 'Scalar'
  | 'Predicate'
  | 'Temporal'
  | 'Duration'
  | 'Graph'
  | 'Database'
  | 'Vector'
  | 'Spatial';

// biome-ignore lint/suspicious/noExplicitAny: each definition takes its own number of arguments; the compiler checks the count
export type Evaluate = (context: FunctionContext, ...args: any[]) => Value;

export interface FunctionDefinition {
  /** As documented: `toUpper`, `duration.between`. Looked up in lower case. */
  readonly name: string;
  readonly minArgs: number;
  /** Infinity for any number of arguments. */
  readonly maxArgs: number;
  readonly nullPropagating: boolean;
  /** Accepted types by position; the last entry stands for all further positions. Null is always accepted. */
  readonly argumentTypes: readonly (readonly TypeHint[])[];
  readonly returnType: TypeHint;
  /** The same arguments give the same answer, whatever the graph and the time. */
  readonly deterministic: boolean;
  readonly category: FunctionCategory;
  readonly description: string;
  /** `left(original :: STRING, length :: INTEGER) :: STRING` */
  readonly signature: string;
  readonly evaluate: Evaluate;
}
