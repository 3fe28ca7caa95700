/**
 * Predicates of `gds.graph.filter` and of labeling procedures: Cypher expressions of literals, parameters, properties,
 * labels or types, comparisons, AND, OR, XOR and NOT. They are compiled to functions of the index of a node or
 * relationship. A missing property is NaN, for which every comparison except `<>` is false.
 */
import type { ProjectedGraph, RelationshipSet } from '../../../algorithms/index.ts';
import { type ComparisonOperator, type Expression, type LabelExpression, parse } from '../../../cypher/index.ts';
import { argumentFault, isNumber, quoted, toNumber, type ValueMap } from '../../../value/index.ts';

/** Tells whether the node or relationship with this index passes the filter. */
export type Predicate = (at: number) => boolean;
type Term = (at: number) => number | boolean;

/** The entity of a predicate: its variable, and access to its properties and its labels or type. */
interface Subject {
  /** The name of the variable: `n` for nodes, `r` for relationships. */
  readonly variable: string;
  property(key: string): Term;
  carries(label: string): Term;
  readonly parameters: ValueMap;
}

/** Compiles a predicate on nodes. @throws ARGUMENT_ERROR if it is invalid, or names an unknown property or label */
export function nodePredicate(graph: ProjectedGraph, text: string, parameters: ValueMap): Predicate {
  return compiled(text, {
    variable: 'n',
    parameters,
    property(key) {
      const property = graph.properties.get(key);
      if (property === undefined) throw unknown('node property', key, graph.properties.keys());
      const { values, offsets } = property;
      if (offsets !== null) throw argumentFault(`Node property ${quoted(key)} holds lists; a filter compares numbers`);
      return (node) => values[node]!;
    },
    carries(label) {
      const bitmap = graph.labels.get(label);
      if (bitmap === undefined) throw unknown('node label', label, graph.labels.keys());
      return (node) => bitmap[node] === 1;
    },
  });
}

/**
 * Compiles a predicate on the relationships of one type. @throws ARGUMENT_ERROR as `nodePredicate`
 *
 * @param known relationships of all types in the graph, against which names are checked
 */
export function relationshipPredicate(
  set: RelationshipSet,
  known: readonly RelationshipSet[],
  text: string,
  parameters: ValueMap,
): Predicate {
  return compiled(text, {
    variable: 'r',
    parameters,
    property(key) {
      const values = set.properties.get(key);
      const keys = known.flatMap(({ properties }) => [...properties.keys()]);
      if (!keys.includes(key)) throw unknown('relationship property', key, new Set(keys));
      return values === undefined ? () => Number.NaN : (entry) => values[entry]!;
    },
    carries(type) {
      const types = known.map((each) => each.type);
      if (!types.includes(type)) throw unknown('relationship type', type, types);
      return () => set.type === type;
    },
  });
}

function unknown(what: string, name: string, names: Iterable<string>): Error {
  return argumentFault(`Unknown ${what} ${quoted(name)} in a filter; the graph has ${[...names].map(quoted).join(', ') || 'none'}`);
}

function compiled(text: string, subject: Subject): Predicate {
  if (text.trim() === '*') return () => true;
  const term = termOf(expressionOf(text), subject);
  return (at) => term(at) === true;
}

function expressionOf(text: string): Expression {
  const { body } = parse(`RETURN (${text}) AS passes`);
  const clause =
    body.kind === 'query' && body.parts.length === 1 && body.parts[0]!.clauses.length === 1 ? body.parts[0]!.clauses[0]! : null;
  const items = clause?.kind === 'return' ? clause.projection.items : [];
  if (items.length !== 1) throw argumentFault(`The filter ${quoted(text)} is one expression`);
  return items[0]!.expression;
}

function termOf(expression: Expression, subject: Subject): Term {
  switch (expression.kind) {
    case 'literal':
      return constant(expression.value);
    case 'parameter': {
      const value = subject.parameters.get(expression.name);
      if (value === undefined) throw argumentFault(`The parameter \`$${expression.name}\` of the filter is not among \`parameters\``);
      return constant(value);
    }
    case 'property':
      checkVariable(expression.subject, subject);
      return subject.property(expression.key);
    case 'hasLabels':
      checkVariable(expression.subject, subject);
      return labelTerm(expression.labels, subject);
    case 'unary': {
      const operand = termOf(expression.operand, subject);
      if (expression.operator === 'not') return (at) => operand(at) !== true;
      return expression.operator === '-' ? (at) => -Number(operand(at)) : operand;
    }
    case 'logical': {
      const operands = expression.operands.map((each) => termOf(each, subject));
      if (expression.operator === 'and') return (at) => operands.every((each) => each(at) === true);
      if (expression.operator === 'or') return (at) => operands.some((each) => each(at) === true);
      return (at) => operands.filter((each) => each(at) === true).length % 2 === 1;
    }
    case 'comparison': {
      const operands = expression.operands.map((each) => termOf(each, subject));
      return (at) => expression.operators.every((operator, i) => COMPARE[operator](operands[i]!(at), operands[i + 1]!(at)));
    }
    default:
      throw argumentFault('A filter consists of numbers, parameters, properties, labels or types, comparisons, AND, OR, XOR and NOT');
  }
}

const COMPARE: Readonly<Record<ComparisonOperator, (a: number | boolean, b: number | boolean) => boolean>> = {
  '=': (a, b) => a === b,
  '<>': (a, b) => a !== b,
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
};

function constant(value: unknown): Term {
  if (typeof value === 'boolean') return () => value;
  if (typeof value !== 'number' && typeof value !== 'bigint' && !isNumber(value as never))
    throw argumentFault('A filter compares numbers and Booleans');
  const number = toNumber(value as number); // as: it is one
  return () => number;
}

function checkVariable(expression: Expression, { variable }: Subject): void {
  if (expression.kind === 'variable' && expression.name === variable) return;
  throw argumentFault(`A filter of ${variable === 'n' ? 'nodes' : 'relationships'} speaks of \`${variable}\` alone`);
}

function labelTerm(labels: LabelExpression, subject: Subject): Term {
  switch (labels.kind) {
    case 'labelName':
      return subject.carries(labels.name);
    case 'labelNot': {
      const operand = labelTerm(labels.operand, subject);
      return (at) => operand(at) !== true;
    }
    case 'labelAnd': {
      const operands = labels.operands.map((each) => labelTerm(each, subject));
      return (at) => operands.every((each) => each(at) === true);
    }
    case 'labelOr': {
      const operands = labels.operands.map((each) => labelTerm(each, subject));
      return (at) => operands.some((each) => each(at) === true);
    }
    case 'labelWildcard':
    case 'labelDynamic':
      throw argumentFault('A filter names labels and types');
  }
}
