/** Large parameters and large results by each protocol: what is read and written on the thread that speaks them. */
import { type Protocol, type Shape, shapes } from './shape.ts';

const PROTOCOLS: readonly Protocol[] = ['json', 'ndjson', 'arrow', 'bolt'];
/** Those whose requests differ. */
const REQUESTS: readonly Protocol[] = ['json', 'bolt'];

const SIZE = 'RETURN size($p) AS n';

const listOf = <T>(length: number, make: (i: number) => T) => Array.from({ length }, (_, i) => make(i));

/** Some 40 MB each, as JSON. */
const PARAMETERS: Readonly<Record<string, () => unknown>> = {
  numbers: () => listOf(6_000_000, (i) => i),
  floats: () => listOf(4_000_000, (i) => i + 0.5),
  'large integers': () => listOf(2_000_000, (i) => 9_000_000_000_000_000 + i),
  'short texts': () => listOf(3_000_000, (i) => `t${i}`),
  maps: () => listOf(1_500_000, (i) => ({ id: i, v: 'text' })),
  'empty lists': () => listOf(5_000_000, () => []),
  'one text': () => 'x'.repeat(40_000_000),
  'one text of other letters': () => 'é'.repeat(20_000_000),
  'one text of escapes': () => '\n'.repeat(20_000_000),
  'long texts': () => listOf(40, (i) => `${i}`.repeat(500_000)),
};

/** Below the memory limit and large, or beyond it. */
const RESULTS: Readonly<Record<string, string>> = {
  'list of 30 million': 'RETURN range(1, 30000000) AS x',
  'list of millions': 'RETURN range(1, 6000000) AS x',
  'list of lists': 'RETURN [x IN range(1, 300000) | [x, x]] AS x',
  'list of maps': "RETURN [x IN range(1, 200000) | {id: x, v: 'text'}] AS x",
  'text of 60 MB': "RETURN reduce(s = 'abcdefghij', x IN range(1, 22) | s + s) AS x",
  'text of quotes': "RETURN reduce(s = '\"', x IN range(1, 23) | s + s) AS x",
  'long texts': "WITH reduce(s = 'abcdefgh', x IN range(1, 17) | s + s) AS s RETURN [x IN range(1, 40) | s + x] AS x",
  'deeply nested list': 'RETURN reduce(l = [1], x IN range(1, 400) | [l, range(1, 1000)]) AS x',
  'map of many keys': 'RETURN $p AS x',
  'many nodes in a list': 'MATCH (t:T) RETURN collect(t) AS x',
  'node with long properties': 'MATCH (n:Long) RETURN n AS x',
};

/** A row of 10,000 columns. */
const WIDE = `RETURN ${listOf(10_000, (i) => `${i} AS c${i}`).join(', ')}`;

export function valueShapes(): Shape[] {
  const requests = REQUESTS.flatMap((over) =>
    Object.entries(PARAMETERS).map(
      ([name, make]): Shape => ({ name: `parameters over ${over}: ${name}`, statement: SIZE, over, parameters: () => ({ p: make() }) }),
    ),
  );
  const typed: Shape = {
    name: 'parameters over json: typed maps',
    statement: SIZE,
    parametersText: () => `{"p":[${listOf(800_000, (i) => `{"$":"float","value":"NaN"},{"i":${i}}`).join(',')}]},"value_format":"typed"`,
  };
  const results = PROTOCOLS.flatMap((over) => [
    ...shapes(`result over ${over}`, RESULTS, {
      over,
      parameters: () => ({ p: Object.fromEntries(listOf(200_000, (i) => [`key ${i}`, i])) }),
    }),
    { name: `result over ${over}: 10,000 columns`, statement: WIDE, over },
  ]);
  return [...requests, typed, ...results];
}
