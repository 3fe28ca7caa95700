/**
 * The physical plan: a tree of operators over bound expressions, made by the planner, compiled to JavaScript by src/exec.
 *
 * A row is an assignment of values to variables (unique names of the bound tree). Every operator says in its comment which variables its rows have;
 * `input` rows keep theirs unless said otherwise. Order of rows is kept by every operator but those that say so.
 * A *sub-plan* runs once per row of an outer operator, starts with an `argument` leaf and sees the outer row's variables.
 */

import type {
  Expression,
  LabelExpression,
  PathSelector,
  ProcedureYield,
  RemoveItem,
  SchemaCommand,
  SetItem,
  ShowCommand,
  Variable,
  VariableType,
} from '../cypher/index.ts';
import type { AggregateName } from '../functions/index.ts';

export interface Plan {
  readonly root: Operator;
  readonly columns: readonly { readonly name: string; readonly variable: string }[];
  readonly writes: boolean;
  readonly variableTypes: ReadonlyMap<string, VariableType>;
  readonly mode: 'run' | 'explain' | 'profile';
  /** A scan of this plan of which other threads take their shares (`splitPlan`); rows leave as they are, with references into the graph. */
  readonly partitioned?: AllNodesScan | LabelScan | RelationshipScan;
  /** Names of the rewrites that changed something; for EXPLAIN. */
  readonly rewrites?: readonly string[];
  /** Indexes on single properties that the planner asked for. */
  readonly askedIndexes?: readonly AskedIndex[];
}

/** With an automatic index where there was none, or without the one that there was, another plan may be better. */
export interface AskedIndex {
  readonly label: string;
  readonly key: string;
  /** There was one, and nobody had declared it. */
  readonly automatic: boolean;
}

/** Expressions of a plan: those of the bound tree in which patterns and subqueries have become plans, and aggregates variables. */
export type PlanExpression =
  | Expression
  /** exists: boolean; count: integer; collect: list of `variable` of each row (pattern comprehension, COLLECT). */
  | {
      readonly kind: 'planSubquery';
      readonly mode: 'exists' | 'count' | 'collect';
      readonly plan: Operator;
      readonly variable: string | null;
    }
  /** A path from node and relationship variables, alternating; a relationship element of variable length holds a list. Null when any of them is. */
  | { readonly kind: 'pathBuild'; readonly elements: readonly string[] }
  /** Whether the ordinal of the one node is less than that of the other: only rewrites write it, to take one of several matches that differ in their order. */
  | { readonly kind: 'nodeOrder'; readonly low: Variable; readonly high: Variable };

export interface OperatorBase {
  /** Estimated rows out; for EXPLAIN and for choices. */
  readonly estimatedRows: number;
}

export type Operator =
  | Argument
  | AllNodesScan
  | LabelScan
  | NodeByIdSeek
  | NodeIndexSeek
  | NodeIndexRange
  | RelationshipScan
  | RelationshipByIdSeek
  | RelationshipIndexSeek
  | RelationshipIndexRange
  | Expand
  | MultiwayJoin
  | VariableExpand
  | ShortestPath
  | PathSearch
  | Filter
  | Project
  | Aggregate
  | Distinct
  | Sort
  | Top
  | Skip
  | Limit
  | Unwind
  | Apply
  | OptionalApply
  | SemiApply
  | CountedJoin
  | CartesianProduct
  | HashJoin
  | UnionAll
  | Eager
  | Create
  | Merge
  | SetProperties
  | RemoveItems
  | Delete
  | Foreach
  | ProcedureCall
  | TransactionApply
  | LoadCsv
  | Schema
  | Show
  | EmptyResult;

/** Leaf: the outer row once (or, at the top of a statement, one empty row). Variables: `variables`. */
export interface Argument extends OperatorBase {
  readonly kind: 'argument';
  readonly variables: readonly string[];
}

/** Leaf: + variable, a node. The order is of tables and rows, unspecified to users. */
export interface AllNodesScan extends OperatorBase {
  readonly kind: 'allNodesScan';
  readonly input: Operator;
  readonly variable: string;
}

/** For each input row, each node that satisfies the label expression. */
export interface LabelScan extends OperatorBase {
  readonly kind: 'labelScan';
  readonly input: Operator;
  readonly variable: string;
  readonly labels: LabelExpression;
}

