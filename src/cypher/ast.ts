/**
 * The syntax tree of a Cypher statement: readonly plain objects, each with a `kind` and its place in the text.
 *
 * The parser makes the tree from text. The binder returns a tree of the same types in which variable names are unique
 * in the statement: an inner `x` that shadows or follows an outer one is `x#2`, an unnamed part of a pattern gets a
 * generated name such as `#n3`. Every fault that can be found without data has been reported by then. The planner sees
 * bound trees only. Binding settles this as well:
 *
 * - WITH and RETURN: an item that passes a variable on under its own name keeps the variable (`n AS n`); any other item
 *   makes a new one. Where ORDER BY, WHERE or an aggregating item repeats a column's expression, the variable of the
 *   column replaces it. After aggregation or DISTINCT these use projected variables only, else earlier ones too.
 * - UNION: all parts have the columns of the first part, in its order and with its variables, which are new ones.
 * - CALL { … }: imports are listed, an importing WITH is gone; the returned columns are variables of the outer query.
 * - CALL procedure, SHOW: arguments and YIELD are explicit; a call inside a query without YIELD has an empty one.
 * - `exists(pattern)` is the pattern, `exists(n.key)` is `n.key IS NOT NULL`.
 */
import type { Value, ValueType } from '../value/index.ts';

export type { ValueType } from '../value/index.ts';

/** A range of offsets into the query text, in UTF-16 units: [start, end). */
export interface Span {
  readonly start: number;
  readonly end: number;
}

interface Located {
  readonly span: Span;
}

// ---------------------------------------------------------------- statements

/** A statement, with or without EXPLAIN or PROFILE. */
export interface Statement extends Located {
  readonly kind: 'statement';
  readonly mode: 'run' | 'explain' | 'profile';
  readonly body: Query | SchemaCommand | ShowCommand | DatabaseCommand;
}

/** A query: one or more parts joined by UNION. */
export interface Query extends Located {
  readonly kind: 'query';
  /** The parts, at least one; `unions[i]` joins `parts[i]` and `parts[i + 1]`. */
  readonly parts: readonly SingleQuery[];
  readonly unions: readonly ('all' | 'distinct')[];
}

/** A part of a query: a sequence of clauses. */
export interface SingleQuery extends Located {
  readonly kind: 'singleQuery';
  readonly clauses: readonly Clause[];
}

/** A command that changes the schema. */
export type SchemaCommand = CreateIndex | CreateConstraint | DropSchema;

/** The name of an index, a constraint or a database: literal, or a parameter for it. */
export type SchemaName = string | Parameter;

/** CREATE INDEX. */
export interface CreateIndex extends Located {
  readonly kind: 'createIndex';
  readonly name: SchemaName | null;
  readonly indexType: 'range' | 'text' | 'lookup' | 'point' | 'vector' | 'fulltext';
  readonly ifNotExists: boolean;
  readonly entity: 'node' | 'relationship';
  /** Labels or types: none for a lookup index, several only for vector and full-text indexes. */
  readonly labelsOrTypes: readonly string[];
  readonly properties: readonly string[];
  /** The properties in WITH, by which a search may filter; for vector indexes only. */
  readonly filters: readonly string[];
  readonly options: Expression | null;
  /** True for `CREATE INDEX ON :Label(key)`, the syntax of Neo4j 4 and earlier. */
  readonly isOldForm: boolean;
}

/** CREATE CONSTRAINT. */
export interface CreateConstraint extends Located {
  readonly kind: 'createConstraint';
  readonly name: SchemaName | null;
  readonly ifNotExists: boolean;
  readonly entity: 'node' | 'relationship';
  readonly labelOrType: string;
  readonly properties: readonly string[];
  readonly constraint: 'unique' | 'exists' | 'key' | 'type';
  /** The type in `IS :: TYPE`; null for other constraints. */
  readonly propertyType: ValueType | null;
  readonly options: Expression | null;
}

