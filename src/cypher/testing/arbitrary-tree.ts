/** For property tests: random syntax trees that a parser could have made, except for places in the text. */
import fc from 'fast-check';
import { makeFloat, makeInteger } from '../../value/index.ts';
import { arithmeticChain } from '../arithmetic-chain.ts';
import type {
  ArithmeticOperator,
  Clause,
  Expression,
  LabelExpression,
  NodePattern,
  PathPattern,
  PatternElement,
  Projection,
  ProjectionItem,
  Query,
  RelationshipPattern,
  SetItem,
  Statement,
  ValueType,
  Variable,
} from '../ast.ts';

const span = { start: 0, end: 0 };

const name = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('a', 'b', 'n', 'r', 'p', 'x', 'Person', 'KNOWS') },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      'match',
      'WHERE',
      'in',
      'end',
      'count',
      'all',
      'IS',
      'exists',
      'case',
      'null',
      'distinct',
      'shortestPath',
      'order',
    ),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 5 }).filter((text) => text.isWellFormed()) },
);
const parameterName = fc.oneof(name, fc.nat(9).map(String)).filter((text) => !text.startsWith('#'));
/** No part has a dot, which would be read as one between parts. */
const functionName = fc.oneof(
  fc.constantFrom('count', 'size', 'exists', 'any', 'duration.between', 'collect'),
  fc.array(name, { minLength: 1, maxLength: 2 }).map((parts) => parts.join('.')),
);

const variable: fc.Arbitrary<Variable> = name.map((text) => ({ kind: 'variable', name: text, span }));

const literal: fc.Arbitrary<Expression> = fc
  .oneof(
    fc.constantFrom(null, true, false),
    fc.string({ unit: 'grapheme', maxLength: 8 }).filter((text) => text.isWellFormed()),
    fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(makeInteger),
    fc.integer({ min: -100, max: 100 }),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map(makeFloat),
    fc.integer({ min: -3, max: 3 }).map(makeFloat),
  )
  .map((value) => ({ kind: 'literal', value, span }));

const typeName = fc.constantFrom('INTEGER', 'STRING', 'ZONED DATETIME', 'NODE', 'ANY', 'MAP', 'PROPERTY VALUE');
const plainType: fc.Arbitrary<ValueType> = record({
  name: typeName,
  notNull: fc.boolean(),
  element: fc.constant(null),
  alternatives: fc.constant(null),
});
const valueType: fc.Arbitrary<ValueType> = fc.oneof(
  plainType,
  record({
    name: fc.constant('LIST'),
    notNull: fc.boolean(),
    element: fc.option(plainType, { nil: null }),
    alternatives: fc.constant(null),
  }),
  record({
    name: fc.constant('ANY'),
    notNull: fc.boolean(),
    element: fc.constant(null),
    alternatives: fc.array(plainType, { minLength: 2, maxLength: 3 }),
  }),
);

/** Makes trees of objects with the usual prototype. */
function record<T>(members: { [K in keyof T]: fc.Arbitrary<T[K]> }): fc.Arbitrary<T> {
  return fc.record<T>(members, { noNullPrototype: true });
}

function nullable<T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> {
  return fc.option(arbitrary, { nil: null, freq: 2 });
}

function list<T>(arbitrary: fc.Arbitrary<T>, minLength = 0, maxLength = 3): fc.Arbitrary<T[]> {
  return fc.array(arbitrary, { minLength, maxLength });
}

interface Trees {
  readonly expression: Expression;
  readonly labels: LabelExpression;
  readonly node: NodePattern;
  readonly relationship: RelationshipPattern;
  readonly chain: PathPattern;
  readonly path: PathPattern;
  readonly clause: Clause;
  readonly query: Query;
}

const kind = <K extends string>(value: K): fc.Arbitrary<K> => fc.constant(value);
const nowhere = fc.constant(span);

