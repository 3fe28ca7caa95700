/**
 * Replaces literals of a statement by parameters, so that statements which differ only in these literals share a plan.
 *
 * Replaced are operands of comparisons, IN, STARTS WITH, ENDS WITH and CONTAINS, values of property maps in patterns,
 * of SET and UNWIND, and the numbers of SKIP and LIMIT. Kept are literals that the language requires to be constant
 * (lengths of relationships, arguments of procedures), null and Booleans, of which there are few, and literals in items
 * of WITH and RETURN that ORDER BY and WHERE may have to repeat.
 *
 * The tree must come from the parser. The result binds exactly as the original does: the names of the parameters tell
 * their types.
 */

import { unreachable } from '../base/index.ts';
import type { Value } from '../value/index.ts';
import type {
  BinaryExpression,
  Clause,
  ComparisonChain,
  Expression,
  ForeachClause,
  NodePattern,
  Parameter,
  Projection,
  RelationshipPattern,
  ReturnClause,
  SetItem,
  Statement,
  UnwindClause,
  WithClause,
} from './ast.ts';
import { liftedParameterName } from './binder/expressions/lifted-parameters.ts';
import { constantOf } from './binder/expressions/literal-values.ts';
import { formatStatement } from './format/statement.ts';
import { rewrite, type TreeNode } from './walk.ts';

/** A statement whose literals were replaced by parameters, and the values of these parameters. */
export interface ParameterizedStatement {
  readonly statement: Statement;
  /** The values of the added parameters, to be used together with those of the user. */
  readonly parameters: ReadonlyMap<string, Value>;
  /** The text by which a plan cache looks up the statement: equal for statements with the same plan and columns. */
  readonly shape: string;
}

/** Replaces literals of a statement by parameters. */
export function autoParameterize(statement: Statement): ParameterizedStatement {
  const parameters = new Map<string, Value>();
  const liftable = statement.mode === 'run' && statement.body.kind === 'query';
  const lifted = liftable ? { ...statement, body: new Lifting(parameters).tree(statement.body) } : statement;
  return { statement: lifted, parameters, shape: formatStatement(lifted) };
}

type Lifted = TreeNode | Clause | NodePattern | RelationshipPattern | SetItem | Expression;

class Lifting {
  readonly #parameters: Map<string, Value>;

  constructor(parameters: Map<string, Value>) {
    this.#parameters = parameters;
  }

  tree<T>(tree: T): T {
    return rewrite(tree, (node) => this.#node(node));
  }

  #node(node: TreeNode): Lifted | undefined {
    switch (node.kind) {
      case 'with':
      case 'return': {
        const clause = node as WithClause | ReturnClause;
        return { ...clause, projection: this.#projection(clause.projection) };
      }
      case 'callProcedure':
      case 'loadCsv':
        return node;
      case 'unwind': {
        const clause = node as UnwindClause;
        return { ...clause, expression: this.#value(clause.expression) };
      }
      case 'foreach': {
        const clause = node as ForeachClause;
        return { ...clause, list: this.#value(clause.list), clauses: this.tree(clause.clauses) };
      }
      case 'nodePattern':
      case 'relationshipPattern': {
        const part = node as NodePattern | RelationshipPattern;
        return { ...part, properties: this.#entries(part.properties), where: this.tree(part.where) };
      }
      case 'setProperty':
      case 'setAll': {
        const item = node as Extract<SetItem, { kind: 'setProperty' | 'setAll' }>;
        return { ...item, value: item.kind === 'setAll' ? this.#entries(item.value) : this.#value(item.value) };
      }
      case 'comparison':
        return this.#comparison(node as ComparisonChain);
      case 'binary':
        return this.#binary(node as BinaryExpression);
    }
    // The children of other nodes are visited.
    return undefined;
  }

  #projection(projection: Projection): Projection {
    return { ...projection, skip: this.#count(projection.skip), limit: this.#count(projection.limit) };
  }

  /** Replaces the number of SKIP or LIMIT; an invalid one is kept, so that the binder reports it. */
  #count(expression: Expression | null): Expression | null {
    const fine = expression?.kind === 'literal' && Number.isSafeInteger(expression.value) && Number(expression.value) >= 0;
    return fine ? this.#value(expression) : expression;
  }

  #comparison(node: ComparisonChain): Expression {
    if (node.operands.every((operand) => constantOf(operand) !== null)) return node;
    return { ...node, operands: node.operands.map((operand) => this.#value(operand)) };
  }

  #binary(node: BinaryExpression): Expression | undefined {
    switch (node.operator) {
      case 'in':
      case 'startsWith':
      case 'endsWith':
      case 'contains':
        if (constantOf(node.left) !== null && constantOf(node.right) !== null) return node;
        return { ...node, left: this.#value(node.left), right: this.#value(node.right) };
      case '=~':
        return undefined;
      default:
        return unreachable(node.operator, 'operator');
    }
  }

  /** Replaces the values of a map but keeps its keys, which belong to the shape. */
  #entries<E extends Expression | null>(expression: E): E {
    if (expression?.kind !== 'map') return this.tree(expression);
    return { ...expression, entries: expression.entries.map(({ key, value }) => ({ key, value: this.#value(value) })) };
  }

  #value(expression: Expression): Expression {
    const constant = expression.kind === 'map' ? null : constantOf(expression);
    if (constant === null) return this.tree(expression);
    if (constant.value === null || typeof constant.value === 'boolean') return expression;
    const name = liftedParameterName(constant.type, this.#parameters.size);
    this.#parameters.set(name, constant.value);
    return { kind: 'parameter', name, span: expression.span } satisfies Parameter;
  }
}