/** DROP INDEX or DROP CONSTRAINT. */
export interface DropSchema extends Located {
  readonly kind: 'dropSchema';
  readonly what: 'index' | 'constraint';
  readonly name: SchemaName;
  readonly ifExists: boolean;
}

/** Commands about namespaces, which Cypher calls databases. */
export type DatabaseCommand = CreateDatabase | DropDatabase;

/** CREATE DATABASE. */
export interface CreateDatabase extends Located {
  readonly kind: 'createDatabase';
  readonly name: SchemaName;
  readonly ifNotExists: boolean;
}

/** DROP DATABASE. */
export interface DropDatabase extends Located {
  readonly kind: 'dropDatabase';
  readonly name: SchemaName;
  readonly ifExists: boolean;
}

/** `SHOW what [YIELD …] [WHERE …] [RETURN …]`. */
export interface ShowCommand extends Located {
  readonly kind: 'show';
  /** The kind of listing; `terminations` is the result of TERMINATE TRANSACTIONS. */
  readonly what:
    | 'indexes'
    | 'constraints'
    | 'databases'
    | 'procedures'
    | 'functions'
    | 'transactions'
    | 'terminations'
    | 'settings'
    | 'users';
  /** The ids of the transactions that TERMINATE names; empty for SHOW. */
  readonly terminates: readonly SchemaName[];
  readonly yield: readonly ProcedureYield[] | '*' | null;
  readonly where: Expression | null;
  readonly returns: Projection | null;
}

// ---------------------------------------------------------------- clauses

/** A clause. */
export type Clause =
  | MatchClause
  | UnwindClause
  | WithClause
  | ReturnClause
  | CreateClause
  | MergeClause
  | SetClause
  | RemoveClause
  | DeleteClause
  | ForeachClause
  | CallProcedureClause
  | CallSubqueryClause
  | LoadCsvClause
  | FinishClause;

/** MATCH or OPTIONAL MATCH, with its WHERE and SEARCH. */
export interface MatchClause extends Located {
  readonly kind: 'match';
  readonly optional: boolean;
  readonly patterns: readonly PathPattern[];
  /** The SEARCH of the clause; absent after binding, since the binder replaces it by a CALL in front of the MATCH. */
  readonly search?: IndexSearch;
  readonly where: Expression | null;
}

/** `SEARCH n IN (VECTOR INDEX i FOR $v WHERE n.a = 1 LIMIT k) SCORE AS s`. */
export interface IndexSearch extends Located {
  readonly kind: 'indexSearch';
  readonly variable: Variable;
  readonly indexType: 'vector' | 'fulltext';
  readonly name: SchemaName;
  readonly query: Expression;
  readonly where: Expression | null;
  readonly limit: Expression;
  readonly score: Variable | null;
}

/** UNWIND. */
export interface UnwindClause extends Located {
  readonly kind: 'unwind';
  readonly expression: Expression;
  readonly variable: Variable;
}

/** The projection of WITH or RETURN. */
export interface Projection extends Located {
  readonly distinct: boolean;
  /** True if `*` was given. After binding, `items` begins with the variables that `*` stands for, in alphabetical order. */
  readonly star: boolean;
  readonly items: readonly ProjectionItem[];
  readonly orderBy: readonly SortItem[];
  readonly skip: Expression | null;
  readonly limit: Expression | null;
}

/** An item of a projection: `expression AS name`. */
export interface ProjectionItem extends Located {
  readonly expression: Expression;
  /**
   * The variable of the column, named by its alias or by the text of the expression. After binding its name is unique
   * in the statement, while `column` is the name that users see.
   */
  readonly variable: Variable;
  readonly column: string;
  readonly aliased: boolean;
}

/** An item of ORDER BY. */
export interface SortItem extends Located {
  readonly expression: Expression;
  readonly descending: boolean;
}

/** WITH, with its WHERE. */
export interface WithClause extends Located {
  readonly kind: 'with';
  readonly projection: Projection;
  readonly where: Expression | null;
}

