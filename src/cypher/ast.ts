/**
 * The syntax tree of a Cypher statement: readonly plain objects, each with a `kind` and the place it came from.
 *
 * The parser makes it from text, the binder gives back a tree of the same types in which every variable name is unique in the whole
 * statement (an inner `x` that shadows or follows an outer one is renamed `x#2`, a missing name in a pattern gets a generated one such as
 * `#n3`, `#r4`), parameters of literals stand where they stood, and every fault that can be found without data has been reported.
 * The planner sees bound trees only. What binding settles beyond names:
 *
 * - WITH and RETURN: an item that passes a variable on under its own name keeps the variable (`n AS n`); every other item makes a new one.
 *   Parts of ORDER BY, of the WHERE behind a WITH and of aggregating items that equal a column are the column's variable. Behind an
 *   aggregation or DISTINCT these mention projected variables only; elsewhere ORDER BY and WHERE can mention variables from before, too.
 * - UNION: all parts have the columns of the first part, in its order and with its very variables, which are new ones in each of them.
 * - CALL { … }: the imports are listed, the importing WITH is gone; what the query returns are the variables outside.
 * - CALL procedure: arguments and YIELD are written out (YIELD is empty where a call inside a query has none), SHOW has
 *   its YIELD written out.
 * - `exists(pattern)` is the pattern, `exists(n.key)` is `n.key IS NOT NULL`.
 */
import type { Value, ValueType } from '../value/index.ts';

export type { ValueType } from '../value/index.ts';

/** Offsets into the query text, in UTF-16 units: [start, end). */
export interface Span {
  readonly start: number;
  readonly end: number;
}

interface Located {
  readonly span: Span;
}

// ---------------------------------------------------------------- statements

/** A statement, with EXPLAIN or PROFILE before it or not. */
export interface Statement extends Located {
  readonly kind: 'statement';
  readonly mode: 'run' | 'explain' | 'profile';
  readonly body: Query | SchemaCommand | ShowCommand | DatabaseCommand;
}

/** A query: parts joined by UNION. */
export interface Query extends Located {
  readonly kind: 'query';
  /** One or more; `unions[i]` joins `parts[i]` and `parts[i + 1]`. */
  readonly parts: readonly SingleQuery[];
  readonly unions: readonly ('all' | 'distinct')[];
}

/** A part of a query: clauses one after the other. */
export interface SingleQuery extends Located {
  readonly kind: 'singleQuery';
  readonly clauses: readonly Clause[];
}

/** A command that changes the schema. */
export type SchemaCommand = CreateIndex | CreateConstraint | DropSchema;

/** The name of an index, a constraint or a database: written down, or the value of a parameter. */
export type SchemaName = string | Parameter;

/** CREATE INDEX. */
export interface CreateIndex extends Located {
  readonly kind: 'createIndex';
  readonly name: SchemaName | null;
  readonly indexType: 'range' | 'text' | 'lookup' | 'point' | 'vector' | 'fulltext';
  readonly ifNotExists: boolean;
  readonly entity: 'node' | 'relationship';
  /** None of a lookup index; several of vector and full-text indexes only. */
  readonly labelsOrTypes: readonly string[];
  readonly properties: readonly string[];
  /** Properties behind WITH, by which a search may filter; of vector indexes only. */
  readonly filters: readonly string[];
  readonly options: Expression | null;
  /** `CREATE INDEX ON :Label(key)`, as it was written before Neo4j 5. */
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
  /** The type of `IS :: TYPE`. */
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
  /** `terminations`: what becomes of the transactions that TERMINATE names. */
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
  /** The transactions that TERMINATE names; empty for SHOW. */
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
  /** Never after binding: the binder makes a CALL in front of the MATCH of it. */
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
  /** `*` was given. After binding the items below contain what it stood for, first, in alphabetical order. */
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
   * The name of the column: the alias, or the expression's own text. After binding: `variable.name` is unique, `column`
   * what the user sees.
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

/** MERGE, with what it sets. */
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

/** A label that is written down, or `$(expression)`. */
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
  /** Updating clauses only. */
  readonly clauses: readonly Clause[];
}

/** A column of YIELD. */
export interface ProcedureYield extends Located {
  /** The procedure's result field. */
  readonly field: string;
  readonly variable: Variable;
}

/** CALL of a procedure. */
export interface CallProcedureClause extends Located {
  readonly kind: 'callProcedure';
  readonly optional: boolean;
  /** With its namespace: `db.labels`. */
  readonly name: string;
  /** null: no parentheses; the arguments are taken from parameters of the same names (standalone call only). */
  readonly arguments: readonly Expression[] | null;
  /** null: no YIELD (standalone: all fields). */
  readonly yields: readonly ProcedureYield[] | '*' | null;
  readonly where: Expression | null;
  /** The call is the whole statement. */
  readonly standalone: boolean;
  /** Known after binding: the procedure can change data. */
  readonly writes?: boolean;
  /** Bound: the procedure can run where tables are read by page. */
  readonly readsByPage?: boolean;
}

/** CALL of a subquery. */
export interface CallSubqueryClause extends Located {
  readonly kind: 'callSubquery';
  readonly optional: boolean;
  /** `CALL (a, b) { … }`; '*' for `CALL (*)`; null for `CALL { WITH a … }`. After binding always the list of imported variables. */
  readonly imports: readonly Variable[] | '*' | null;
  readonly query: Query;
  readonly inTransactions: InTransactions | null;
}

