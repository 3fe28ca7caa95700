/** The TCK's scenarios about expressions, run over the value layer and the function library alone. */
import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { isTemporal, literalText, type Value } from '../../value/index.ts';
import { ExpressionEvaluator, Unsupported } from './testing/expression-evaluator.ts';
import { type ExpressionScenario, featuresFolder, readScenarios } from './testing/tck-features.ts';
import { tckTemporalText } from './testing/tck-temporal-text.ts';

/** Runs `CREATE (:Label {…})`, `MATCH (n:Label)`, `WITH …` and `RETURN …`; anything else is Unsupported. */
function run({ setup, query }: ExpressionScenario): [string, Value][] {
  const stored = new Map<string, Value>();
  for (const line of setup
    .split('\n')
    .map((each) => each.trim())
    .filter((each) => each !== '')) {
    const created = /^CREATE \(:(\w+) (\{.*\})\)$/.exec(line);
    if (created === null) throw new Unsupported(line);
    stored.set(created[1] as string, new ExpressionEvaluator(created[2] as string).value());
  }
  let variables = new Map<string, Value>();
  let result: [string, Value][] | undefined;
  for (const [, clause, body] of query.matchAll(
    /\b(WITH|RETURN|MATCH)\s+([\s\S]*?)(?=\s*$|\n\s*(?:WITH|RETURN|MATCH|WHERE|ORDER|UNWIND)\b)/g,
  )) {
    if (result !== undefined) throw new Unsupported('a clause after RETURN');
    if (clause === 'MATCH') for (const [name, value] of matched(body as string, stored)) variables.set(name, value);
    else if (clause === 'WITH') variables = new Map(new ExpressionEvaluator(body as string, variables).items());
    else result = new ExpressionEvaluator(body as string, variables).items();
  }
  if (result === undefined || /\b(UNWIND|CREATE|MERGE|CALL|ORDER|WHERE|SET)\b/.test(query)) throw new Unsupported(query);
  return result;
}

function matched(patterns: string, stored: ReadonlyMap<string, Value>): [string, Value][] {
  return patterns.split(',').map((pattern) => {
    const parts = /^\s*\((\w+):\s*(\w+)\)\s*$/.exec(pattern);
    if (parts === null) throw new Unsupported(pattern);
    return [parts[1] as string, stored.get(parts[2] as string) as Value];
  });
}

/** 'passed', 'unsupported', or what is wrong. */
function outcome(scenario: ExpressionScenario): string {
  let values: [string, Value][];
  try {
    values = run(scenario);
  } catch (error) {
    if (error instanceof Unsupported) return 'unsupported';
    return scenario.row === null ? 'passed' : `${scenario.query}\n  raised ${error}`;
  }
  if (scenario.row === null) return 'unsupported';
  const actual = values.map(([, value]) => cellText(value));
  const expected = [...scenario.row.values()].map(expectedText);
  return actual.join(' | ') === expected.join(' | ')
    ? 'passed'
    : `${scenario.query}\n  expected ${expected.join(' | ')}\n  got      ${actual.join(' | ')}`;
}

/** The TCK takes 0.0 and -0.0 for one. */
function cellText(value: Value): string {
  if (isTemporal(value)) return `'${tckTemporalText(value.toString())}'`;
  const text = literalText(value);
  return text === '-0.0' ? '0.0' : text;
}

/** A cell is a literal in one of several spellings, `1e9` and `1000000000.0`: read it and write it again. */
function expectedText(cell: string): string {
  try {
    return cellText(new ExpressionEvaluator(cell).value());
  } catch (error) {
    if (error instanceof Unsupported) return cell;
    throw error;
  }
}

const folder = featuresFolder();
/** Fewest scenarios of a folder that must have run: a scenario that is not understood must not pass for one that holds. */
const FEWEST: Readonly<Record<string, number>> = {
  temporal: 600,
  comparison: 30,
  literals: 50,
  list: 20,
  map: 8,
  mathematical: 2,
  typeConversion: 5,
  string: 1,
  precedence: 10,
  boolean: 30,
  null: 5,
};

for (const [feature, fewest] of Object.entries(FEWEST)) {
  test(`TCK expressions/${feature}`, { skip: folder === undefined ? 'no test data: set GRAPHDB_TEST_DATA' : false }, () => {
    const failures: string[] = [];
    let passed = 0;
    for (const path of globSync(join(folder as string, 'expressions', feature, '*.feature')).sort()) {
      for (const scenario of readScenarios(path)) {
        const result = outcome(scenario);
        if (result === 'passed') passed++;
        else if (result !== 'unsupported') failures.push(`${basename(path)} ${scenario.name}: ${result}`);
      }
    }
    assert.deepEqual(failures, [], `${failures.length} failed, ${passed} passed`);
    assert.ok(passed >= fewest, `only ${passed} scenarios ran`);
  });
}