/** RETURN. */
export interface ReturnClause extends Located {
  readonly kind: 'return';
  readonly projection: Projection;
}

/** CREATE. */
export interface CreateClause extends Located {
  readonly kind: 'create';
  readonly patterns: readonly PathPattern[];
}

/** MERGE, with ON CREATE SET and ON MATCH SET. */
export interface MergeClause extends Located {
  readonly kind: 'merge';
  readonly pattern: PathPattern;
  readonly onCreate: readonly SetItem[];
  readonly onMatch: readonly SetItem[];
}

/** SET. */
export interface SetClause extends Located {
  readonly kind: 'set';
  readonly items: readonly SetItem[];
}

/** An item of SET. */
export type SetItem =
  | (Located & { readonly kind: 'setProperty'; readonly target: PropertyAccess | IndexAccess; readonly value: Expression })
  | (Located & { readonly kind: 'setAll'; readonly variable: Variable; readonly merge: boolean; readonly value: Expression })
  | (Located & { readonly kind: 'setLabels'; readonly variable: Variable; readonly labels: readonly LabelName[] });

/** A label: a literal name, or the expression of `$(expression)`. */
export type LabelName = string | Expression;

/** REMOVE. */
export interface RemoveClause extends Located {
  readonly kind: 'remove';
  readonly items: readonly RemoveItem[];
}

/** An item of REMOVE. */
export type RemoveItem =
  | (Located & { readonly kind: 'removeProperty'; readonly target: PropertyAccess | IndexAccess })
  | (Located & { readonly kind: 'removeLabels'; readonly variable: Variable; readonly labels: readonly LabelName[] });

/** DELETE or DETACH DELETE. */
export interface DeleteClause extends Located {
  readonly kind: 'delete';
  readonly detach: boolean;
  readonly expressions: readonly Expression[];
}

/** FOREACH. */
export interface ForeachClause extends Located {
  readonly kind: 'foreach';
  readonly variable: Variable;
  readonly list: Expression;
  /** The body, of updating clauses only. */
  readonly clauses: readonly Clause[];
}

/** A column of YIELD. */
export interface ProcedureYield extends Located {
  /** The result field of the procedure. */
  readonly field: string;
  readonly variable: Variable;
}

/** CALL of a procedure. */
export interface CallProcedureClause extends Located {
  readonly kind: 'callProcedure';
  readonly optional: boolean;
  /** The full name with its namespace, such as `db.labels`. */
  readonly name: string;
  /** Null for a standalone call without parentheses, whose arguments are the parameters of the same names. */
  readonly arguments: readonly Expression[] | null;
  /** Null for a call without YIELD; standalone it yields all fields. */
  readonly yields: readonly ProcedureYield[] | '*' | null;
  readonly where: Expression | null;
  /** True if the call is the whole statement. */
  readonly standalone: boolean;
  /** True if the procedure can change data; set by the binder. */
  readonly writes?: boolean;
  /** True if the procedure can run where tables are read by page; set by the binder. */
  readonly readsByPage?: boolean;
}

/** CALL of a subquery. */
export interface CallSubqueryClause extends Located {
  readonly kind: 'callSubquery';
  readonly optional: boolean;
  /** The list of `CALL (a, b) { … }`, '*' for `CALL (*)`, null for `CALL { WITH a … }`; after binding the imported variables. */
  readonly imports: readonly Variable[] | '*' | null;
  readonly query: Query;
  readonly inTransactions: InTransactions | null;
}

/** IN TRANSACTIONS: the size of batches and the reaction to errors. */
export interface InTransactions extends Located {
  readonly batchSize: Expression | null;
  readonly onError: 'fail' | 'continue' | 'break';
  readonly reportStatus: Variable | null;
  /**
   * True if the call may join a transaction of the caller, in which nothing is committed by batch and errors are not
   * reported. Absent: such a call is refused.
   */
  readonly joinsTransaction?: true;
}