/** IN TRANSACTIONS, with its batches and its reaction to errors. */
export interface InTransactions extends Located {
  readonly batchSize: Expression | null;
  readonly onError: 'fail' | 'continue' | 'break';
  readonly reportStatus: Variable | null;
  /**
   * Within a transaction of the caller the rows are no batches: nothing is committed, and errors are not reported.
   * Absent: that is refused.
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

/** `p = shortestPath((a)-[r:T*1..3 {x: 1}]->(b))`, or without name and function. Elements alternate: node, relationship, node, … */
export interface PathPattern extends Located {
  readonly kind: 'pathPattern';
  readonly variable: Variable | null;
  readonly selector: PathSelector | null;
  readonly elements: readonly PatternElement[];
}

/** `shortestPath(…)`, `allShortestPaths(…)`, `SHORTEST k`, `ALL SHORTEST`, `SHORTEST k GROUPS`, `ANY k`. */
export interface PathSelector extends Located {
  readonly kind: 'shortest' | 'allShortest' | 'shortestGroups' | 'any';
  readonly count: number | Parameter;
  /** Written as a function: relationships between the same two nodes only, length 0 refused. */
  readonly legacy: boolean;
}

/** An element of a path pattern. */
export type PatternElement = NodePattern | RelationshipPattern | QuantifiedPattern;

/** A node of a pattern. */
export interface NodePattern extends Located {
  readonly kind: 'nodePattern';
  /** null before binding only. */
  readonly variable: Variable | null;
  readonly labels: LabelExpression | null;
  readonly properties: Expression | null;
  readonly where: Expression | null;
}

/** A relationship of a pattern, of fixed or variable length. */
export interface RelationshipPattern extends Located {
  readonly kind: 'relationshipPattern';
  /** null before binding only. With `length`: the list of relationships. */
  readonly variable: Variable | null;
  readonly types: LabelExpression | null;
  /** out: (left)-->(right); in: (left)<--(right); both: either. */
  readonly direction: 'out' | 'in' | 'both';
  /** Variable length; max null: no bound. */
  readonly length: { readonly min: number; readonly max: number | null } | null;
  readonly properties: Expression | null;
  readonly where: Expression | null;
}

/**
 * `((a)-[:R]->(b) WHERE …){1,5}` between two node patterns. Its variables are lists outside, under the same names also
 * after binding: `a` is a node in here and, behind the pattern and in `variableTypes`, the list of them.
 */
export interface QuantifiedPattern extends Located {
  readonly kind: 'quantifiedPattern';
  readonly path: PathPattern;
  readonly where: Expression | null;
  readonly min: number;
  readonly max: number | null;
}

/** An expression over labels or types. */
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

/** Any scalar; lists and maps have kinds of their own. */
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
  /** Unique in the statement after binding. */
  readonly name: string;
}

/** `subject.key`, of a node, relationship, map or temporal value. */
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

/** `subject {.*, .key, key: value, variable}`; `variable` becomes an entry with key and value. */
export interface MapProjection extends Located {
  readonly kind: 'mapProjection';
  readonly subject: Variable;
  readonly all: boolean;
  readonly entries: readonly { readonly key: string; readonly value: Expression }[];
}

/** An operator before its operand. */
export interface UnaryExpression extends Located {
  readonly kind: 'unary';
  readonly operator: 'not' | '-' | '+';
  readonly operand: Expression;
}

/** An operator of arithmetic. */
export type ArithmeticOperator = '+' | '-' | '*' | '/' | '%' | '^' | '||';

/**
 * Flat: `a + b - c` is one node with three operands and two operators, all of one level, that group to the left. Made
 * by `arithmeticChain`.
 */
export interface ArithmeticChain extends Located {
  readonly kind: 'arithmetic';
  readonly operands: readonly Expression[];
  /** One less. */
  readonly operators: readonly ArithmeticOperator[];
}

/** An operator between two operands that is neither arithmetic, comparison nor logic. */
export type BinaryOperator = 'in' | 'startsWith' | 'endsWith' | 'contains' | '=~';

/** An operator between two operands. */
export interface BinaryExpression extends Located {
  readonly kind: 'binary';
  readonly operator: BinaryOperator;
  readonly left: Expression;
  readonly right: Expression;
}

/** Flat: `a AND b AND c` is one node with three operands. */
export interface LogicalExpression extends Located {
  readonly kind: 'logical';
  readonly operator: 'and' | 'or' | 'xor';
  readonly operands: readonly Expression[];
}

/** An operator of comparison. */
export type ComparisonOperator = '=' | '<>' | '<' | '<=' | '>' | '>=';

/** `a < b <= c`: operands one more than operators; a plain comparison has two. Means `a < b AND b <= c`. */
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

/** `(n:A|B)`, `n:A:B`, `r:TYPE` as a predicate; also `IS LABELED`. */
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

/** Scalar or aggregating; `name` as written (functions are matched without regard to case). */
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

/** `subject` null: searched CASE. */
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
  /** null: `any(x IN list)` without WHERE. */
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

/** `(a)-->(b)` as a predicate, `shortestPath(…)` as a value, `size((a)-->())`, `exists((a)-->(b))`. */
export interface PatternExpression extends Located {
  readonly kind: 'patternExpression';
  readonly pattern: PathPattern;
}

/** `EXISTS { … }`, `COUNT { … }`, `COLLECT { … }`. A bare pattern inside is a query of one MATCH clause without RETURN. */
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
  /** The statement can change data or schema. */
  readonly writes: boolean;
  /** It calls a procedure that can change indexes and constraints. */
  readonly callsSchemaProcedure: boolean;
  readonly parameters: ReadonlySet<string>;
}