/** By internal identifier: `_id`, `id(n)`, `elementId(n)`. Null or unknown: no row. `ids`: the expression gives a list of them (duplicates give one row). */
export interface NodeByIdSeek extends OperatorBase {
  readonly kind: 'nodeByIdSeek';
  readonly input: Operator;
  readonly variable: string;
  readonly id: PlanExpression;
  readonly many: boolean;
}

/** Equality on all keys of an index; `many` (one key only): the value is a list, each value looked up once. */
export interface NodeIndexSeek extends OperatorBase {
  readonly kind: 'nodeIndexSeek';
  readonly input: Operator;
  readonly variable: string;
  readonly label: string;
  readonly keys: readonly string[];
  readonly values: readonly PlanExpression[];
  readonly many: boolean;
  readonly unique: boolean;
  /** Nobody declared the index. */
  readonly automatic: boolean;
}

/** What a point lies in: `[lowerLeft, upperRight]` of a box, `[centre, radius]` of a circle, as one list. */
export interface IndexArea {
  readonly shape: 'box' | 'circle';
  readonly value: PlanExpression;
}

/** Range or prefix on the single key of an index, ascending by value; or an area, ascending by ordinal. */
export interface NodeIndexRange extends OperatorBase {
  readonly kind: 'nodeIndexRange';
  readonly input: Operator;
  readonly variable: string;
  readonly label: string;
  readonly key: string;
  readonly low: { readonly value: PlanExpression; readonly inclusive: boolean } | null;
  readonly high: { readonly value: PlanExpression; readonly inclusive: boolean } | null;
  readonly prefix: PlanExpression | null;
  readonly area: IndexArea | null;
}

/** Every relationship of the types (null: all): + relationship, from, to. `direction` both: each twice, a self-loop once. */
export interface RelationshipScan extends OperatorBase {
  readonly kind: 'relationshipScan';
  readonly input: Operator;
  readonly relationship: string;
  readonly from: string;
  readonly to: string;
  readonly types: readonly string[] | null;
  readonly direction: 'out' | 'in' | 'both';
  readonly uniqueAgainst: readonly string[];
}

/** By element id: + relationship, from, to (in stored direction or, for `both`, either way round). */
export interface RelationshipByIdSeek extends OperatorBase {
  readonly kind: 'relationshipByIdSeek';
  readonly input: Operator;
  readonly relationship: string;
  readonly from: string;
  readonly to: string;
  readonly direction: 'out' | 'in' | 'both';
  readonly id: PlanExpression;
  readonly many: boolean;
  readonly uniqueAgainst: readonly string[];
}

interface RelationshipLookup extends OperatorBase {
  readonly input: Operator;
  readonly relationship: string;
  readonly from: string;
  readonly to: string;
  /** Each has an index on the keys. */
  readonly types: readonly string[];
  readonly direction: 'out' | 'in' | 'both';
  readonly uniqueAgainst: readonly string[];
}

/** Equality on all keys of the indexes of the types: + relationship, from, to, as a scan of them gives. `many`: as of `NodeIndexSeek`. */
export interface RelationshipIndexSeek extends RelationshipLookup {
  readonly kind: 'relationshipIndexSeek';
  readonly keys: readonly string[];
  readonly values: readonly PlanExpression[];
  readonly many: boolean;
  readonly unique: boolean;
}

/** Range or prefix on the single key of the indexes of the types. */
export interface RelationshipIndexRange extends RelationshipLookup {
  readonly kind: 'relationshipIndexRange';
  readonly key: string;
  readonly low: NodeIndexRange['low'];
  readonly high: NodeIndexRange['high'];
  readonly prefix: PlanExpression | null;
  readonly area: IndexArea | null;
}

/**
 * From a bound node along relationships. `into`: `to` is bound already, rows are the relationships between the two. `from` null in a row: no rows.
 * `relationshipBound`: the relationship variable is bound already; rows where it fits from, to, types and direction.
 * `uniqueAgainst`: relationship variables (single or list) of the same MATCH that this one must differ from.
 */
export interface Expand extends OperatorBase {
  readonly kind: 'expand';
  readonly input: Operator;
  readonly from: string;
  readonly relationship: string;
  readonly to: string;
  readonly types: readonly string[] | null;
  readonly direction: 'out' | 'in' | 'both';
  readonly into: boolean;
  readonly relationshipBound: boolean;
  readonly uniqueAgainst: readonly string[];
}