/** LOAD CSV. */
export interface LoadCsvClause extends Located {
  readonly kind: 'loadCsv';
  readonly withHeaders: boolean;
  readonly from: Expression;
  readonly variable: Variable;
  readonly fieldTerminator: string | null;
}

/** FINISH. */
export interface FinishClause extends Located {
  readonly kind: 'finish';
}

// ---------------------------------------------------------------- patterns

/** `p = shortestPath((a)-[r:T*1..3 {x: 1}]->(b))`; name and function are optional. In `elements` nodes alternate with others. */
export interface PathPattern extends Located {
  readonly kind: 'pathPattern';
  readonly variable: Variable | null;
  readonly selector: PathSelector | null;
  readonly elements: readonly PatternElement[];
}

/** A path selector: `shortestPath(…)`, `allShortestPaths(…)`, `SHORTEST k`, `ALL SHORTEST`, `SHORTEST k GROUPS`, `ANY k`. */
export interface PathSelector extends Located {
  readonly kind: 'shortest' | 'allShortest' | 'shortestGroups' | 'any';
  readonly count: number | Parameter;
  /** True for the function form, which takes only one relationship between two nodes. */
  readonly legacy: boolean;
}

/** An element of a path pattern. */
export type PatternElement = NodePattern | RelationshipPattern | QuantifiedPattern;

/** A node of a pattern. */
export interface NodePattern extends Located {
  readonly kind: 'nodePattern';
  /** Null only before binding, for an unnamed node. */
  readonly variable: Variable | null;
  readonly labels: LabelExpression | null;
  readonly properties: Expression | null;
  readonly where: Expression | null;
}

/** A relationship of a pattern, of fixed or variable length. */
export interface RelationshipPattern extends Located {
  readonly kind: 'relationshipPattern';
  /** Null only before binding, if unnamed. With `length`, the variable is the list of relationships. */
  readonly variable: Variable | null;
  readonly types: LabelExpression | null;
  /** The direction: out is (left)-->(right), in is (left)<--(right), both is either. */
  readonly direction: 'out' | 'in' | 'both';
  /** The bounds of a variable length, where `max` null is unbounded; null for a single relationship. */
  readonly length: { readonly min: number; readonly max: number | null } | null;
  readonly properties: Expression | null;
  readonly where: Expression | null;
}

/**
 * `((a)-[:R]->(b) WHERE …){1,5}` between two node patterns. Its variables are lists outside, under the same names,
 * after binding too: `a` is a node inside the pattern, and after it and in `variableTypes` the list of these nodes.
 */
export interface QuantifiedPattern extends Located {
  readonly kind: 'quantifiedPattern';
  readonly path: PathPattern;
  readonly where: Expression | null;
  readonly min: number;
  readonly max: number | null;
}

/** An expression over labels or relationship types. */
export type LabelExpression =
  | (Located & { readonly kind: 'labelName'; readonly name: string })
  | (Located & { readonly kind: 'labelWildcard' })
  | (Located & { readonly kind: 'labelDynamic'; readonly expression: Expression; readonly any: boolean })
  | (Located & { readonly kind: 'labelNot'; readonly operand: LabelExpression })
  | (Located & { readonly kind: 'labelAnd'; readonly operands: readonly LabelExpression[] })
  | (Located & { readonly kind: 'labelOr'; readonly operands: readonly LabelExpression[] });

// ---------------------------------------------------------------- expressions

/** An expression. */
export type Expression =
  | Literal
  | Parameter
  | Variable
  | PropertyAccess
  | IndexAccess
  | SliceAccess
  | ListLiteral
  | MapLiteral
  | MapProjection
  | UnaryExpression
  | ArithmeticChain
  | BinaryExpression
  | LogicalExpression
  | ComparisonChain
  | IsNullExpression
  | HasLabels
  | IsTyped
  | IsNormalized
  | FunctionCall
  | CountStar
  | CaseExpression
  | ListComprehension
  | PatternComprehension
  | Quantifier
  | Reduce
  | PatternExpression
  | SubqueryExpression;

