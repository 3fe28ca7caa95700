/**
 * Expansion of MATCH … SEARCH: the search becomes a CALL in front of the MATCH, of the procedure that queries the
 * index. So the variable is bound to the results of the index, in the order of their scores, and the patterns are
 * matched around it. The WHERE inside SEARCH, equalities and ranges of properties of the variable, is passed to the
 * procedure, since it decides what the index finds.
 */
import type {
  CallProcedureClause,
  Clause,
  ComparisonChain,
  ComparisonOperator,
  Expression,
  IndexSearch,
  LabelExpression,
  MatchClause,
  NodePattern,
  PathPattern,
  Query,
  RelationshipPattern,
  SingleQuery,
  Variable,
} from '../../ast.ts';
import type { Analysis } from '../analysis.ts';
import type { Scope } from '../scope.ts';

type Span = IndexSearch['span'];

const PROCEDURES = {
  vector: { node: 'db.index.vector.queryNodes', relationship: 'db.index.vector.queryRelationships' },
  fulltext: { node: 'db.index.fulltext.queryNodes', relationship: 'db.index.fulltext.queryRelationships' },
} as const;

/** Returns the clauses that replace a clause: CALL and MATCH for MATCH … SEARCH, else itself. `scope` is the one before the clause. */
export function expandSearch(analysis: Analysis, clause: Clause, scope: Scope): readonly Clause[] {
  if (clause.kind !== 'match' || clause.search === undefined) return [clause];
  const { search, ...match } = clause;
  const call = callOf(analysis, search, clause);
  return clause.optional ? [optionally([call, { ...match, optional: false }], namesOf(clause, search, scope), clause.span)] : [call, match];
}

/** Returns the new variables that OPTIONAL MATCH … SEARCH binds, each once. */
function namesOf({ patterns }: MatchClause, { score, span }: IndexSearch, scope: Scope): Variable[] {
  const variables = patterns.flatMap(variablesOf);
  if (score !== null) variables.push({ ...score, span });
  return [...new Map(variables.filter(({ name }) => scope.lookup(name) === undefined).map((each) => [each.name, each])).values()];
}

function variablesOf({ variable, elements }: PathPattern): Variable[] {
  const inside = elements.flatMap((element) =>
    element.kind === 'quantifiedPattern' ? variablesOf(element.path) : (element.variable ?? []),
  );
  return variable === null ? inside : [variable, ...inside];
}

/** Returns `OPTIONAL CALL (*) { … RETURN variables }`. */
function optionally(clauses: readonly Clause[], variables: readonly Variable[], span: Span): Clause {
  const items = variables.map((variable) => ({ expression: variable, variable, column: variable.name, aliased: true, span }));
  const projection = { distinct: false, star: false, items, orderBy: [], skip: null, limit: null, span };
  const part: SingleQuery = { kind: 'singleQuery', clauses: [...clauses, { kind: 'return', projection, span }], span };
  const query: Query = { kind: 'query', parts: [part], unions: [], span };
  return { kind: 'callSubquery', optional: true, imports: '*', query, inTransactions: null, span };
}

function callOf(analysis: Analysis, search: IndexSearch, match: MatchClause): CallProcedureClause {
  const { variable, indexType, span, score } = search;
  const element = searchedElement(analysis, search, match);
  const entity = element.kind === 'nodePattern' ? 'node' : 'relationship';
  const name: Expression = typeof search.name === 'string' ? { kind: 'literal', value: search.name, span } : search.name;
  return {
    kind: 'callProcedure',
    optional: false,
    name: PROCEDURES[indexType][entity],
    arguments:
      indexType === 'vector'
        ? [name, search.limit, search.query, optionsOf(analysis, search, element)]
        : fulltextArguments(analysis, search, { name, element }),
    yields: [{ field: entity, variable, span }, ...(score === null ? [] : [{ field: 'score', variable: score, span }])],
    where: null,
    standalone: false,
    span,
  };
}

function fulltextArguments(
  analysis: Analysis,
  { query, limit, where, span }: IndexSearch,
  { name, element }: { readonly name: Expression; readonly element: NodePattern | RelationshipPattern },
): Expression[] {
  if (where !== null) throw analysis.fault(where, 'UnexpectedSyntax', 'SEARCH of a full-text index takes no WHERE');
  return [name, query, map(span, { limit, labels: labelsOf(span, element) })];
}

