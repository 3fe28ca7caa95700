/**
 * The vocabulary of function facts: one row says everything that is known of a function or an aggregate before it is
 * called. The binder, the planner, the requirements of a plan, the code generator, the runtime, SHOW FUNCTIONS and the
 * documentation read the row; none of them keeps names of its own.
 *
 * Every field without a question mark must be given: a row that leaves one out does not compile. A field with one has a
 * safe meaning when absent.
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
  /** Accepted types. Null is always accepted. */
  readonly types: readonly TypeName[];
  /** Types that the binder lets through where it knows the type of an argument; a call refuses the rest when it is made. */
  readonly bound: readonly TypeName[];
  /** May be left out. */
  readonly optional?: true;
  /** Stands for any number of arguments; last only. */
  readonly repeated?: true;
}

/** Type of an answer, where the types of the arguments tell more than the signature does. */
export type InferredType =
  | 'unknown'
  /** That of the first argument. */
  | 'first'
  | 'elementOfFirst'
  | 'listOfFirst'
  /** The common type of all arguments. */
  | 'joined'
  /** That of the first argument if it is a number. */
  | 'sum'
  | { readonly listOf: TypeName };

/**
 * When the same arguments give the same answer, as far as the graph stays the same:
 *
 * - `pure`: always. A call with constant arguments is a constant.
 * - `statement`: throughout one statement, for which its clocks stand still.
 * - `row`: for one row of the input, wherever in the expressions of that row.
 * - `clock`: never; it reads the clock at each call.
 * - `random`: never, and one value must be drawn once: a copy of the call is another value.
 */
export type Determinism = 'pure' | 'statement' | 'row' | 'clock' | 'random';

/**
 * Parts of a node or relationship among the arguments that a function looks at, or the catalog of projected graphs.
 * Ordinals, ends and types need no table to be loaded.
 */
export type EntityRead = 'nothing' | 'catalog' | 'identifier' | 'labels' | 'type' | 'properties';

/**
 * Work of one call in proportion to its arguments, which it counts before it works: the length of a text or list, the
 * size of a map, a path or an entity. A Vector that stands for a List is copied beside, whatever the class.
 */
export type Cost =
  | 'constant'
  /** Linear in the length of the answer: the function counts it itself, once it knows. */
  | 'answer'
  /** Linear in the sizes of these parameters. */
  | { readonly linearIn: readonly string[] }
  /** Linear in these parameters where they are texts; constant where they are something else. */
  | { readonly textOf: readonly string[] }
  /** Linear in these parameters and all that is in them, at any depth. */
  | { readonly deepIn: readonly string[] }
  /** In the product of their sizes. */
  | { readonly productOf: readonly string[] };

interface Facts {
  readonly parameters: readonly Parameter[];
  readonly returns: TypeName;
  /** Absent: what `returns` says. */
  readonly infers?: InferredType;
  /** One sentence for SHOW FUNCTIONS. */
  readonly description: string;
}

/** A scalar function. */
export interface FunctionFacts extends Facts {
  /** `propagate`: null for any null argument. `own`: it decides by itself. */
  readonly nulls: 'propagate' | 'own';
  readonly determinism: Determinism;
  readonly reads: EntityRead;
  readonly cost: Cost;
  readonly category: FunctionCategory;
}

/** An aggregate. All ignore null. */
export interface AggregateFacts extends Facts {
  /** State of a group: some numbers, one of the values, or all of them. DISTINCT keeps the distinct values beside. */
  readonly keeps: 'numbers' | 'value' | 'values';
  /**
   * How results over parts of the rows give the result over all: an aggregate over them, a sum and a count for `mean`,
   * null for not at all.
   */
  readonly combines: 'sum' | 'min' | 'max' | 'mean' | null;
  /** Does a value that comes twice change the result? */
  readonly countsDuplicates: boolean;
  /** It puts what it makes into the catalog of projected graphs, which the main thread alone has. */
  readonly usesCatalog?: true;
}

/** A function with a syntax of its own, which the parser reads. */
export interface SyntaxFacts {
  readonly category: FunctionCategory;
  readonly description: string;
  readonly signature: string;
}

/** Rows by the name of the function, as documented. */
export type FunctionTable = Readonly<Record<string, FunctionFacts>>;

/** A table of the facts of aggregates, by name. */
export type AggregateTable = Readonly<Record<string, AggregateFacts>>;
