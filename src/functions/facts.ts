/**
 * The vocabulary of function facts. One row says everything that is known of a function or an aggregate before it is
 * called. The binder, the planner, the requirements of a plan, the code generator, the runtime, SHOW FUNCTIONS and the
 * documentation read this row; none of them keeps a list of names of its own.
 *
 * A required field that is left out of a row fails the build. An optional field has a safe meaning when absent.
 */

/** Types as signatures name them; `Any` accepts every value. */
export type TypeName =
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

/** A category of functions, as SHOW FUNCTIONS lists it. */
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

/** A parameter of a function. */
export interface Parameter {
  readonly name: string;
  /** The accepted types. Null is always accepted. */
  readonly types: readonly TypeName[];
  /**
   * The types that the binder accepts where it knows the type of an argument. Other types than `types` are refused when
   * the function is called.
   */
  readonly bound: readonly TypeName[];
  /** True if the argument may be left out. */
  readonly optional?: true;
  /** True if the parameter stands for any number of arguments; only for the last parameter. */
  readonly repeated?: true;
}

/** The type of a result, where the types of the arguments tell more than the signature does. */
export type InferredType =
  | 'unknown'
  /** The type of the first argument. */
  | 'first'
  | 'elementOfFirst'
  | 'listOfFirst'
  /** The common type of all arguments. */
  | 'joined'
  /** The type of the first argument, if that is a number. */
  | 'sum'
  | { readonly listOf: TypeName };

/**
 * How long a call with the same arguments gives the same result, while the graph does not change:
 *
 * - `pure`: always. A call with constant arguments is a constant.
 * - `statement`: throughout one statement, for which its clocks stand still.
 * - `row`: for one row of the input, in all expressions of that row.
 * - `clock`: never; the call reads the clock.
 * - `random`: never, and the value must be drawn once: a copy of the call is another value.
 */
export type Determinism = 'pure' | 'statement' | 'row' | 'clock' | 'random';

/**
 * The part of a node or relationship that a function reads of its arguments, or the catalog of projected graphs.
 * Ordinals, ends and types need no table to be loaded.
 */
export type EntityRead = 'nothing' | 'catalog' | 'identifier' | 'labels' | 'type' | 'properties';

/**
 * The work of one call in relation to its arguments, which the call counts before it begins. The size of an argument is
 * the length of a text or list, or the size of a map, a path or an entity. Copying a Vector that stands for a List is
 * counted separately, whatever the class.
 */
export type Cost =
  | 'constant'
  /** Linear in the length of the result; the function counts it itself, once the length is known. */
  | 'answer'
  /** Linear in the sizes of these parameters. */
  | { readonly linearIn: readonly string[] }
  /** Linear in these parameters where they are texts; constant where they are something else. */
  | { readonly textOf: readonly string[] }
  /** Linear in these parameters and in everything that they contain, at any depth. */
  | { readonly deepIn: readonly string[] }
  /** Linear in the product of the sizes of these parameters. */
  | { readonly productOf: readonly string[] };

interface Facts {
  readonly parameters: readonly Parameter[];
  readonly returns: TypeName;
  /** The inferred type of the result; `returns` if absent. */
  readonly infers?: InferredType;
  /** One sentence for SHOW FUNCTIONS. */
  readonly description: string;
}

/** Facts of a scalar function. */
export interface FunctionFacts extends Facts {
  /** `propagate`: the result is null if any argument is null. `own`: the function handles null arguments itself. */
  readonly nulls: 'propagate' | 'own';
  readonly determinism: Determinism;
  readonly reads: EntityRead;
  readonly cost: Cost;
  readonly category: FunctionCategory;
}

/** Facts of an aggregate. All aggregates ignore null. */
export interface AggregateFacts extends Facts {
  /** The state that a group keeps: some numbers, one of the values, or all of them. With DISTINCT the distinct values are kept as well. */
  readonly keeps: 'numbers' | 'value' | 'values';
  /**
   * How results over parts of the rows are combined to the result over all of them: by another aggregate, for `mean` by
   * a sum and a count, or not at all (null).
   */
  readonly combines: 'sum' | 'min' | 'max' | 'mean' | null;
  /** True if a value that occurs twice changes the result. */
  readonly countsDuplicates: boolean;
  /** True if the aggregate stores its result in the catalog of projected graphs, which only the main thread has. */
  readonly usesCatalog?: true;
}

/** Facts of a function with a syntax of its own, which the parser reads. */
export interface SyntaxFacts {
  readonly category: FunctionCategory;
  readonly description: string;
  readonly signature: string;
}

/** Facts of scalar functions by the documented name. */
export type FunctionTable = Readonly<Record<string, FunctionFacts>>;

/** Facts of aggregates by the documented name. */
export type AggregateTable = Readonly<Record<string, AggregateFacts>>;
