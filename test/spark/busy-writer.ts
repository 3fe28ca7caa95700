/**
 * The writer beside which the Python tests read a bucket: `node busy-writer.ts <uri> <seed> <rounds>`. Each round
 * changes a random namespace (labels, properties of all types and of several in one column, deletions, identifiers of
 * users), flushes, and now and then merges; collection keeps the current version alone, without a grace time, so that
 * nothing but a lease keeps an older one.
 *
 * After each flush one line of JSON:
 * `{"version", "nodes": [[id, labels, properties]], "relationships": [[id, type, source, target, properties]]}`, what
 * files hold from that manifest version on.
 */
import { openEngine } from '../../src/engine/index.ts';
import { writeJson } from '../../src/value/index.ts';
import { type Random, seededRandom } from '../support/random.ts';

const LABELS = ['A', 'B', 'C'];
const TYPES = ['R', 'S'];
const VALUES: readonly ((random: Random) => string)[] = [
  (random) => String(random.between(-3, 200)),
  (random) => String(random.between(1, 5) * 2 ** 40),
  (random) => `${random.between(-3, 3)}.5`,
  () => '9223372036854775807',
  (random) => `'text ${random.between(0, 5)} ü'`,
  (random) => String(random.chance(0.5)),
  (random) => `date('20${random.between(10, 30)}-02-03')`,
  (random) => `localdatetime('20${random.between(10, 30)}-02-03T04:05:06.789')`,
  (random) => `datetime('20${random.between(10, 30)}-02-03T04:05:06Z')`,
  (random) => `localtime('04:05:${random.between(10, 59)}')`,
  (random) => `duration('P${random.between(1, 9)}M2DT3S')`,
  (random) => `point({x: ${random.between(0, 9)}, y: 1.5})`,
  (random) => `[${random.between(0, 9)}, 2, 3]`,
  (random) => `['a', 'b${random.between(0, 9)}']`,
];
/** Values whose text is all that Arrow can hold of them. */
const ODD_VALUES: readonly ((random: Random) => string)[] = [
  (random) =>
    `duration({months: ${random.between(-30, 30)}, days: ${random.between(-2, 2)}, seconds: ${random.between(-9999, 9999)}, ` +
    `nanoseconds: ${random.between(-3, 3)}})`,
  (random) => `datetime('2021-0${random.between(1, 9)}-03T04:05:06.${random.between(1, 999)}[Europe/Berlin]')`,
  (random) =>
    `localdatetime({year: ${random.between(-900, 9_999)}, month: 1, day: 2, hour: 3, minute: 4, second: 5, nanosecond: ` +
    `${random.between(0, 3) * 1_001}})`,
  (random) => `time('04:05:06+0${random.between(0, 9)}:30')`,
  () => '1.0e16',
  () => `datetime('1890-01-01T00:00:00[Europe/Berlin]')`,
];
/** The key `k<i>` mostly has values of the kind i; `_own` has values of every kind, and `mixed` lists of several kinds. */
const KEYS = [...VALUES.map((_, index) => `k${index}`), '_own', 'mixed'];

const [uri, seed, rounds] = process.argv.slice(2);
if (uri === undefined || seed === undefined || rounds === undefined) throw new Error('busy-writer.ts <uri> <seed> <rounds>');
const random = seededRandom(Number(seed));
const engine = await openEngine(uri, { graceMs: 0, retainVersions: 1, flushIntervalMs: 0 });
const none = new Map();
const run = (query: string): Promise<unknown> => engine.execute(query, none);

function properties(): string {
  const keys = KEYS.filter(() => random.chance(0.3));
  return `{${keys.map((key) => `\`${key}\`: ${valueOf(key)}`).join(', ')}}`;
}

function valueOf(key: string): string {
  if (key === 'mixed') return `['', ${random.pick([...VALUES.slice(0, -2), ...ODD_VALUES])(random)}]`;
  const kind = KEYS.indexOf(key);
  return (VALUES[random.chance(0.98) ? kind : random.between(0, VALUES.length - 1)] ?? random.pick(VALUES))(random);
}

const labels = (): string =>
  LABELS.filter(() => random.chance(0.4))
    .map((label) => `:${label}`)
    .join('');
const some = (share: number): string =>
  `WITH n, rand() AS _ WHERE toInteger(last(split(elementId(n), 'n'))) % ${Math.round(1 / share)} = ` +
  `${random.between(0, Math.round(1 / share) - 1)}`;

const CHANGES: readonly (() => string)[] = [
  () => `UNWIND range(1, ${random.between(1, 40)}) AS i CREATE (n${labels()} ${properties()})`,
  () => `UNWIND range(1, 3) AS i MERGE (n:A {_id: 'user' + toString(i + ${random.between(0, 9)})}) SET n += ${properties()}`,
  () => `MATCH (n) WITH n LIMIT ${random.between(1, 30)} SET n += ${properties()}`,
  () => `MATCH (n:${random.pick(LABELS)}) ${some(0.25)} SET n:${random.pick(LABELS)}`,
  () => `MATCH (n:${random.pick(LABELS)}) ${some(0.25)} REMOVE n:${random.pick(LABELS)}, n.${random.pick(KEYS)}`,
  () => `MATCH (n) ${some(0.1)} DETACH DELETE n`,
  () => `MATCH (a), (b) WITH a, b LIMIT ${random.between(1, 60)} CREATE (a)-[:${random.pick(TYPES)} ${properties()}]->(b)`,
  () => `MATCH ()-[r:${random.pick(TYPES)}]->() WITH r LIMIT ${random.between(1, 30)} SET r += ${properties()}`,
  () => `MATCH ()-[r:${random.pick(TYPES)}]->() WITH r LIMIT ${random.between(1, 20)} DELETE r`,
];

async function contentOf(query: string): Promise<string> {
  const { rows } = await engine.execute(query, none);
  return `[${rows.map((row) => `[${row.map((value) => writeJson(value)).join(',')}]`).join(',')}]`;
}

await run(`CREATE (:A:B:C ${properties()})-[:R]->(:C)-[:S]->(:B)`);
for (let round = 0; round < Number(rounds); round++) {
  for (let change = 0; change < 4; change++) await run(random.pick(CHANGES)());
  const { manifestVersion } = await engine.flush();
  const nodes = await contentOf('MATCH (n) RETURN elementId(n), labels(n), properties(n)');
  const relationships = await contentOf('MATCH (a)-[r]->(b) RETURN elementId(r), type(r), elementId(a), elementId(b), properties(r)');
  process.stdout.write(`{"version":${manifestVersion},"nodes":${nodes},"relationships":${relationships}}\n`);
  if (random.chance(0.4)) await engine.compact();
}
await engine.close();
