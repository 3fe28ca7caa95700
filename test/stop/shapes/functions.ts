/**
 * Shapes for each function whose cost grows with an argument, and for each aggregate: made of the facts, so that a new
 * function has its shapes at once.
 */
import {
  type DescribedAggregate,
  type DescribedFunction,
  describedAggregates,
  describedFunctions,
  type Parameter,
  type TypeName,
} from '../../../src/functions/index.ts';
import { type Shape, withParameters } from './shape.ts';

type Large = 'text' | 'digits' | 'blanks' | 'list' | 'texts' | 'floats' | 'map';

/** Large values of each type; a type without any is small, however it is chosen. */
const LARGE: Readonly<Record<TypeName, readonly string[]>> = {
  Any: ['$list', '$text', '$map'],
  Boolean: [],
  Integer: [],
  Float: [],
  Number: [],
  String: ['$text'],
  Bytes: [],
  Vector: ['vector($floats)'],
  List: ['$list'],
  Map: ['$map'],
  Node: ['long'],
  Relationship: ['relationship'],
  Path: ['path'],
  Date: [],
  Time: [],
  LocalTime: [],
  DateTime: [],
  LocalDateTime: [],
  Duration: [],
  Point: [],
};

const SMALL: Readonly<Record<TypeName, string>> = {
  Any: '1',
  Boolean: 'true',
  Integer: '3',
  Float: '1.5',
  Number: '2',
  String: "'o'",
  Bytes: '$bytes',
  Vector: 'vector([1.0, 2.0])',
  List: '[1, 2]',
  Map: '{}',
  Node: 'long',
  Relationship: 'relationship',
  Path: 'path',
  Date: 'date()',
  Time: 'time()',
  LocalTime: 'localtime()',
  DateTime: 'datetime()',
  LocalDateTime: 'localdatetime()',
  Duration: "duration('P1D')",
  Point: 'point({x: 1, y: 2})',
};

/** Arguments that a function wants of a form of its own. */
const ARGUMENTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  normalize: { form: 'NFKD' },
  'date.truncate': { unit: "'day'" },
  'localtime.truncate': { unit: "'hour'" },
  'time.truncate': { unit: "'hour'" },
  'localdatetime.truncate': { unit: "'day'" },
  'datetime.truncate': { unit: "'day'" },
  right: { length: '1500000' },
  left: { length: '1500000' },
};

/** Texts that are the worst for what reads them; prose for all others. */
const TEXTS: ReadonlyMap<string, Large> = new Map<string, Large>(
  Object.entries<Large>({
    trim: 'blanks',
    btrim: 'blanks',
    ltrim: 'blanks',
    rtrim: 'blanks',
    toInteger: 'digits',
    toIntegerOrNull: 'digits',
    toFloat: 'digits',
    toFloatOrNull: 'digits',
    date: 'digits',
    time: 'digits',
    localtime: 'digits',
    datetime: 'digits',
    localdatetime: 'digits',
    duration: 'digits',
  }),
);

const LISTS: ReadonlyMap<string, Large> = new Map<string, Large>(
  Object.entries<Large>({
    toIntegerList: 'texts',
    toFloatList: 'texts',
    toBooleanList: 'texts',
    vector: 'floats',
    vector_dimension_count: 'floats',
    cosine_similarity: 'floats',
    dot_product: 'floats',
    euclidean_distance: 'floats',
    'vector.similarity.cosine': 'floats',
    'vector.similarity.euclidean': 'floats',
  }),
);

/** The functions of which a call costs more for larger arguments or answers. */
export const LINEAR_FUNCTIONS: readonly DescribedFunction[] = describedFunctions.filter(({ facts }) => facts.cost !== 'constant');

export function functionShapes(): Shape[] {
  return LINEAR_FUNCTIONS.flatMap((described) => withParameters('function', statementsOf(described)));
}

export function aggregateShapes(): Shape[] {
  return describedAggregates.flatMap((described) => withParameters('aggregate', aggregations(described)));
}

/**
 * Arguments for which an answer is large: beyond any memory, for each row `i`, and of some hundred megabytes. A map
 * nests with its keys.
 */
