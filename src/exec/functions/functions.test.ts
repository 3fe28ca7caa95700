/** Scalar functions beyond what the TCK shows, and the registry as a whole. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { GraphDBError } from '../../base/index.ts';
import { CypherFloat, literalText, makeFloat, NodeValue, PathValue, RelationshipValue, type Value } from '../../value/index.ts';
import { type FunctionContext, functions } from './index.ts';
import { ExpressionEvaluator, testContext, Unsupported } from './testing/expression-evaluator.ts';

function check(cases: Readonly<Record<string, string>>): void {
  for (const [expression, expected] of Object.entries(cases))
    assert.equal(literalText(new ExpressionEvaluator(expression).value()), expected, expression);
}

/** Expressions that must fail, by the code of their error. */
function checkFaults(cases: Readonly<Record<string, string>>): void {
  for (const [expression, code] of Object.entries(cases)) {
    assert.throws(
      () => new ExpressionEvaluator(expression).value(),
      (error) => error instanceof GraphDBError && error.code === code && error.tck !== undefined,
      expression,
    );
  }
}

test('definitions are consistent', () => {
  for (const [key, definition] of functions) {
    assert.equal(key, definition.name.toLowerCase());
    assert.ok(definition.minArgs <= definition.maxArgs, key);
    assert.ok(definition.signature.startsWith(`${definition.name}(`), key);
    assert.ok(definition.facts.description.endsWith('.'), key);
  }
});

test('a function that propagates null answers null for a null in any place', () => {
  for (const { name, minArgs, facts, evaluate } of functions.values()) {
    for (let place = 0; facts.nulls === 'propagate' && place < minArgs; place++) {
      const args = Array.from({ length: minArgs }, (_, index) => (index === place ? null : 1));
      assert.equal(evaluate(testContext, ...args), null, name);
    }
  }
});

test('a function that takes a list takes a vector as the list of its components', () => {
  const others: readonly Value[] = ['a', 1, new Map<string, Value>([['a', makeFloat(1)]]), [1, 2], 'HALF_UP'];
  const outcome = (work: () => Value): string => {
    try {
      return literalText(work());
    } catch (error) {
      return error instanceof GraphDBError ? error.code : String(error);
    }
  };
  let tried = 0;
  for (const { name, minArgs, facts, evaluate } of functions.values()) {
    for (const [place, { types }] of facts.parameters.entries()) {
      if (!types.includes('List')) continue;
      for (const other of others) {
        const args = (given: Value): Value[] =>
          Array.from({ length: Math.max(minArgs, place + 1) }, (_, i) => (i === place ? given : other));
        const ofVector = outcome(() => evaluate(testContext, ...args(Float32Array.of(1, 2))));
        assert.equal(
          ofVector,
          outcome(() => evaluate(testContext, ...args([makeFloat(1), makeFloat(2)]))),
          name,
        );
        tried++;
      }
    }
  }
  assert.ok(tried > 100, `only ${tried} calls`);
});

test('whatever the arguments, a function answers with a value or raises a fault of the caller', () => {
  const argument = fc.oneof(
    fc.constantFrom<Value[]>(null, true, 0, -1, 3, 2n ** 60n, 1.5, Number.NaN, '', 'abc', 'year', [], [1, 'a'], new Map()),
    fc.string(),
    fc.integer({ min: -5, max: 100 }),
  );
  const callers = ['TYPE_ERROR', 'ARGUMENT_ERROR', 'ARITHMETIC_ERROR', 'MEMORY_LIMIT'];
  for (const { name, minArgs, maxArgs, evaluate } of functions.values()) {
    fc.assert(
      fc.property(fc.array(argument, { minLength: minArgs, maxLength: Math.min(maxArgs, 4) }), (args) => {
        try {
          assert.notEqual(evaluate(testContext, ...args), undefined);
        } catch (error) {
          assert.ok(error instanceof Unsupported || (error instanceof GraphDBError && callers.includes(error.code)), `${name}: ${error}`);
        }
      }),
      { numRuns: 50 },
    );
  }
});