/** From several bound nodes to a new one that is a neighbour of all of them: + to, + the relationship of each leg. (A worst-case optimal join: no leg's rows are made before the others are asked.) */
export interface MultiwayJoin extends OperatorBase {
  readonly kind: 'multiwayJoin';
  readonly input: Operator;
  readonly to: string;
  /** Two or more. A leg may have to differ from the relationships of legs before it. */
  readonly legs: readonly Pick<Expand, 'from' | 'relationship' | 'types' | 'direction' | 'uniqueAgainst'>[];
}

/**
 * Variable length: + relationships (a list), to (unless `into`). min 0 gives the node itself with the empty list. No relationship twice in one path, nor one of
 * `uniqueAgainst`. `step`: predicates that every step must satisfy, over `stepRelationship`, `stepFrom`, `stepTo` and outer variables.
 * `reversed`: the pattern was walked from its right end: the list is to be given in pattern order, that is, reversed.
 * `listNeeded` false: nobody reads the list. `distinctEnds`: only the distinct `to` per input row matter (set by a rewrite; breadth-first).
 */
export interface VariableExpand extends OperatorBase {
  readonly kind: 'variableExpand';
  readonly input: Operator;
  readonly from: string;
  readonly relationships: string;
  readonly to: string;
  readonly types: readonly string[] | null;
  readonly direction: 'out' | 'in' | 'both';
  readonly min: number;
  readonly max: number | null;
  readonly into: boolean;
  readonly uniqueAgainst: readonly string[];
  readonly reversed: boolean;
  readonly relationshipsBound: boolean;
  readonly step: { readonly relationship: string; readonly from: string; readonly to: string; readonly predicate: PlanExpression } | null;
  readonly listNeeded: boolean;
  readonly distinctEnds: boolean;
  /**
   * A quantified path pattern `((a)-[r:R]->(b) WHERE …){1,5}`: each repetition is one run of `plan` (argument: `from`), which binds `to`, the relationships
   * `relationships` used in it, and the variables of `groups`, which become lists outside (inner name → outer name). null for plain variable length.
   */
  readonly quantified: {
    readonly plan: Operator;
    readonly from: string;
    readonly to: string;
    readonly relationships: readonly string[];
    readonly groups: readonly { readonly inner: string; readonly outer: string }[];
  } | null;
}

/** Both ends bound: + relationships (list), one row for `shortest` (any one of the least length), all of them for `all`; `count` for SHORTEST k; `groups`: k lengths. */
export interface ShortestPath extends OperatorBase {
  readonly kind: 'shortestPath';
  readonly input: Operator;
  readonly from: string;
  readonly to: string;
  readonly relationships: string;
  readonly types: readonly string[] | null;
  readonly direction: 'out' | 'in' | 'both';
  readonly min: number;
  readonly max: number | null;
  readonly mode: 'shortest' | 'all' | 'groups';
  readonly count: number;
  readonly step: VariableExpand['step'];
  /** A predicate on the whole path (over `relationships` and the ends) that a path must satisfy to count; null: none. */
  readonly predicate: PlanExpression | null;
}

/** A path pattern as an automaton: see match/path-automaton.ts. */
export interface PathAutomaton {
  readonly start: number;
  readonly accept: number;
  /** By state: the test of its node in `nodeTests`, -1 for none. */
  readonly states: readonly number[];
  readonly steps: readonly PathStep[];
  readonly skips: readonly (readonly [from: number, to: number])[];
  readonly nodeTests: readonly { readonly node: string; readonly predicate: PlanExpression }[];
  readonly stepTests: readonly NonNullable<VariableExpand['step']>[];
}

export interface PathStep {
  readonly from: number;
  readonly to: number;
  readonly types: readonly string[] | null;
  readonly direction: 'out' | 'in' | 'both';
  /** In `stepTests`, -1 for none. */
  readonly test: number;
}

/** A variable of the pattern: the nodes at these states, or the relationships of these steps, on the way. */
export interface PathOutput {
  readonly variable: string;
  readonly of: 'node' | 'relationship';
  readonly isList: boolean;
  readonly places: readonly number[];
}