/** A literal scalar; lists and maps have kinds of their own. (The binder replaces long literal lists and maps by literals.) */
export interface Literal extends Located {
  readonly kind: 'literal';
  readonly value: Value;
}

/** A parameter: `$name`. */
export interface Parameter extends Located {
  readonly kind: 'parameter';
  readonly name: string;
}

/** A variable. */
export interface Variable extends Located {
  readonly kind: 'variable';
  /** The name; unique in the statement after binding. */
  readonly name: string;
}

/** `subject.key`, where the subject is a node, relationship, map or temporal value. */
export interface PropertyAccess extends Located {
  readonly kind: 'property';
  readonly subject: Expression;
  readonly key: string;
}

/** `subject[index]`. */
export interface IndexAccess extends Located {
  readonly kind: 'index';
  readonly subject: Expression;
  readonly index: Expression;
}

/** `subject[from..to]`. */
export interface SliceAccess extends Located {
  readonly kind: 'slice';
  readonly subject: Expression;
  readonly from: Expression | null;
  readonly to: Expression | null;
}

/** A list literal. */
export interface ListLiteral extends Located {
  readonly kind: 'list';
  readonly items: readonly Expression[];
}

/** A map literal. */
export interface MapLiteral extends Located {
  readonly kind: 'map';
  readonly entries: readonly { readonly key: string; readonly value: Expression }[];
}

/** `subject {.*, .key, key: value, variable}`; `variable` is an entry with its name as key. */
export interface MapProjection extends Located {
  readonly kind: 'mapProjection';
  readonly subject: Variable;
  readonly all: boolean;
  readonly entries: readonly { readonly key: string; readonly value: Expression }[];
}

/** A prefix operator with its operand. */
export interface UnaryExpression extends Located {
  readonly kind: 'unary';
  readonly operator: 'not' | '-' | '+';
  readonly operand: Expression;
}

/** An arithmetic operator. */
export type ArithmeticOperator = '+' | '-' | '*' | '/' | '%' | '^' | '||';

/**
 * A flat chain: `a + b - c` is one node with three operands and two operators, all of one precedence, grouping to the
 * left. Made by `arithmeticChain`.
 */
export interface ArithmeticChain extends Located {
  readonly kind: 'arithmetic';
  readonly operands: readonly Expression[];
  /** The operators, one less than operands. */
  readonly operators: readonly ArithmeticOperator[];
}

/** A binary operator that is neither arithmetic, comparison nor logical. */
export type BinaryOperator = 'in' | 'startsWith' | 'endsWith' | 'contains' | '=~';

/** A binary operator with its operands. */
export interface BinaryExpression extends Located {
  readonly kind: 'binary';
  readonly operator: BinaryOperator;
  readonly left: Expression;
  readonly right: Expression;
}

/** A flat chain of one logical operator: `a AND b AND c` is one node with three operands. */
export interface LogicalExpression extends Located {
  readonly kind: 'logical';
  readonly operator: 'and' | 'or' | 'xor';
  readonly operands: readonly Expression[];
}

/** A comparison operator. */
export type ComparisonOperator = '=' | '<>' | '<' | '<=' | '>' | '>=';

/** `a < b <= c`, which means `a < b AND b <= c`: one operand more than operators; a plain comparison has two operands. */
export interface ComparisonChain extends Located {
  readonly kind: 'comparison';
  readonly operands: readonly Expression[];
  readonly operators: readonly ComparisonOperator[];
}

/** IS NULL or IS NOT NULL. */
export interface IsNullExpression extends Located {
  readonly kind: 'isNull';
  readonly operand: Expression;
  readonly negated: boolean;
}

/** `(n:A|B)`, `n:A:B`, `r:TYPE` or `n IS LABELED A` as a predicate. */
export interface HasLabels extends Located {
  readonly kind: 'hasLabels';
  readonly subject: Expression;
  readonly labels: LabelExpression;
}

