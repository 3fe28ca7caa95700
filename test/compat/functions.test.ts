/** SHOW FUNCTIONS: nothing that can be called is missing, and nothing is listed that cannot. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GraphDBError } from '../../src/base/index.ts';
import { openEngine } from '../../src/engine/index.ts';

/** Functions of Neo4j's manual; those that do not exist here are refused as unknown. */
const NEO4J = `abs acos all allReduce any asin atan atan2 avg btrim ceil ceiling char_length character_length coalesce collect collect_list
   cos cosh cot coth
count cardinality date date.realtime date.statement date.transaction date.truncate datetime datetime.fromEpoch
datetime.fromEpochMillis datetime.realtime
datetime.statement datetime.transaction datetime.truncate db.nameFromElementId degrees duration duration.between duration.inDays
duration.inMonths
duration.inSeconds duration_between e elementId element_id endNode exists exp file floor format graph.byElementId graph.byName graph.names
graph.propertiesByName haversin head id isEmpty isNaN keys labels last left length linenumber ln local_datetime local_time localdatetime
localdatetime.realtime localdatetime.statement localdatetime.transaction localdatetime.truncate localtime localtime.realtime
localtime.statement
localtime.transaction localtime.truncate log log10 lower ltrim max min nodes none normalize nullIf path_length percentileCont
percentile_cont percentileDisc
percentile_disc pi point point.distance point.withinBBox properties radians rand randomUUID range reduce relationships replace
reverse right round rtrim
sign sin single sinh size split sqrt startNode stDev stdev_samp stDevP stdev_pop string.indexOf substring sum tail tan tanh time
time.realtime
time.statement time.transaction time.truncate timestamp toBoolean toBooleanList toBooleanOrNull toFloat toFloatList
toFloatOrNull toInteger toIntegerList
toIntegerOrNull toLower toString toStringList toStringOrNull toUpper trim type upper valueType vector vector.similarity.cosine
vector.similarity.euclidean vector_dimension_count vector_distance vector_norm zoned_datetime zoned_time`.split(/\s+/);

/** Those with a syntax of their own. */
const CALLS: ReadonlyMap<string, string> = new Map([
  ['all', 'all(x IN [1] WHERE x = 1)'],
  ['any', 'any(x IN [1] WHERE x = 1)'],
  ['none', 'none(x IN [1] WHERE x = 1)'],
  ['single', 'single(x IN [1] WHERE x = 1)'],
  ['reduce', 'reduce(a = 0, x IN [1] | a + x)'],
]);

test('SHOW FUNCTIONS lists what can be called', async (context) => {
  const engine = await openEngine('memory://functions');
  context.after(() => engine.close());
  const { rows } = await engine.execute('SHOW FUNCTIONS YIELD name, category, signature, description', new Map());
  const listed = new Map(rows.map(([name, ...rest]) => [String(name).toLowerCase(), rest.map(String)]));
  assert.equal(listed.size, rows.length, 'no function is listed twice');
  /** Whether there is such a function: its arguments may be wrong. */
  const isKnown = async (name: string): Promise<boolean> => {
    for (const args of ['', 'null', 'null, null', 'null, null, null', 'null, null, null, null']) {
      try {
        await engine.execute(`EXPLAIN RETURN ${CALLS.get(name) ?? `${name}(${args})`}`, new Map());
        return true;
      } catch (error) {
        assert(error instanceof GraphDBError, `${name}: ${error}`);
        if (error.tck?.detail === 'UnknownFunction') return false;
        assert.notEqual(error.code, 'SYNTAX_ERROR', `${name}(${args}): ${error.message}`);
      }
    }
    return assert.fail(`${name} takes no arguments`);
  };
  for (const [name, [category, signature, description]] of listed) {
    assert.ok(await isKnown(name), `${name} is listed and cannot be called`);
    assert.ok(category !== '' && description !== '', name);
    assert.ok(signature?.toLowerCase().startsWith(`${name}(`), signature);
  }
  const missing: string[] = [];
  for (const name of NEO4J) {
    const isListed = listed.has(name.toLowerCase());
    assert.equal(await isKnown(name), isListed, name);
    if (!isListed) missing.push(name);
  }
  assert.ok(missing.length < NEO4J.length / 4, `many functions are missing: ${missing.join(' ')}`);
});