/** From one bound end: + the variables of `outputs`, one row for each path that the selector chooses, of each other end (of `to` alone when it is bound: `into`). */
export interface PathSearch extends OperatorBase {
  readonly kind: 'pathSearch';
  readonly input: Operator;
  readonly from: string;
  readonly to: string;
  readonly into: boolean;
  /** The pattern is walked from its right end: lists are turned round. */
  readonly reversed: boolean;
  readonly automaton: PathAutomaton;
  readonly outputs: readonly PathOutput[];
  readonly mode: ShortestPath['mode'];
  readonly count: PathSelector['count'];
}

export interface Filter extends OperatorBase {
  readonly kind: 'filter';
  readonly input: Operator;
  readonly predicate: PlanExpression;
}

/** `discard`: rows have only the items' variables afterwards; otherwise items are added. Expressions see the input row only. */
export interface Project extends OperatorBase {
  readonly kind: 'project';
  readonly input: Operator;
  readonly items: readonly { readonly variable: string; readonly expression: PlanExpression }[];
  readonly discard: boolean;
}

/** Rows: one per group, with grouping and aggregation variables only; no grouping: exactly one row. Grouping is by equivalence (nulls equal). */
export interface Aggregate extends OperatorBase {
  readonly kind: 'aggregate';
  readonly input: Operator;
  readonly grouping: readonly { readonly variable: string; readonly expression: PlanExpression }[];
  readonly aggregations: readonly {
    readonly variable: string;
    readonly function: AggregateName;
    readonly distinct: boolean;
    readonly arguments: readonly PlanExpression[];
  }[];
}

/** By equivalence on `variables`, which are all that is left. First row of each kept, in order. */
export interface Distinct extends OperatorBase {
  readonly kind: 'distinct';
  readonly input: Operator;
  readonly variables: readonly string[];
}

/** Stable. */
export interface Sort extends OperatorBase {
  readonly kind: 'sort';
  readonly input: Operator;
  readonly items: readonly { readonly expression: PlanExpression; readonly descending: boolean }[];
}

/** Sort and the first `count` rows, in bounded memory. */
export interface Top extends OperatorBase {
  readonly kind: 'top';
  readonly input: Operator;
  readonly items: readonly { readonly expression: PlanExpression; readonly descending: boolean }[];
  readonly count: PlanExpression;
}

export interface Skip extends OperatorBase {
  readonly kind: 'skip';
  readonly input: Operator;
  readonly count: PlanExpression;
}
/** Above updates the input is run to its end all the same (the planner puts an eager below). */
export interface Limit extends OperatorBase {
  readonly kind: 'limit';
  readonly input: Operator;
  readonly count: PlanExpression;
}
/** null: no rows; a value that is no list: one row. */
export interface Unwind extends OperatorBase {
  readonly kind: 'unwind';
  readonly input: Operator;
  readonly variable: string;
  readonly list: PlanExpression;
}
/** Each outer row with each row of the sub-plan. */
export interface Apply extends OperatorBase {
  readonly kind: 'apply';
  readonly input: Operator;
  readonly plan: Operator /** Unit subquery: run it for its effects, keep the row once. */;
  readonly unit: boolean;
}
/** As apply; where the sub-plan has no row, one with `nullVariables` null. */
export interface OptionalApply extends OperatorBase {
  readonly kind: 'optionalApply';
  readonly input: Operator;
  readonly plan: Operator;
  readonly nullVariables: readonly string[];
}
/** Keeps outer rows for which the sub-plan has a row (anti: has none). */
export interface SemiApply extends OperatorBase {
  readonly kind: 'semiApply';
  readonly input: Operator;
  readonly plan: Operator;
  readonly anti: boolean;
}
/**
 * + count: how many rows of the sub-plan, which starts at `from` and binds `on` by itself, end in the `on` of this row. Rows for which there are none are dropped,
 * unless `keepsNone`: then it does not matter whether they are there. The sub-plan runs once for rows of the same `from` that come one after the other: its rows are counted by `on`, and never stand beside those of the input.
 */
