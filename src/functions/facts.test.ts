/** Checks beyond the types of the rows: names, parameters and costs fit together. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { apocFacts } from './apoc/index.ts';
import type { Cost } from './facts.ts';
import { aggregateNamed, describedAggregates, describedFunctions, functionNamed, isNamed, isRandom, parameterAt } from './lookup.ts';
import { syntaxFacts } from './syntax.ts';

const ALL = [...describedFunctions, ...describedAggregates];

test('no two rows have one name, in any case', () => {
  const names = [...ALL.map(({ name }) => name), ...Object.keys(syntaxFacts)].map((name) => name.toLowerCase());
  assert.equal(new Set(names).size, names.length);
});

test('a description is a sentence, and a signature begins with the name', () => {
  for (const { name, signature, facts } of ALL) {
    assert.match(facts.description, /\.$/, name);
    assert.ok(signature.startsWith(`${name}(`), name);
  }
  for (const [name, { signature, description }] of Object.entries(syntaxFacts)) {
    assert.match(description, /\.$/, name);
    assert.ok(signature.startsWith(`${name}(`), name);
  }
});

test('parameters have names of their own; those that may be left out come last, and one that repeats is the last', () => {
  for (const { name, facts, minArgs, maxArgs } of ALL) {
    const { parameters } = facts;
    assert.equal(new Set(parameters.map((each) => each.name)).size, parameters.length, name);
    assert.ok(
      parameters.every((each, i) => (each.optional === true) === i >= minArgs),
      name,
    );
    assert.ok(
      parameters.every((each, i) => each.repeated !== true || i === parameters.length - 1),
      name,
    );
    assert.equal(maxArgs, parameters.some((each) => each.repeated === true) ? Number.POSITIVE_INFINITY : parameters.length, name);
  }
});

function parametersOf(cost: Cost): readonly string[] {
  if (typeof cost === 'string') return [];
  if ('linearIn' in cost) return cost.linearIn;
  if ('textOf' in cost) return cost.textOf;
  return 'deepIn' in cost ? cost.deepIn : cost.productOf;
}

test('a cost speaks of parameters that there are', () => {
  for (const { name, facts } of describedFunctions) {
    const costly = parametersOf(facts.cost);
    for (const parameter of costly)
      assert.ok(
        facts.parameters.some((each) => each.name === parameter),
        `${name}: ${parameter}`,
      );
    assert.equal(new Set(costly).size, costly.length, name);
  }
});

test('a function that takes no entity reads nothing of one', () => {
  const takesEntity = ['Any', 'Node', 'Relationship', 'List'];
  for (const { name, facts } of describedFunctions) {
    if (facts.reads === 'nothing' || facts.reads === 'catalog') continue;
    assert.ok(
      facts.parameters.some(({ types }) => types.some((type) => takesEntity.includes(type))),
      name,
    );
  }
});

test('names are found in any case, and nothing that is no name', () => {
  assert.equal(functionNamed('TOUPPER')?.name, 'toUpper');
  assert.equal(functionNamed('duration.INDAYS')?.name, 'duration.inDays');
  assert.equal(aggregateNamed('PERCENTILECONT')?.name, 'percentileCont');
  for (const written of ['', 'constructor', 'hasOwnProperty', '__proto__', 'valueOf', 'count', 'collect'])
    assert.equal(functionNamed(written), undefined, written);
  for (const written of ['', 'constructor', 'toString', '__proto__', 'abs']) assert.equal(aggregateNamed(written), undefined, written);
  assert.ok(isNamed('TOSTRING', 'toString'));
  assert.ok(!isNamed('toStringList', 'toString'));
});

test('functions that draw at random', () => {
  assert.deepEqual(describedFunctions.map(({ name }) => name).filter(isRandom), [
    'rand',
    'randomUUID',
    'apoc.coll.randomItem',
    'apoc.coll.randomItems',
    'apoc.coll.shuffle',
    'apoc.create.uuid',
  ]);
});

test('the last parameter stands for all further arguments', () => {
  assert.equal(parameterAt(functionNamed('coalesce')!.facts, 7)?.name, 'input');
  assert.equal(parameterAt(functionNamed('atan2')!.facts, 1)?.name, 'x');
  assert.equal(parameterAt(functionNamed('pi')!.facts, 0), undefined);
});

test('functions of APOC are those with its prefix', () => {
  assert.deepEqual(
    describedFunctions.map(({ name }) => name).filter((name) => name.startsWith('apoc.')),
    Object.keys(apocFacts),
  );
});