test('numeric functions', () => {
  check({
    'abs(-5)': '5',
    'abs(-9007199254740993)': '9007199254740993',
    'abs(-0.5)': '0.5',
    'sign(-3.2)': '-1',
    'ceil(1.2)': '2.0',
    'floor(-1.2)': '-2.0',
    'round(2.5)': '3.0',
    'round(-1.5)': '-1.0',
    'round(0.49999999999999994)': '0.0',
    'round(2.675, 2)': '2.68',
    'round(-1.55, 1)': '-1.6',
    "round(1.249, 1, 'UP')": '1.3',
    "round(1.25, 1, 'HALF_EVEN')": '1.2',
    "round(1.25, 1, 'HALF_DOWN')": '1.2',
    "round(-1.21, 1, 'CEILING')": '-1.2',
    "round(-1.21, 1, 'FLOOR')": '-1.3',
    'round(0.001, 2)': '0.0',
    'round(0.009, 2)': '0.01',
    'round(123456.789, 0)': '123457.0',
    'round(-1.5, 0)': '-1.0',
    'round(-2.5, 0)': '-2.0',
    'round(2.5, 0)': '3.0',
    'round(-0.5, 0)': '0.0',
    "round(-1.5, 0, 'HALF_UP')": '-2.0',
    "round(-1.5, 0, 'HALF_DOWN')": '-1.0',
    "round(-1.5, 0, 'HALF_EVEN')": '-2.0',
    "round(-2.5, 0, 'HALF_EVEN')": '-2.0',
    "round(-1.5, 0, 'UP')": '-2.0',
    "round(-1.5, 0, 'DOWN')": '-1.0',
    "round(-1.5, 0, 'CEILING')": '-1.0',
    "round(-1.5, 0, 'FLOOR')": '-2.0',
    'round(-1.25, 1)': '-1.3',
    'round(1.25, 1)': '1.3',
    'round(-0.04, 1)': '0.0',
    'round(9007199254740993, 0)': '9.007199254740992E15',
    'round(-1.5, null)': 'null',
    'isNaN(0.0 / 0.0)': 'true',
    'isNaN(1)': 'false',
    'sqrt(-1)': 'NaN',
    'log10(1000)': '3.0',
    'e() > 2.7 AND pi() < 3.15': 'true',
    'degrees(pi())': '180.0',
    'atan2(0, -1) = pi()': 'true',
    'haversin(0)': '0.0',
    'rand()': '0.25',
  });
  checkFaults({
    "abs('x')": 'TYPE_ERROR',
    'abs(-9223372036854775807 - 1)': 'ARITHMETIC_ERROR',
    "round(1.5, 1, 'SIDEWAYS')": 'ARGUMENT_ERROR',
    'round(1.5, -1)': 'ARGUMENT_ERROR',
  });
});

test('string functions count code points', () => {
  check({
    "size('a😀b')": '3',
    "left('a😀b', 2)": "'a😀'",
    "right('a😀b', 2)": "'😀b'",
    "substring('a😀b', 1, 1)": "'😀'",
    "substring('hello', 1)": "'ello'",
    "substring('hello', 9)": "''",
    "reverse('a😀b')": "'b😀a'",
    "trim('  x ')": "'x'",
    "ltrim('xxaxx', 'x')": "'axx'",
    "rtrim('xxaxx', 'x')": "'xxa'",
    "btrim('xyaxy', 'xy')": "'a'",
    "replace('a.b.c', '.', '$&')": "'a$&b$&c'",
    "replace('ab', '', '-')": "'-a-b-'",
    "split('a,b,,c', ',')": "['a', 'b', '', 'c']",
    "split('a1b2c', ['1', '2'])": "['a', 'b', 'c']",
    "split('a.b|c', ['.', '|'])": "['a', 'b', 'c']",
    "split('a😀', '')": "['a', '😀']",
    "split('', ',')": "['']",
    "split('', '')": "['']",
    "split('', ['', 'a'])": "['']",
    'left(null, null)': 'null',
    'substring(null, null)': 'null',
    "toUpper('straße')": "'STRASSE'",
    "lower('ÀB')": "'àb'",
    "char_length('😀')": '1',
    "size(normalize('e\\u0301'))": '1',
    "size(normalize('é', 'NFD'))": '2',
  });
  checkFaults({
    "left('x', -1)": 'ARGUMENT_ERROR',
    "left('x', null)": 'TYPE_ERROR',
    "right('x', null)": 'TYPE_ERROR',
    "substring('x', null)": 'TYPE_ERROR',
    "substring('x', 0, null)": 'TYPE_ERROR',
    'left(1, 1)': 'TYPE_ERROR',
    "substring('x', -1)": 'ARGUMENT_ERROR',
    "substring('x', 1.5)": 'TYPE_ERROR',
    "normalize('x', 'NFX')": 'ARGUMENT_ERROR',
    'trim(1)': 'TYPE_ERROR',
  });
});

