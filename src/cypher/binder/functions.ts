/**
 * The functions of the language: how many arguments they take, of which types, and what they give, as far as it is known before any data is
 * seen. The engine has the functions themselves and may know more of them; types found here are used for whichever of its functions bear
 * these names.
 */
import type { FunctionSignature } from './analysis.ts';
import {
  ANY,
  BOOLEAN,
  elementOf,
  FLOAT,
  INTEGER,
  join,
  LIST,
  listOf,
  MAP,
  NODE,
  NULL,
  NUMBER,
  PATH,
  RELATIONSHIP,
  STRING,
  type Type,
  type TypeKind,
} from './types.ts';

export interface BuiltinFunction extends FunctionSignature {
  /** What each argument may be; null: anything. The last entry stands for all further arguments. */
  readonly accepts: readonly (readonly TypeKind[] | null)[];
  readonly result: (args: readonly Type[]) => Type;
}

/** Arguments by their accepted kinds: `?` optional, `...` any number. */
const ARGUMENTS: Readonly<Record<string, readonly TypeKind[] | null>> = {
  any: null,
  number: ['number'],
  integer: ['integer'],
  string: ['string'],
  boolean: ['boolean'],
  list: ['list'],
  map: ['map'],
  node: ['node'],
  relationship: ['relationship'],
  path: ['path'],
  entity: ['node', 'relationship'],
  properties: ['node', 'relationship', 'map'],
  sized: ['string', 'list'],
  emptiable: ['string', 'list', 'map'],
};

const RESULTS: Readonly<Record<string, (args: readonly Type[]) => Type>> = {
  any: () => ANY,
  boolean: () => BOOLEAN,
  integer: () => INTEGER,
  float: () => FLOAT,
  number: () => NUMBER,
  string: () => STRING,
  list: () => LIST,
  map: () => MAP,
  node: () => NODE,
  relationship: () => RELATIONSHIP,
  path: () => PATH,
  strings: () => listOf(STRING),
  integers: () => listOf(INTEGER),
  floats: () => listOf(FLOAT),
  booleans: () => listOf(BOOLEAN),
  nodes: () => listOf(NODE),
  relationships: () => listOf(RELATIONSHIP),
  /** The type of the first argument. */
  same: ([first]) => first ?? ANY,
  element: ([first]) => elementOf(first ?? ANY),
  collected: ([first]) => listOf(first ?? ANY),
  joined: (args) => args.reduce(join, NULL),
  /** The sum of integers is one; durations can be added too. */
  summed: ([first]) => (first?.kind === 'integer' || first?.kind === 'float' ? first : ANY),
};

const SCALARS = `
abs number -> same
acos number -> float
asin number -> float
atan number -> float
atan2 number number -> float
ceil number -> float
ceiling number -> float
char_length string -> integer
character_length string -> integer
coalesce any ... -> joined
cos number -> float
cosh number -> float
cosine_similarity any any -> float
cot number -> float
coth number -> float
date any? any? -> any
date.realtime any? -> any
date.statement any? -> any
date.transaction any? -> any
date.truncate any any? any? -> any
datetime any? any? -> any
datetime.fromEpoch any any -> any
datetime.fromEpochMillis any -> any
datetime.realtime any? -> any
datetime.statement any? -> any
datetime.transaction any? -> any
datetime.truncate any any? any? -> any
degrees number -> float
dot_product any any -> float
duration any -> any
duration.between any any -> any
duration.inDays any any -> any
duration.inMonths any any -> any
duration.inSeconds any any -> any
e -> float
elementId entity -> string
endNode relationship -> node
euclidean_distance any any -> float
exists any -> boolean
exp number -> float
floor number -> float
haversin number -> float
head list -> element
id entity -> any
isEmpty emptiable -> boolean
isNaN number -> boolean
keys properties -> strings
labels node -> strings
last list -> element
left string integer -> string
length path -> integer
localdatetime any? any? -> any
localdatetime.realtime any? -> any
localdatetime.statement any? -> any
localdatetime.transaction any? -> any
localdatetime.truncate any any? any? -> any
localtime any? any? -> any
localtime.realtime any? -> any
localtime.statement any? -> any
localtime.transaction any? -> any
localtime.truncate any any? any? -> any
log number -> float
log10 number -> float
lower string -> string
lTrim string string? -> string
btrim string string? -> string
nodes path -> nodes
normalize string string? -> string
nullIf any any -> same
pi -> float
point properties -> any
point.distance any any -> float
point.withinBBox any any any -> boolean
properties properties -> map
radians number -> float
rand -> float
randomUUID -> string
range integer integer integer? -> integers
relationships path -> relationships
replace string string string integer? -> string
reverse sized -> same
right string integer -> string
round number any? string? -> float
rTrim string string? -> string
sign number -> integer
sin number -> float
sinh number -> float
size sized -> integer
split string any -> strings
sqrt number -> float
startNode relationship -> node
substring string integer integer? -> string
tail list -> same
tan number -> float
tanh number -> float
time any? any? -> any
time.realtime any? -> any
time.statement any? -> any
time.transaction any? -> any
time.truncate any any? any? -> any
timestamp -> integer
toBoolean any -> boolean
toBooleanList list -> booleans
toBooleanOrNull any -> boolean
toFloat any -> float
toFloatList list -> floats
toFloatOrNull any -> float
toInteger any -> integer
toIntegerList list -> integers
toIntegerOrNull any -> integer
toLower string -> string
toString any -> string
toStringList list -> strings
toStringOrNull any -> string
toUpper string -> string
trim string string? -> string
type relationship -> string
upper string -> string
valueType any -> string
vector any any? any? -> any
vector.similarity.cosine any any -> float
vector.similarity.euclidean any any -> float
`;

const AGGREGATES = `
avg any -> any
collect any -> collected
count any -> integer
max any -> same
min any -> same
percentileCont any any -> any
percentileDisc any any -> any
stDev any -> float
stDevP any -> float
sum any -> summed
`;

function parseTable(table: string, aggregate: boolean): (readonly [name: string, signature: BuiltinFunction])[] {
  return table
    .trim()
    .split('\n')
    .map((line) => {
      const [left, result] = line.split('-> ') as [string, string];
      const [name, ...args] = left.trim().split(' ') as [string, ...string[]];
      const variadic = args.at(-1) === '...';
      const plain = variadic ? args.slice(0, -1) : args;
      const signature: BuiltinFunction = {
        aggregate,
        minArgs: plain.filter((each) => !each.endsWith('?')).length,
        maxArgs: variadic ? Number.POSITIVE_INFINITY : plain.length,
        accepts: plain.map((each) => ARGUMENTS[each.replace('?', '')]!),
        result: RESULTS[result]!,
      };
      return [name, signature] as const;
    });
}

const TABLE = [...parseTable(SCALARS, false), ...parseTable(AGGREGATES, true)];
const BUILTIN: ReadonlyMap<string, BuiltinFunction> = new Map(TABLE.map(([name, signature]) => [name.toLowerCase(), signature]));

/** `name` in lower case. */
export function builtinFunction(name: string): BuiltinFunction | undefined {
  return BUILTIN.get(name);
}

export function builtinFunctionNames(): Iterable<string> {
  return TABLE.map(([name]) => name);
}
