/**
 * Finds the parts of a statement that do not depend on the graph: expressions of literals and parameters, and of
 * variables that the first WITH clauses of a part define. Their values are computed once, by running statements, and
 * written into the SQL text; so dates, maps, ranges and comprehensions of constants need no form in SQL.
 */
import {
  type Clause,
  containsAggregate,
  type Expression,
  type SingleQuery,
  type TreeNode,
  type WithClause,
  walk,
} from '../cypher/index.ts';
import { functionNamed } from '../functions/index.ts';
import type { ResultValue } from '../value/index.ts';
import { isAggregate } from './aggregates.ts';

/** The constants of a statement, with their values. */
export interface Constants {
  /** The value of each expression of the bound tree that depends on no row. */
  readonly values: ReadonlyMap<Expression, ResultValue>;
  /** The value of each variable that depends on no row. */
  readonly variables: ReadonlyMap<string, ResultValue>;
}

/** Stands for no constants. */
export const NO_CONSTANTS: Constants = { values: new Map(), variables: new Map() };

/** Runs a statement, and resolves to its rows. */
export type Ask = (query: string) => Promise<{ readonly rows: readonly (readonly ResultValue[])[] }>;

/** Functions that may read the clock, with the number of arguments from which on they do not. */
const LEAST_ARGUMENTS: ReadonlyMap<string, number> = new Map([
  ...['date', 'datetime', 'localdatetime', 'time', 'localtime', 'duration'].map((name): [string, number] => [name, 1]),
  ...['date', 'datetime', 'localdatetime', 'time', 'localtime'].map((name): [string, number] => [`${name}.truncate`, 2]),
]);
/** Kinds of expressions that read the graph, or depend on rows. */
const OF_ROWS = new Set(['subquery', 'patternExpression', 'patternComprehension', 'countStar', 'hasLabels']);

/**
 * Finds the constants of a statement, and computes their values.
 *
 * @param text the text of the statement
 * @param ask runs a statement with the same parameters
 */
export async function findConstants(parts: readonly SingleQuery[], text: string, ask: Ask): Promise<Constants> {
  const values = new Map<Expression, ResultValue>();
  const variables = new Map<string, ResultValue>();
  for (const part of parts) {
    const leading = leadingClauses(part.clauses);
    const known = leading.at(-1)?.projection.items.map(({ variable }) => variable) ?? [];
    const prefix = leading.length === 0 ? '' : text.slice(leading[0]!.span.start, leading.at(-1)!.span.end);
    const textOf = ({ span }: Expression): string => text.slice(span.start, span.end);
    const names = known.map((variable, index) => leading.at(-1)!.projection.items[index]!.column ?? variable.name);
    const bound = await computed(ask, prefix, names.map(quoted));
    for (const [index, variable] of known.entries()) if (bound[index] !== undefined) variables.set(variable.name, bound[index]);
    const found = constantsOf(part.clauses.slice(leading.length), new Set(known.map(({ name }) => name)));
    const results = await computed(ask, prefix, found.map(textOf));
    for (const [index, expression] of found.entries()) if (results[index] !== undefined) values.set(expression, results[index]);
  }
  return { values, variables };
}

const quoted = (name: string): string => `\`${name.replaceAll('`', '``')}\``;

/** Computes expressions; the value is undefined where this fails, since lowering reports the fault where the expression stands. */
async function computed(ask: Ask, prefix: string, texts: readonly string[]): Promise<(ResultValue | undefined)[]> {
  if (texts.length === 0) return [];
  const values = await answered(ask, prefix, texts);
  if (values !== null) return [...values];
  const single = await Promise.all(texts.map((text) => answered(ask, prefix, [text])));
  return single.map((row) => row?.[0]);
}

async function answered(ask: Ask, prefix: string, texts: readonly string[]): Promise<readonly ResultValue[] | null> {
  try {
    const { rows } = await ask(`${prefix} RETURN ${texts.map((text, index) => `(${text}) AS c${index}`).join(', ')}`);
    return rows.length === 1 ? rows[0]! : null;
  } catch {
    return null;
  }
}

/** Returns the WITH clauses that a part begins with, as long as they produce one row of constants. */
function leadingClauses(clauses: readonly Clause[]): WithClause[] {
  const leading: WithClause[] = [];
  const known = new Set<string>();
  for (const clause of clauses) {
    if (clause.kind !== 'with' || clause.where !== null) break;
    const { items, skip, limit } = clause.projection;
    const isConstant = items.every(({ expression }) => isConstantIn(expression, known) && !containsAggregate(expression, isAggregate));
    if (!isConstant || skip !== null || limit !== null) break;
    leading.push(clause);
    for (const { variable } of items) known.add(variable.name);
  }
  return leading;
}

/** Returns the outermost constant expressions, except for literals and parameters. */
function constantsOf(clauses: readonly Clause[], known: ReadonlySet<string>): Expression[] {
  const found: Expression[] = [];
  const locals = localsOf(clauses);
  walk(clauses, (node) => {
    if (!EXPRESSIONS.has(node.kind)) return undefined;
    const expression = node as Expression;
    if (!isConstantIn(expression, known, locals)) return undefined;
    found.push(expression);
    return false;
  });
  return found;
}

const EXPRESSIONS = new Set<string>([
  'property',
  'index',
  'slice',
  'list',
  'map',
  'unary',
  'binary',
  'arithmetic',
  'logical',
  'comparison',
  'isNull',
  'isTyped',
  'isNormalized',
  'function',
  'case',
  'listComprehension',
  'quantifier',
  'reduce',
] satisfies Expression['kind'][]);

/** Returns the variables that expressions of a tree bind for themselves, such as that of a list comprehension. */
function localsOf(tree: unknown): Set<string> {
  const locals = new Set<string>();
  walk(tree, (node) => {
    for (const key of ['variable', 'accumulator']) {
      const variable = LOCAL_KINDS.has(node.kind) ? (node as unknown as Record<string, { readonly name?: string }>)[key] : undefined;
      if (variable?.name !== undefined) locals.add(variable.name);
    }
    return undefined;
  });
  return locals;
}

const LOCAL_KINDS = new Set(['listComprehension', 'quantifier', 'reduce']);

/**
 * Tells whether an expression depends on no row.
 *
 * @param known variables whose values are constants
 * @param outer variables that enclosing expressions bind, on which it must not depend
 */
function isConstantIn(expression: Expression, known: ReadonlySet<string>, outer: ReadonlySet<string> = new Set()): boolean {
  const own = localsOf(expression);
  let isConstant = true;
  walk(expression, (node) => {
    if (!isConstantNode(node, known, own, outer)) isConstant = false;
    return isConstant ? undefined : false;
  });
  return isConstant;
}

function isConstantNode(node: TreeNode, known: ReadonlySet<string>, own: ReadonlySet<string>, outer: ReadonlySet<string>): boolean {
  if (OF_ROWS.has(node.kind)) return false;
  if (node.kind === 'variable') {
    const { name } = node as Extract<Expression, { kind: 'variable' }>;
    return own.has(name) || (known.has(name) && !outer.has(name));
  }
  return node.kind !== 'function' || isConstantCall(node as Extract<Expression, { kind: 'function' }>);
}

function isConstantCall({ name, arguments: operands }: Extract<Expression, { kind: 'function' }>): boolean {
  const facts = functionNamed(name)?.facts;
  if (facts === undefined || facts.reads !== 'nothing') return false;
  if (facts.determinism === 'pure') return true;
  const least = LEAST_ARGUMENTS.get(name.toLowerCase());
  return facts.determinism === 'statement' && least !== undefined && operands.length >= least;
}
