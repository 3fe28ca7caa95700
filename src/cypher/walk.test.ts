import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Expression, Variable } from './ast.ts';
import { formatExpression } from './format/expressions.ts';
import { parse } from './parser/parse.ts';
import { containsAggregate, freeVariables, rewrite, type TreeNode, walk } from './walk.ts';

function expression(text: string): Expression {
  const { body } = parse(`RETURN ${text} AS x`);
  assert(body.kind === 'query');
  const clause = body.parts[0]!.clauses[0]!;
  assert(clause.kind === 'return');
  return clause.projection.items[0]!.expression;
}

test('walk sees outer nodes before inner ones and can be kept out', () => {
  const kinds: string[] = [];
  walk(expression('f(a + 1, [b])'), ({ kind }) => {
    kinds.push(kind);
    return kind !== 'list';
  });
  assert.deepEqual(kinds, ['function', 'arithmetic', 'variable', 'literal', 'list']);
});

test('rewrite replaces nodes wherever they stand, in patterns and subqueries too', () => {
  const rename = (node: TreeNode): TreeNode | undefined => {
    if (node.kind !== 'variable') return undefined;
    const renamed: Variable = { ...(node as Variable), name: `${(node as Variable).name}2` };
    return renamed;
  };
  const renamed = rewrite(expression('[(a)-->(b {x: c}) | EXISTS { (d) }]'), rename);
  assert.equal(formatExpression(renamed), '[(a2)-->(b2 {x: c2}) | EXISTS { MATCH (d2) }]');
});

test('what does not change is shared', () => {
  const before = expression('a + [b, c]');
  assert.equal(
    rewrite(before, () => undefined),
    before,
  );
});

test('free variables are those from outside', () => {
  const cases: readonly [text: string, free: string][] = [
    ['a + b.c[d]', 'a b d'],
    ['[x IN x WHERE x > a | x + b]', 'a b x'],
    ['[x IN list | x]', 'list'],
    ['all(x IN xs WHERE x = y)', 'xs y'],
    ['reduce(s = z, x IN xs | s + x + w)', 'w xs z'],
    ['n {.*, a: b, c}', 'b c n'],
    ['[(a)-->(b) | b.x]', 'a b'],
    ['1 + $p', ''],
  ];
  for (const [text, free] of cases) assert.equal([...freeVariables(expression(text))].sort().join(' '), free, text);
});

test('aggregates of subqueries are their own', () => {
  const isAggregate = (name: string): boolean => ['count', 'sum'].includes(name.toLowerCase());
  assert(containsAggregate(expression('1 + count(*)'), isAggregate));
  assert(containsAggregate(expression('[x IN [SUM(a)] | x]'), isAggregate));
  assert(!containsAggregate(expression('size(a) + COLLECT { MATCH (n) RETURN count(n) }[0]'), isAggregate));
});