const ANSWERS: Readonly<Record<string, readonly [huge: string, each: string, large: string]>> = {
  range: ['1, 1000000000', 'i, i + 1000000', '1, 30000000'],
  'apoc.coll.combinations': ['range(1, 60), 30', 'range(i, i + 20), 10', 'range(1, 24), 12'],
  'apoc.coll.fill': ["'x', 1000000000", "'x', i % 2 + 1000000", "'x', 30000000"],
  'apoc.text.repeat': ["'xyz', 1000000000", "'xyz', i % 2 + 1000000", "'xyz', 60000000"],
  'apoc.map.flatten': ['$map', '$map', '$map'],
  'apoc.map.unflatten': ['$map', '$map', '$map'],
  'gds.util.nodeProperty': ["'no graph', 1, 'v'", "'no graph', i, 'v'", "'no graph', 1, 'v'"],
};

/** A statement for each large type of each argument that the cost grows with: many calls, each with the large argument. */
function statementsOf({ name, facts }: DescribedFunction): Record<string, string> {
  const { cost, parameters } = facts;
  if (cost === 'constant') return {};
  if (cost === 'answer') {
    const answers = ANSWERS[name];
    if (answers === undefined) throw new Error(`${name}: arguments for which its answer is large are missing in ANSWERS`);
    const [huge, each, large] = answers;
    return {
      [`${name} in one piece`]: `WITH ${name}(${huge}) AS x RETURN x IS NULL`,
      [`${name} for each row`]: `UNWIND range(1, 1000000) AS i WITH i, ${name}(${each}) AS x WHERE x IS NULL RETURN count(*)`,
      [`${name} as the answer`]: `RETURN ${name}(${large}) AS x`,
    };
  }
  const grows: readonly string[] = Object.values(cost).flat();
  const statements: Record<string, string> = {};
  for (const parameter of parameters.filter(({ name: each }) => grows.includes(each))) {
    for (const large of parameter.types.flatMap((type) => LARGE[type])) {
      const value = large === '$text' ? `$${TEXTS.get(name) ?? 'text'}` : large === '$list' ? `$${LISTS.get(name) ?? 'list'}` : large;
      statements[`${name} of ${parameter.name} ${value}`] = manyCalls(name, argumentsWith(name, parameters, parameter, value), value);
    }
  }
  return statements;
}

/** All arguments up to the last that is needed; vectors that are compared have one length. */
function argumentsWith(name: string, parameters: readonly Parameter[], large: Parameter, value: string): string[] {
  const lastNeeded = Math.max(
    parameters.findLastIndex(({ optional }) => optional !== true),
    parameters.indexOf(large),
  );
  return parameters.slice(0, lastNeeded + 1).map((parameter) => {
    if (parameter === large) return 'x';
    if (/^[ab]$/.test(parameter.name)) return value;
    return ARGUMENTS[name]?.[parameter.name] ?? SMALL[parameter.types[0]!];
  });
}

/** The value of each call is looked at, and a row binds the large argument anew, so that no call is a constant. */
function manyCalls(name: string, values: readonly string[], large: string): string {
  const entities: Readonly<Record<string, string>> = {
    long: 'MATCH (long:Long)',
    relationship: 'MATCH ()-[relationship:H]->()',
    path: 'MATCH path = (:C {i: 0})-[:C*2000]->()',
  };
  const match = entities[large];
  const start = match === undefined ? '' : `${match} `;
  const bound = match === undefined ? `CASE WHEN i < 0 THEN null ELSE ${large} END` : large;
  return (
    `${start}UNWIND range(1, 1000000) AS i WITH i, ${bound} AS x WITH i, ${name}(${values.join(', ')}) AS y WHERE y = i ` +
    'RETURN count(*)'
  );
}

function aggregations({ name, facts }: DescribedAggregate): Record<string, string> {
  const rest = facts.parameters.slice(1).map(() => ', 0.5');
  const call = (argument: string): string => `${name}(${argument}${rest.join('')})`;
  const rows = 'UNWIND range(1, 1000000000) AS i RETURN';
  return {
    [`${name} of integers`]: `${rows} ${call('i % 1000003')} AS x`,
    [`${name} of distinct values`]: `${rows} ${call('DISTINCT i')} AS x`,
    [`${name} in groups`]: `UNWIND range(1, 1000000000) AS i WITH i % 100000 AS g, ${call('i')} AS x RETURN count(x)`,
  };
}
