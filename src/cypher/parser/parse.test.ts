import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GraphDBError } from '../../base/index.ts';
import type { Expression, Query } from '../ast.ts';
import { formatExpression } from '../format/expressions.ts';
import { withoutPlaces } from '../testing/comparable.ts';
import { parse } from './parse.ts';

function query(text: string): Query {
  const { body } = parse(text);
  assert(body.kind === 'query');
  return body;
}

function expression(text: string): Expression {
  const clause = query(`RETURN ${text} AS x`).parts[0]!.clauses[0]!;
  assert(clause.kind === 'return');
  return clause.projection.items[0]!.expression;
}

/** The expression with all its brackets. */
function grouped(text: string): string {
  const write = (node: Expression): string => {
    switch (node.kind) {
      case 'arithmetic':
        return node.operands
          .slice(1)
          .reduce((left, operand, i) => `(${left} ${node.operators[i]} ${write(operand)})`, write(node.operands[0]!));
      case 'binary':
        return `(${write(node.left)} ${node.operator} ${write(node.right)})`;
      case 'unary':
        return `(${node.operator} ${write(node.operand)})`;
      case 'logical':
        return `(${node.operands.map(write).join(` ${node.operator} `)})`;
      case 'comparison':
        return `(${node.operands.map((each, i) => (i === 0 ? write(each) : `${node.operators[i - 1]} ${write(each)}`)).join(' ')})`;
      case 'isNull':
        return `(${write(node.operand)} null?)`;
      default:
        return formatExpression(node);
    }
  };
  return write(expression(text));
}

test('operators bind as openCypher says', () => {
  const cases: readonly [text: string, groups: string][] = [
    ['a OR b XOR c AND NOT d = e', '(a or (b xor (c and (not (d = e)))))'],
    ['a AND b AND c', '(a and b and c)'],
    ['(a AND b) AND c', '((a and b) and c)'],
    ['a + b * c ^ d ^ e', '(a + (b * ((c ^ d) ^ e)))'],
    ['-a ^ b', '((- a) ^ b)'],
    ['- 2 ^ b', '(-2 ^ b)'],
    ['a - b - c', '((a - b) - c)'],
    ['a < b <= c <> d', '(a < b <= c <> d)'],
    ['a = b IN c', '(a = (b in c))'],
    ['a + b IN c + d', '((a + b) in (c + d))'],
    ['a IN b IN c', '((a in b) in c)'],
    ['a STARTS WITH b + c AND d', '((a startsWith (b + c)) and d)'],
    ['NOT a IS NULL', '(not (a null?))'],
    ['a IS NULL = b', '((a null?) = b)'],
    ['- a.b[0]', '(- a.b[0])'],
    ['a - -1', '(a - -1)'],
    ['a-1', '(a - 1)'],
  ];
  for (const [text, groups] of cases) assert.equal(grouped(text), groups, text);
});

test('a minus belongs to the number behind it', () => {
  assert.deepEqual(withoutPlaces(expression('-9223372036854775808')), { kind: 'literal', value: -9223372036854775808n });
  assert.deepEqual(withoutPlaces(expression('- 0x8000000000000000')), { kind: 'literal', value: -9223372036854775808n });
  assert.throws(() => expression('9223372036854775808'), { code: 'SYNTAX_ERROR' });
  assert.throws(() => expression('-(9223372036854775808)'), { code: 'SYNTAX_ERROR' });
  assert.deepEqual(withoutPlaces(expression('-0')), { kind: 'literal', value: 0 });
});

test('brackets tell patterns from arithmetic', () => {
  const kinds: readonly [text: string, kind: string][] = [
    ['(a)-->(b)', 'patternExpression'],
    ['(a)--(b)', 'patternExpression'],
    ['(a)<-[r]-(b)', 'patternExpression'],
    ['(:A)-[:R]->()', 'patternExpression'],
    ['(a {x: 1})-->()', 'patternExpression'],
    ['(a)-(b)', 'arithmetic'],
    ['(a) - -1', 'arithmetic'],
    ['(a)-[1]', 'arithmetic'],
    ['(a)<-1', 'comparison'],
    ['(a + 1)--(b)', 'arithmetic'],
    ['(a:A)', 'hasLabels'],
    ['((a)-->(b))', 'patternExpression'],
  ];
  for (const [text, kind] of kinds) assert.equal(expression(text).kind, kind, text);
});