const trees = fc.letrec<Trees>((tie: fc.LetrecTypedTie<Trees>) => {
  const expression = tie('expression');
  const entries = list(record({ key: name, value: expression }), 0, 2);
  const where = nullable(expression);
  const properties = nullable(
    fc.oneof(
      record({ kind: kind('map'), entries, span: nowhere }),
      parameterName.map((each): Expression => ({ kind: 'parameter', name: each, span })),
    ),
  );

  const compound: fc.Arbitrary<Expression>[] = [
    record({ kind: kind('property'), subject: expression, key: name, span: nowhere }),
    record({ kind: kind('index'), subject: expression, index: expression, span: nowhere }),
    record({ kind: kind('slice'), subject: expression, from: where, to: where, span: nowhere }),
    record({ kind: kind('list'), items: list(expression), span: nowhere }),
    record({ kind: kind('map'), entries, span: nowhere }),
    record({ kind: kind('mapProjection'), subject: variable, all: fc.boolean(), entries, span: nowhere }),
    record({ kind: kind('unary'), operator: fc.constantFrom('not', '-', '+'), operand: expression, span: nowhere }),
    record({
      kind: kind('binary'),
      operator: fc.constantFrom('in', 'startsWith', 'endsWith', 'contains', '=~'),
      left: expression,
      right: expression,
      span: nowhere,
    }),
    fc
      .constantFrom<ArithmeticOperator[]>(['+', '-', '||'], ['*', '/', '%'], ['^'])
      .chain((level) =>
        list(expression, 2).chain(([first, ...operands]) =>
          list(fc.constantFrom(...level), operands.length, operands.length).map((operators) =>
            arithmeticChain(first!, { operators, operands }, span),
          ),
        ),
      ),
    record({ kind: kind('logical'), operator: fc.constantFrom('and', 'or', 'xor'), operands: list(expression, 2), span: nowhere }),
    list(expression, 2).chain((operands) =>
      record({
        kind: kind('comparison'),
        operands: fc.constant(operands),
        operators: list(fc.constantFrom('=', '<>', '<', '<=', '>', '>='), operands.length - 1, operands.length - 1),
        span: nowhere,
      }),
    ),
    record({ kind: kind('isNull'), operand: expression, negated: fc.boolean(), span: nowhere }),
    record({ kind: kind('isTyped'), operand: expression, type: valueType, negated: fc.boolean(), span: nowhere }),
    record({
      kind: kind('isNormalized'),
      operand: expression,
      form: fc.constantFrom('NFC', 'NFKD'),
      negated: fc.boolean(),
      span: nowhere,
    }),
    record({ kind: kind('hasLabels'), subject: expression, labels: tie('labels'), span: nowhere }),
    record({ kind: kind('function'), name: functionName, distinct: fc.constant(false), arguments: list(expression), span: nowhere }),
    record({ kind: kind('function'), name: functionName, distinct: fc.constant(true), arguments: list(expression, 1), span: nowhere }),
    record({
      kind: kind('case'),
      subject: where,
      branches: list(record({ when: expression, then: expression }), 1, 2),
      otherwise: where,
      span: nowhere,
    }),
    record({ kind: kind('listComprehension'), variable, list: expression, where, projection: where, span: nowhere }),
    record({ kind: kind('patternComprehension'), pattern: tie('chain'), where, projection: expression, span: nowhere }),
    record({
      kind: kind('quantifier'),
      quantifier: fc.constantFrom('all', 'any', 'none', 'single'),
      variable,
      list: expression,
      where,
      span: nowhere,
    }),
    record({ kind: kind('reduce'), accumulator: variable, initial: expression, variable, list: expression, expression, span: nowhere }),
    record({ kind: kind('patternExpression'), pattern: tie('chain').map((chain) => ({ ...chain, variable: null })), span: nowhere }),
    record({ kind: kind('subquery'), mode: fc.constantFrom('exists', 'count', 'collect'), query: tie('query'), span: nowhere }),
  ];

  const node: fc.Arbitrary<NodePattern> = record({
    kind: kind('nodePattern'),
    variable: nullable(variable),
    labels: nullable(tie('labels')),
    properties,
    where,
    span: nowhere,
  });
  const relationship: fc.Arbitrary<RelationshipPattern> = record({
    kind: kind('relationshipPattern'),
    variable: nullable(variable),
    types: nullable(tie('labels')),
    direction: fc.constantFrom('out', 'in', 'both'),
    length: nullable(record({ min: fc.nat(3), max: nullable(fc.nat(9)) })),
    properties,
    where,
    span: nowhere,
  }).map((each) => (each.length === null ? each : { ...each, where: null }));
  const chain = fc
    .tuple(tie('node'), list(fc.tuple(tie('relationship'), tie('node')), 1, 2))
    .map(([first, rest]): readonly PatternElement[] => [first, ...rest.flat()]);
  const group = record({
    kind: kind('quantifiedPattern'),
    path: chain.map((elements): PathPattern => ({ kind: 'pathPattern', variable: null, selector: null, elements, span })),
    where,
    min: fc.nat(3),
    max: nullable(fc.integer({ min: 3, max: 5 })),
    span: nowhere,
  });
  const elements = fc.oneof(
    tie('node').map((each): readonly PatternElement[] => [each]),
    chain,
    fc.tuple(tie('node'), group, tie('node')).map((each): readonly PatternElement[] => each),
  );
  const selector = fc.oneof(
    fc.constant(null),
    record({
      kind: fc.constantFrom('shortest', 'shortestGroups', 'any'),
      count: fc.integer({ min: 1, max: 9 }),
      legacy: fc.constant(false),
      span: nowhere,
    }),
    record({ kind: fc.constantFrom('shortest', 'allShortest'), count: fc.constant(1), legacy: fc.constant(true), span: nowhere }),
  );

  const item: fc.Arbitrary<ProjectionItem> = fc.oneof(
    fc.tuple(expression, variable).map(([each, alias]) => ({ expression: each, variable: alias, column: alias.name, aliased: true, span })),
    variable.map((each) => ({ expression: each, variable: each, column: each.name, aliased: false, span })),
  );
  const projection: fc.Arbitrary<Projection> = record({
    distinct: fc.boolean(),
    star: fc.boolean(),
    items: list(item),
    orderBy: list(record({ expression, descending: fc.boolean(), span: nowhere }), 0, 2),
    skip: where,
    limit: where,
    span: nowhere,
  }).filter(({ star, items }) => star || items.length > 0);

  const target = fc.oneof(
    record({ kind: kind('property'), subject: expression, key: name, span: nowhere }),
    record({ kind: kind('index'), subject: expression, index: expression, span: nowhere }),
  );
  const labelNames = list(fc.oneof(name, expression), 1, 2);
  const setItem: fc.Arbitrary<SetItem> = fc.oneof(
    record({ kind: kind('setProperty'), target, value: expression, span: nowhere }),
    record({ kind: kind('setAll'), variable, merge: fc.boolean(), value: expression, span: nowhere }),
    record({ kind: kind('setLabels'), variable, labels: labelNames, span: nowhere }),
  );
  const made = chain.map((each): PathPattern => ({ kind: 'pathPattern', variable: null, selector: null, elements: each, span }));
  const update: fc.Arbitrary<Clause> = fc.oneof(
    record({ kind: kind('create'), patterns: list(made, 1, 2), span: nowhere }),
    record({ kind: kind('merge'), pattern: made, onCreate: list(setItem, 0, 1), onMatch: list(setItem, 0, 1), span: nowhere }),
    record({ kind: kind('set'), items: list(setItem, 1, 2), span: nowhere }),
    record({
      kind: kind('remove'),
      items: list(
        fc.oneof(
          record({ kind: kind('removeProperty'), target, span: nowhere }),
          record({ kind: kind('removeLabels'), variable, labels: labelNames, span: nowhere }),
        ),
        1,
        2,
      ),
      span: nowhere,
    }),
    record({ kind: kind('delete'), detach: fc.boolean(), expressions: list(expression, 1, 2), span: nowhere }),
  );
  const returns = record({ kind: kind('return'), projection, span: nowhere });

  return {
    expression: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      literal,
      variable,
      parameterName.map((each): Expression => ({ kind: 'parameter', name: each, span })),
      kind('countStar').map((each): Expression => ({ kind: each, span })),
      ...compound,
    ),
    labels: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      record({ kind: kind('labelName'), name, span: nowhere }),
      record({ kind: kind('labelWildcard'), span: nowhere }),
      record({ kind: kind('labelDynamic'), expression, any: fc.boolean(), span: nowhere }),
      record({ kind: kind('labelNot'), operand: tie('labels'), span: nowhere }),
      record({ kind: fc.constantFrom('labelAnd', 'labelOr'), operands: list(tie('labels'), 2), span: nowhere }),
    ),
    node,
    relationship,
    chain: record({
      kind: kind('pathPattern'),
      variable: nullable(variable),
      selector: fc.constant(null),
      elements: chain,
      span: nowhere,
    }),
    path: record({ kind: kind('pathPattern'), variable: nullable(variable), selector, elements, span: nowhere }),
    clause: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      record({ kind: kind('match'), optional: fc.boolean(), patterns: list(tie('path'), 1, 2), where, span: nowhere }),
      record({ kind: kind('unwind'), expression, variable, span: nowhere }),
      record({ kind: kind('with'), projection, where, span: nowhere }),
      update,
      record({ kind: kind('foreach'), variable, list: expression, clauses: list(update, 1, 2), span: nowhere }),
      record({
        kind: kind('callProcedure'),
        optional: fc.boolean(),
        name: functionName,
        arguments: nullable(list(expression)),
        yields: nullable(list(record({ field: name, variable, span: nowhere }), 1, 2)),
        where: fc.constant(null),
        standalone: fc.constant(false),
        span: nowhere,
      }),
      record({
        kind: kind('callSubquery'),
        optional: fc.boolean(),
        imports: fc.oneof(fc.constant(null), kind('*'), list(variable)),
        query: tie('query'),
        inTransactions: nullable(
          record({
            batchSize: where,
            onError: fc.constantFrom('fail', 'continue', 'break'),
            reportStatus: nullable(variable),
            span: nowhere,
          }),
        ),
        span: nowhere,
      }),
      record({
        kind: kind('loadCsv'),
        withHeaders: fc.boolean(),
        from: expression,
        variable,
        fieldTerminator: nullable(fc.constantFrom(';', "'")),
        span: nowhere,
      }),
    ),
    query: fc.tuple(list(fc.tuple(list(tie('clause'), 0, 2), returns), 1, 2), fc.constantFrom('all', 'distinct')).map(
      ([parts, union]): Query => ({
        kind: 'query',
        parts: parts.map(([clauses, last]) => ({ kind: 'singleQuery', clauses: [...clauses, last], span })),
        unions: parts.slice(1).map(() => union),
        span,
      }),
    ),
  };
});

export const arbitraryExpression: fc.Arbitrary<Expression> = trees.expression;

export const arbitraryStatement: fc.Arbitrary<Statement> = record({
  kind: kind('statement'),
  mode: fc.constantFrom('run', 'explain', 'profile'),
  body: trees.query,
  span: nowhere,
});