export interface CountedJoin extends OperatorBase {
  readonly kind: 'countedJoin';
  readonly input: Operator;
  readonly plan: Operator;
  readonly from: string;
  readonly on: string;
  readonly count: string;
  readonly keepsNone: boolean;
}
/** `right` does not depend on `left` rows. */
export interface CartesianProduct extends OperatorBase {
  readonly kind: 'cartesianProduct';
  readonly left: Operator;
  readonly right: Operator;
}
/** Equality of leftKeys[i] = rightKeys[i] (ternary true). The right side is hashed. Variables of both. Both sides see the same outer row. */
export interface HashJoin extends OperatorBase {
  readonly kind: 'hashJoin';
  readonly left: Operator;
  readonly right: Operator;
  readonly leftKeys: readonly PlanExpression[];
  readonly rightKeys: readonly PlanExpression[];
}
/** Rows of the first input, then of the second, …; each input has been projected to the same `variables`. */
export interface UnionAll extends OperatorBase {
  readonly kind: 'unionAll';
  readonly inputs: readonly Operator[];
  readonly variables: readonly string[];
}
/** All input rows are made before the first leaves: keeps the order of clauses between reads and writes. */
export interface Eager extends OperatorBase {
  readonly kind: 'eager';
  readonly input: Operator;
}

export interface CreateNode {
  readonly kind: 'createNode';
  readonly variable: string;
  readonly labels: readonly (string | PlanExpression)[];
  readonly properties: PlanExpression | null;
}
export interface CreateRelationship {
  readonly kind: 'createRelationship';
  readonly variable: string;
  readonly type: string | PlanExpression;
  readonly source: string;
  readonly target: string;
  readonly properties: PlanExpression | null;
}
/** + the created variables; items in order. */
export interface Create extends OperatorBase {
  readonly kind: 'create';
  readonly input: Operator;
  readonly items: readonly (CreateNode | CreateRelationship)[];
}
/** Per input row: the rows of `match` (argument: outer variables), `onMatch` applied to each; if none, `create` and `onCreate`. */
export interface Merge extends OperatorBase {
  readonly kind: 'merge';
  readonly input: Operator;
  readonly match: Operator;
  readonly create: readonly (CreateNode | CreateRelationship)[];
  /** Variables the merge binds. */
  readonly variables: readonly string[];
  readonly onCreate: readonly SetItem[];
  readonly onMatch: readonly SetItem[];
}
export interface SetProperties extends OperatorBase {
  readonly kind: 'setProperties';
  readonly input: Operator;
  readonly items: readonly SetItem[];
}
export interface RemoveItems extends OperatorBase {
  readonly kind: 'removeItems';
  readonly input: Operator;
  readonly items: readonly RemoveItem[];
}
export interface Delete extends OperatorBase {
  readonly kind: 'delete';
  readonly input: Operator;
  readonly expressions: readonly PlanExpression[];
  readonly detach: boolean;
}
/** Per input row, per element: runs `plan` (argument: outer variables and `variable`) for its effects. */
export interface Foreach extends OperatorBase {
  readonly kind: 'foreach';
  readonly input: Operator;
  readonly variable: string;
  readonly list: PlanExpression;
  readonly plan: Operator;
}
/** Per input row, each result of the procedure: + yields. `unit`: the procedure gives no fields; the row is kept once. */
export interface ProcedureCall extends OperatorBase {
  readonly kind: 'procedureCall';
  readonly input: Operator;
  readonly name: string;
  readonly arguments: readonly PlanExpression[];
  readonly yields: readonly ProcedureYield[];
  readonly unit: boolean;
  /** It can change data. */
  readonly writes: boolean;
}
/** `CALL { … } IN TRANSACTIONS`. */
export interface TransactionApply extends OperatorBase {
  readonly kind: 'transactionApply';
  readonly input: Operator;
  readonly plan: Operator;
  readonly unit: boolean;
  readonly batchSize: PlanExpression | null;
  readonly onError: 'fail' | 'continue' | 'break';
  readonly nullVariables: readonly string[];
  readonly reportStatus: string | null;
}
export interface LoadCsv extends OperatorBase {
  readonly kind: 'loadCsv';
  readonly input: Operator;
  readonly from: PlanExpression;
  readonly withHeaders: boolean;
  readonly variable: string;
  readonly fieldTerminator: string | null;
}
export interface Schema extends OperatorBase {
  readonly kind: 'schema';
  readonly command: SchemaCommand;
}
/** + the columns of the SHOW command as variables named by `columns`. */
export interface Show extends OperatorBase {
  readonly kind: 'show';
  readonly what: ShowCommand['what'];
  readonly columns: readonly { readonly field: string; readonly variable: string }[];
}
/** Runs its input for its effects; no rows. A statement that ends in an update has this on top. */
export interface EmptyResult extends OperatorBase {
  readonly kind: 'emptyResult';
  readonly input: Operator;
}

export type { Variable };