test('list functions', () => {
  check({
    'head([])': 'null',
    'last([1, 2])': '2',
    'tail([1, 2, 3])': '[2, 3]',
    'reverse([1, null, 3])': '[3, null, 1]',
    'range(0, 10, 3)': '[0, 3, 6, 9]',
    'range(3, 1)': '[]',
    'range(3, 1, -1)': '[3, 2, 1]',
    'range(-9007199254740991, 9007199254740991, 6004799503160659)':
      '[-9007199254740991, -3002399751580332, 3002399751580327, 9007199254740986]',
    'range(9007199254740990, 9007199254740993)': '[9007199254740990, 9007199254740991, 9007199254740992, 9007199254740993]',
    'size([1, null])': '2',
    'isEmpty({})': 'true',
    "isEmpty('x')": 'false',
    'keys({a: 1, b: null})': "['a', 'b']",
    'coalesce(null, 2, 3)': '2',
    'coalesce()': 'null',
    'nullIf(1, 1.0)': 'null',
    "nullIf(1, 'a')": '1',
  });
  checkFaults({ 'range(1, 2, 0)': 'ARGUMENT_ERROR', 'range(1, 2.0)': 'TYPE_ERROR', 'head(1)': 'TYPE_ERROR', 'size(1)': 'TYPE_ERROR' });
  assert.throws(() => new ExpressionEvaluator('range(0, 9223372036854775807)').value(), { code: 'MEMORY_LIMIT' });
});

test('conversions', () => {
  check({
    "toInteger('9007199254740993')": '9007199254740993',
    "toInteger(' 42 ')": '42',
    "toInteger('1.9')": '1',
    "toInteger('x')": 'null',
    'toInteger(-1.9)': '-1',
    'toInteger(true)': '1',
    'toIntegerOrNull([])': 'null',
    'toIntegerOrNull(1e300)': 'null',
    'toIntegerOrNull(1.0 / 0.0)': 'null',
    "toIntegerOrNull('-9223372036854775809')": 'null',
    "toIntegerOrNull('-9223372036854775808')": '-9223372036854775808',
    "toIntegerList([1e30, '1e30', 9223372036854775807])": '[null, null, 9223372036854775807]',
    "toIntegerList(['1', [], null, 2.5])": '[1, null, null, 2]',
    "toFloat('1e3')": '1000.0',
    'toFloat(9007199254740993)': '9.007199254740992E15',
    'toFloatOrNull(true)': 'null',
    "toBoolean(' TRUE ')": 'true',
    "toBoolean('yes')": 'null',
    'toBoolean(0)': 'false',
    'toString(1.0)': "'1.0'",
    "toString(date('2020'))": "'2020-01-01'",
    'toStringOrNull([])': 'null',
    "toStringList([1, 'a', {}])": "['1', 'a', null]",
  });
  checkFaults({
    "toInteger('9223372036854775808')": 'ARITHMETIC_ERROR',
    'toInteger(1e300)': 'ARITHMETIC_ERROR',
    "toInteger('1e300')": 'ARITHMETIC_ERROR',
    'toInteger([])': 'TYPE_ERROR',
    'toBoolean(1.0)': 'TYPE_ERROR',
    'toString([])': 'TYPE_ERROR',
  });
});

test('types by name', () => {
  check({
    'valueType(null)': "'NULL'",
    'valueType(1)': "'INTEGER NOT NULL'",
    'valueType([])': "'LIST<NOTHING> NOT NULL'",
    "valueType(['a', 1, 2])": "'LIST<STRING NOT NULL | INTEGER NOT NULL> NOT NULL'",
    'valueType([1, null])': "'LIST<INTEGER> NOT NULL'",
    "valueType(datetime('2020T10Z'))": "'ZONED DATETIME NOT NULL'",
    [`valueType(${'['.repeat(60)}1${']'.repeat(60)})`]: `'${'LIST<'.repeat(60)}INTEGER NOT NULL${'> NOT NULL'.repeat(60)}'`,
  });
});

