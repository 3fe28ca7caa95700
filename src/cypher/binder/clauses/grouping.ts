/**
 * The columns of a projection as later expressions see them.
 *
 * In an expression with an aggregate (`n.x + count(*)`) the other parts must obviously have one value per group: a
 * constant, or a column that is a variable or a property, nothing more complex. After an aggregation or DISTINCT, only
 * columns are visible.
 */

import { arithmeticChain, chainPrefix } from '../../arithmetic-chain.ts';
import type { ArithmeticChain, Expression, ProjectionItem, Variable } from '../../ast.ts';
import { isExpression } from '../../expression-facts.ts';
import { containsAggregate, rewrite, type TreeNode, walk } from '../../walk.ts';
import type { Analysis } from '../analysis.ts';
import { expressionKey } from '../expressions/expression-key.ts';
import { isAggregate } from '../expressions/functions.ts';
import { isVolatileExpression } from '../expressions/volatile.ts';

interface Column {
  readonly variable: Variable;
  readonly expression: Expression;
  readonly aggregate: boolean;
}

interface ColumnsOptions {
  /** The unique names of the variables before the projection. */
  readonly visible: ReadonlySet<string>;
  readonly aggregating: boolean;
  readonly distinct: boolean;
}

/** The columns of a projection, by which ORDER BY, WHERE and aggregating items replace expressions. */
export class Columns {
  readonly aggregating: boolean;
  readonly #analysis: Analysis;
  readonly #visible: ReadonlySet<string>;
  readonly #reduced: boolean;
  readonly #byKey = new Map<string, Column>();
  /** The lengths, in operands, of columns that are arithmetic chains, since such a column may be the beginning of a longer chain. */
  readonly #chainLengths = new Set<number>();
  readonly #names = new Set<string>();
  /** The variables that occur in columns without aggregates. */
  readonly #grouped = new Set<string>();

  constructor(analysis: Analysis, items: readonly ProjectionItem[], options: ColumnsOptions) {
    this.#analysis = analysis;
    this.#visible = new Set(options.visible);
    this.aggregating = options.aggregating;
    this.#reduced = options.aggregating || options.distinct;
    for (const item of items) this.#add(item);
  }

  #add({ expression, variable }: ProjectionItem): void {
    const aggregate = containsAggregate(expression, isAggregate);
    this.#names.add(variable.name);
    // A column that draws random numbers is not equal to a copy of its expression, unless only columns are visible.
    if (!this.#reduced && isVolatileExpression(expression)) return;
    const key = this.#key(expression);
    if (!this.#byKey.has(key)) this.#byKey.set(key, { variable, expression, aggregate });
    if (expression.kind === 'arithmetic') this.#chainLengths.add(expression.operands.length);
    if (!aggregate) rewrite(expression, (node) => this.#note(node));
  }

  #note(node: TreeNode): undefined {
    if (node.kind === 'variable') this.#grouped.add((node as Variable).name);
    return undefined;
  }

  #key(expression: Expression): string {
    return expressionKey(expression, this.#visible);
  }

  /** Returns an aggregating item with its grouping parts replaced by their columns. */
  regroup(expression: Expression): Expression {
    return rewrite(expression, (node) => this.#regroupNode(node));
  }

  #regroupNode(node: TreeNode): TreeNode | undefined {
    if (!isExpression(node)) return undefined;
    if (this.#isAggregate(node)) return node;
    const column = this.#simpleColumn(node);
    if (column !== undefined) return variableAt(column, node);
    if (node.kind !== 'variable' || !this.#visible.has(node.name)) return undefined;
    throw this.#ambiguous(node);
  }

  #isAggregate(node: Expression): boolean {
    return node.kind === 'countStar' || (node.kind === 'function' && isAggregate(node.name));
  }

  #simpleColumn(node: Expression): Column | undefined {
    if (node.kind !== 'variable' && node.kind !== 'property') return undefined;
    const column = this.#byKey.get(this.#key(node));
    return column?.aggregate ? undefined : column;
  }

  /** Returns an expression of ORDER BY or WHERE with the parts that equal a column replaced by the column. */
  outside(expression: Expression): Expression {
    const mixed = containsAggregate(expression, isAggregate) && !this.#byKey.has(this.#key(expression));
    return this.#outside(expression, mixed);
  }

  #outside(expression: Expression, mixed: boolean): Expression {
    return rewrite(expression, (node) => this.#outsideNode(node, mixed));
  }

  #outsideNode(node: TreeNode, mixed: boolean): TreeNode | undefined {
    if (!isExpression(node)) return undefined;
    if (node.kind === 'variable' && this.#names.has(node.name)) return node;
    const column = this.#columnOf(node, mixed);
    if (column !== undefined) return variableAt(column, node);
    const chain = node.kind === 'arithmetic' ? this.#beginningAsColumn(node, mixed) : undefined;
    if (chain !== undefined) return chain;
    if (!this.#reduced) return undefined;
    if (this.#isAggregate(node)) return this.#aggregateBeside(node);
    if (node.kind !== 'variable' || !this.#visible.has(node.name)) return undefined;
    throw mixed && this.#grouped.has(node.name) ? this.#ambiguous(node) : this.#gone(node);
  }

  /** Replaces the beginning of a chain by a column that equals it, the longest one; undefined if there is none. */
  #beginningAsColumn(chain: ArithmeticChain, mixed: boolean): ArithmeticChain | undefined {
    const lengths = [...this.#chainLengths].filter((length) => length < chain.operands.length).sort((a, b) => b - a);
    for (const length of lengths) {
      const prefix = chainPrefix(chain, length);
      const column = this.#columnOf(prefix, mixed);
      if (column === undefined) continue;
      const operands = chain.operands.slice(length).map((operand) => this.#outside(operand, mixed));
      return arithmeticChain(variableAt(column, prefix), { operators: chain.operators.slice(length - 1), operands }, chain.span);
    }
    return undefined;
  }

  #columnOf(node: Expression, mixed: boolean): Column | undefined {
    if (node.kind === 'literal' || node.kind === 'parameter') return undefined;
    const column = this.#byKey.get(this.#key(node));
    return column === undefined || column.aggregate || !mixed || node.kind === 'variable' || node.kind === 'property' ? column : undefined;
  }

  /** Checks an aggregate that is no column: it may use constants, and variables that are columns. */
  #aggregateBeside(node: Expression): Expression {
    walk(node, (each) => {
      if (each.kind === 'variable') this.#checkAggregated(each as Variable);
      return undefined;
    });
    return node;
  }

  #checkAggregated(variable: Variable): void {
    const { name } = variable;
    if (!this.#visible.has(name)) {
      if (this.#names.has(name)) throw this.#notBefore(variable);
    } else if (!this.#names.has(name) && this.#simpleColumn(variable) === undefined) throw this.#gone(variable);
  }

  #notBefore(variable: Variable) {
    return this.#analysis.fault(
      variable,
      'UndefinedVariable',
      `\`${variable.name}\` is a column here, and an aggregate takes the variables from before the columns: make it a column of its own`,
    );
  }

  #gone(variable: Variable) {
    return this.#analysis.fault(
      variable,
      'UndefinedVariable',
      `variable \`${variable.name}\` is not defined here: behind an aggregation or DISTINCT only the columns are left`,
    );
  }

  #ambiguous(node: Variable) {
    return this.#analysis.fault(
      node,
      'AmbiguousAggregationExpression',
      `\`${node.name}\` stands beside an aggregate without being a column of its own: project it first (WITH …), then aggregate`,
    );
  }
}

function variableAt({ variable }: Column, { span }: Expression): Variable {
  return { ...variable, span };
}