test('square brackets hold lists and comprehensions', () => {
  const kinds: readonly [text: string, kind: string][] = [
    ['[]', 'list'],
    ['[x IN y]', 'listComprehension'],
    ['[x IN y WHERE z]', 'listComprehension'],
    ['[x IN y | z]', 'listComprehension'],
    ['[x IN y, z]', 'list'],
    ['[(x IN y)]', 'list'],
    ['[(a)-->(b) | b]', 'patternComprehension'],
    ['[p = (a)-->(b) WHERE b.x | p]', 'patternComprehension'],
    ['[(a)-->(b)]', 'list'],
    ['[(a)-->(b), 1]', 'list'],
  ];
  for (const [text, kind] of kinds) assert.equal(expression(text).kind, kind, text);
});

test('words of the grammar are names where nothing else is meant', () => {
  for (const name of ['end', 'order', 'count', 'all', 'any', 'exists', 'skip', 'limit', 'contains', 'call', 'index', 'optional', 'desc']) {
    parse(`MATCH (${name}:${name} {${name}: 1}) WHERE ${name}.${name} = 1 RETURN ${name}, ${name}.${name} AS ${name}2 ORDER BY ${name}.x`);
  }
  for (const name of ['match', 'return', 'where', 'in', 'null', 'case'])
    parse(`MATCH (x:${name} {${name}: 1}) RETURN x.${name}, {${name}: 1}`);
});

test('columns without a name bear their text, exactly', () => {
  const clause = query('RETURN  n.x+1 , ( a ), count(  * ), $p').parts[0]!.clauses[0]!;
  assert(clause.kind === 'return');
  assert.deepEqual(
    clause.projection.items.map(({ column }) => column),
    ['n.x+1', 'a', 'count(  * )', '$p'],
  );
});

test('paths alternate between nodes and the rest', () => {
  const elementsOf = (pattern: string): string[] => {
    const clause = query(`MATCH ${pattern} RETURN 1`).parts[0]!.clauses[0]!;
    assert(clause.kind === 'match');
    return clause.patterns[0]!.elements.map(({ kind }) => kind);
  };
  assert.deepEqual(elementsOf('((a)-->(b)){2}'), ['nodePattern', 'quantifiedPattern', 'nodePattern']);
  assert.deepEqual(elementsOf('(x) ((a)-->(b))+ ((c)-->(d))* (y)'), [
    'nodePattern',
    'quantifiedPattern',
    'nodePattern',
    'quantifiedPattern',
    'nodePattern',
  ]);
  assert.deepEqual(elementsOf('((a)-[r]->(b))'), ['nodePattern', 'relationshipPattern', 'nodePattern']);
});

test('every node knows its place', () => {
  const text = 'MATCH (n:A)-[r]->(m) WHERE n.x > 1 RETURN n.x AS y';
  const clause = query(text).parts[0]!.clauses[0]!;
  assert(clause.kind === 'match' && clause.where !== null);
  assert.equal(text.slice(clause.span.start, clause.span.end), 'MATCH (n:A)-[r]->(m) WHERE n.x > 1');
  assert.equal(text.slice(clause.where.span.start, clause.where.span.end), 'n.x > 1');
  const [node, relationship] = clause.patterns[0]!.elements;
  assert.equal(text.slice(node!.span.start, node!.span.end), '(n:A)');
  assert.equal(text.slice(relationship!.span.start, relationship!.span.end), '-[r]->');
});

test('a call that is the whole statement stands alone', () => {
  const standalone = (text: string): boolean[] =>
    query(text).parts[0]!.clauses.flatMap((clause) => (clause.kind === 'callProcedure' ? [clause.standalone] : []));
  assert.deepEqual(standalone('CALL db.labels'), [true]);
  assert.deepEqual(standalone('CALL db.labels() YIELD *;'), [true]);
  assert.deepEqual(standalone('CALL db.labels() YIELD label RETURN label'), [false]);
});

test('faults point at line and column', () => {
  const place = (text: string): [number | undefined, number | undefined] => {
    try {
      parse(text);
    } catch (error) {
      assert(error instanceof GraphDBError);
      return [error.line, error.column];
    }
    assert.fail('a fault is expected');
  };
  assert.deepEqual(place('MATCH (n)\nRETURN n n'), [2, 10]);
  assert.deepEqual(place('MATCH (n)\r\nRETURN\r\n  ]'), [3, 3]);
  assert.deepEqual(place('RETURN'), [1, 7]);
  assert.deepEqual(place(''), [1, 1]);
});