test('clocks stand still during a statement', () => {
  check({
    'timestamp()': '1577934245006',
    'datetime()': "'2020-01-02T03:04:05.006Z'",
    'datetime.transaction()': "'2020-01-02T03:04:05Z'",
    'datetime.realtime()': "'2020-01-02T03:04:06Z'",
    "datetime.statement('Asia/Tokyo')": "'2020-01-02T12:04:05.006+09:00[Asia/Tokyo]'",
    "date({timezone: 'Pacific/Honolulu'})": "'2020-01-01'",
    'localtime()': "'03:04:05.006'",
    "date.truncate('month')": "'2020-01-01'",
    'datetime.fromepoch(1, -1)': "'1970-01-01T00:00:00.999999999Z'",
    'datetime.fromepochmillis(-1)': "'1969-12-31T23:59:59.999Z'",
  });
  checkFaults({
    'date(1)': 'TYPE_ERROR',
    "date('x')": 'ARGUMENT_ERROR',
    'datetime.statement(1)': 'TYPE_ERROR',
    "duration.between(1, date('2020'))": 'TYPE_ERROR',
  });
});

test('vectors', () => {
  check({
    'vector([1, 0.5])': 'vector([1.0, 0.5])',
    "vector([2147483647], 1, 'INTEGER32')": 'vector([2.147483648E9])',
    'cosine_similarity([1, 0], [0, 1])': '0.0',
    'cosine_similarity(vector([1, 1]), [2, 2])': '1.0',
    'cosine_similarity([0, 0], [1, 1])': 'null',
    'vector.similarity.cosine([1, 0], [-1, 0])': '0.0',
    'dot_product([1, 2], [3, 4])': '11.0',
    'euclidean_distance([0, 0], [3, 4])': '5.0',
    'vector.similarity.euclidean([0, 0], [0, 1])': '0.5',
    'size(vector([1, 2, 3]))': '3',
  });
  checkFaults({
    'dot_product([1], [1, 2])': 'ARGUMENT_ERROR',
    "vector(['a'])": 'TYPE_ERROR',
    'vector([1e300])': 'ARGUMENT_ERROR',
    "vector([3e9], 1, 'INTEGER32')": 'ARGUMENT_ERROR',
    "vector([-3e9], 1, 'INTEGER32')": 'ARGUMENT_ERROR',
    "vector([1e30], 1, 'INTEGER64')": 'ARGUMENT_ERROR',
    'dot_product(1, 2)': 'TYPE_ERROR',
  });
});

test('functions on the graph ask its accessor', () => {
  const node = new NodeValue(7);
  const relationship = new RelationshipValue(1, 2, 7, 8);
  const context: FunctionContext = {
    ...testContext,
    graph: {
      nodeId: (each) => `n${each.ordinal}`,
      nodeLabels: () => ['A', 'B'],
      nodeProperty: () => 1,
      nodeProperties: () => new Map([['x', 1]]),
      relationshipId: (each) => `r${each.row}`,
      relationshipType: () => 'T',
      relationshipProperty: () => 2,
      relationshipProperties: () => new Map([['y', 2]]),
    },
  };
  const call = (name: string, input: Value): Value => functions.get(name)?.evaluate(context, input) as Value;
  const path = new PathValue([7, 8], [relationship]);
  assert.equal(call('id', node), 'n7');
  assert.equal(call('elementid', relationship), 'r2');
  assert.deepEqual(call('labels', node), ['A', 'B']);
  assert.equal(call('type', relationship), 'T');
  assert.deepEqual(call('keys', node), ['x']);
  assert.deepEqual(call('properties', relationship), new Map([['y', 2]]));
  assert.deepEqual(call('startnode', relationship), node);
  assert.deepEqual(call('endnode', relationship), new NodeValue(8));
  assert.deepEqual(call('nodes', path), [node, new NodeValue(8)]);
  assert.deepEqual(call('relationships', path), [relationship]);
  assert.equal(call('length', path), 1);
  for (const name of ['labels', 'type', 'length', 'nodes', 'id', 'startnode', 'keys', 'properties']) {
    assert.throws(
      () => call(name, 1),
      (error) => error instanceof GraphDBError && error.tck?.detail === 'InvalidArgumentValue',
      name,
    );
  }
});

test('a Float result is always in canonical form', () => {
  assert.deepEqual(functions.get('sqrt')?.evaluate(testContext, 4), new CypherFloat(2));
  assert.deepEqual(functions.get('tofloat')?.evaluate(testContext, 3), makeFloat(3));
});