/** Returns the element of the patterns that has the variable. @throws SEMANTIC_ERROR if there is none */
function searchedElement(
  analysis: Analysis,
  { variable, span }: IndexSearch,
  { patterns }: MatchClause,
): NodePattern | RelationshipPattern {
  const elements = patterns.flatMap((pattern) => pattern.elements);
  const found = elements.find((element) => element.kind !== 'quantifiedPattern' && element.variable?.name === variable.name);
  if (found === undefined || found.kind === 'quantifiedPattern' || (found.kind === 'relationshipPattern' && found.length !== null))
    throw analysis.fault(
      { span },
      'UndefinedVariable',
      `SEARCH is of a node or relationship of the MATCH before it, and \`${variable.name}\` is none`,
    );
  return found;
}

/** Returns the options of the procedure. They include the labels, so that enough results have them if the index covers other labels too. */
function optionsOf(analysis: Analysis, { variable, where, span }: IndexSearch, element: NodePattern | RelationshipPattern): Expression {
  const filters = where === null ? [] : filtersOf(analysis, where, variable.name);
  const filter = list(
    span,
    filters.map(({ key, operator, value }) => list(span, [literal(span, key), literal(span, operator), value])),
  );
  return map(span, {
    filter,
    labels: labelsOf(span, element),
  });
}

function labelsOf(span: Span, element: NodePattern | RelationshipPattern): Expression {
  const labels = element.kind === 'nodePattern' ? plainLabels(element.labels) : [];
  return list(
    span,
    labels.map((label) => literal(span, label)),
  );
}

interface Filter {
  readonly key: string;
  readonly operator: ComparisonOperator;
  readonly value: Expression;
}

const TURNED = { '=': '=', '<': '>', '<=': '>=', '>': '<', '>=': '<=' } as const;

function filtersOf(analysis: Analysis, where: Expression, variable: string): Filter[] {
  if (where.kind === 'logical' && where.operator === 'and')
    return where.operands.flatMap((operand) => filtersOf(analysis, operand, variable));
  if (where.kind !== 'comparison') throw notAFilter(analysis, where);
  return where.operators.map((operator, i) => filterOf(analysis, where, i, { operator, variable }));
}

function filterOf(
  analysis: Analysis,
  chain: ComparisonChain,
  at: number,
  { operator, variable }: { operator: ComparisonOperator; variable: string },
): Filter {
  const [left, right] = [chain.operands[at]!, chain.operands[at + 1]!];
  if (operator === '<>') throw notAFilter(analysis, chain);
  const [leftKey, rightKey] = [keyOf(left, variable), keyOf(right, variable)];
  if (leftKey !== null && rightKey === null) return { key: leftKey, operator, value: right };
  if (rightKey !== null && leftKey === null) return { key: rightKey, operator: TURNED[operator], value: left };
  throw notAFilter(analysis, chain);
}

/** Returns the key if the expression is a property of the variable; null otherwise. */
function keyOf(expression: Expression, variable: string): string | null {
  const isOfVariable = expression.kind === 'property' && expression.subject.kind === 'variable' && expression.subject.name === variable;
  return isOfVariable ? expression.key : null;
}

function notAFilter(analysis: Analysis, where: Expression): Error {
  const problem =
    'WHERE within SEARCH takes equalities and ranges of properties of the variable that is searched, joined by AND; other ' +
    'conditions stand behind the SEARCH';
  return analysis.fault(where, 'UnexpectedSyntax', problem);
}

function plainLabels(labels: LabelExpression | null): string[] {
  if (labels?.kind === 'labelName') return [labels.name];
  return labels?.kind === 'labelAnd' ? labels.operands.flatMap(plainLabels) : [];
}

const literal = (span: Span, value: string): Expression => ({ kind: 'literal', value, span });
const list = (span: Span, items: readonly Expression[]): Expression => ({ kind: 'list', items, span });
const map = (span: Span, entries: Readonly<Record<string, Expression>>): Expression => ({
  kind: 'map',
  entries: Object.entries(entries).map(([key, value]) => ({ key, value })),
  span,
});