/** `x IS [NOT] :: TYPE`, `IS TYPED`. */
export interface IsTyped extends Located {
  readonly kind: 'isTyped';
  readonly operand: Expression;
  readonly type: ValueType;
  readonly negated: boolean;
}

/** IS NORMALIZED or IS NOT NORMALIZED. */
export interface IsNormalized extends Located {
  readonly kind: 'isNormalized';
  readonly operand: Expression;
  readonly form: 'NFC' | 'NFD' | 'NFKC' | 'NFKD';
  readonly negated: boolean;
}

/** A call of a scalar function or an aggregate; `name` is as written, since functions are matched in any case. */
export interface FunctionCall extends Located {
  readonly kind: 'function';
  readonly name: string;
  readonly distinct: boolean;
  readonly arguments: readonly Expression[];
}

/** `count(*)`. */
export interface CountStar extends Located {
  readonly kind: 'countStar';
}

/** CASE; the subject is null in the searched form, `CASE WHEN condition THEN …`. */
export interface CaseExpression extends Located {
  readonly kind: 'case';
  readonly subject: Expression | null;
  readonly branches: readonly { readonly when: Expression; readonly then: Expression }[];
  readonly otherwise: Expression | null;
}

/** A list comprehension. */
export interface ListComprehension extends Located {
  readonly kind: 'listComprehension';
  readonly variable: Variable;
  readonly list: Expression;
  readonly where: Expression | null;
  readonly projection: Expression | null;
}

/** A pattern comprehension. */
export interface PatternComprehension extends Located {
  readonly kind: 'patternComprehension';
  readonly pattern: PathPattern;
  readonly where: Expression | null;
  readonly projection: Expression;
}

/** A quantifier: `all`, `any`, `none` or `single`. */
export interface Quantifier extends Located {
  readonly kind: 'quantifier';
  readonly quantifier: 'all' | 'any' | 'none' | 'single';
  readonly variable: Variable;
  readonly list: Expression;
  /** Null for `any(x IN list)` without WHERE. */
  readonly where: Expression | null;
}

/** `reduce()`. */
export interface Reduce extends Located {
  readonly kind: 'reduce';
  readonly accumulator: Variable;
  readonly initial: Expression;
  readonly variable: Variable;
  readonly list: Expression;
  readonly expression: Expression;
}

/** A pattern in an expression: `(a)-->(b)` as a predicate, `shortestPath(…)` as a value, or in `size(…)` and `exists(…)`. */
export interface PatternExpression extends Located {
  readonly kind: 'patternExpression';
  readonly pattern: PathPattern;
}

/** `EXISTS { … }`, `COUNT { … }`, `COLLECT { … }`. A bare pattern inside becomes a query of one MATCH without RETURN. */
export interface SubqueryExpression extends Located {
  readonly kind: 'subquery';
  readonly mode: 'exists' | 'count' | 'collect';
  readonly query: Query;
}

// ---------------------------------------------------------------- bound statements

/** The static type of a variable, before any data is seen. */
export type VariableType =
  | 'node'
  | 'relationship'
  | 'path'
  | 'nodeList'
  | 'relationshipList'
  | 'list'
  | 'map'
  | 'integer'
  | 'float'
  | 'string'
  | 'boolean'
  | 'any';

/** The result of the binder, which the planner takes. */
export interface BoundStatement {
  readonly statement: Statement;
  /** The columns of the result, in order; empty for a statement without RETURN. */
  readonly columns: readonly { readonly name: string; readonly variable: string }[];
  readonly variableTypes: ReadonlyMap<string, VariableType>;
  /** True if the statement can change data or schema. */
  readonly writes: boolean;
  /** True if the statement calls a procedure that can change indexes and constraints. */
  readonly callsSchemaProcedure: boolean;
  readonly parameters: ReadonlySet<string>;
}
