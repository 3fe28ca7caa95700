/** Types of function calls, from the facts of functions, as far as they are known before any data is seen. */
import {
  type AggregateFacts,
  aggregateNamed,
  describedAggregates,
  describedFunctions,
  type FunctionFacts,
  functionNamed,
  type InferredType,
  parameterAt,
  type TypeName,
} from '../../../functions/index.ts';
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
} from '../types.ts';

/** A scalar function or an aggregate, with its facts. */
export interface Callable {
  readonly facts: FunctionFacts | AggregateFacts;
  readonly aggregate: boolean;
  readonly minArgs: number;
  /** The most arguments; Infinity for any number. */
  readonly maxArgs: number;
}

/** Returns the function or aggregate of a name, in any case; undefined if there is none. */
export function callableNamed(written: string): Callable | undefined {
  const scalar = functionNamed(written);
  if (scalar !== undefined) return { ...scalar, aggregate: false };
  const aggregate = aggregateNamed(written);
  return aggregate === undefined ? undefined : { ...aggregate, aggregate: true };
}

/** Returns the names of all functions and aggregates. */
export function callableNames(): Iterable<string> {
  return [...describedFunctions, ...describedAggregates].map(({ name }) => name);
}

/** Tells whether a name is that of an aggregate. */
export function isAggregate(written: string): boolean {
  return aggregateNamed(written) !== undefined;
}

/** The types of type names, in the order in which messages list accepted types. ANY stands for types that the binder does not know. */
const TYPES: Readonly<Record<TypeName, Type>> = {
  Any: ANY,
  Boolean: BOOLEAN,
  Integer: INTEGER,
  Float: FLOAT,
  Number: NUMBER,
  String: STRING,
  Bytes: ANY,
  Vector: ANY,
  List: LIST,
  Node: NODE,
  Relationship: RELATIONSHIP,
  Map: MAP,
  Path: PATH,
  Date: ANY,
  Time: ANY,
  LocalTime: ANY,
  DateTime: ANY,
  LocalDateTime: ANY,
  Duration: ANY,
  Point: ANY,
};

/** Returns the kinds of types that an argument may have, apart from kinds unknown to the binder; null for any kind. */
export function acceptedKinds(facts: FunctionFacts | AggregateFacts, position: number): readonly TypeKind[] | null {
  const bound = parameterAt(facts, position)?.bound;
  if (bound === undefined || bound.includes('Any')) return null;
  // as: the keys of a table are its names
  const kinds = (Object.keys(TYPES) as TypeName[]).filter((name) => bound.includes(name)).map((name) => TYPES[name].kind);
  const known = kinds.filter((kind) => kind !== 'any');
  return known.length === 0 ? null : known;
}

const INFERENCES: Readonly<Record<Extract<InferredType, string>, (args: readonly Type[]) => Type>> = {
  unknown: () => ANY,
  first: ([first]) => first ?? ANY,
  elementOfFirst: ([first]) => elementOf(first ?? ANY),
  listOfFirst: ([first]) => listOf(first ?? ANY),
  joined: (args) => args.reduce(join, NULL),
  sum: ([first]) => (first?.kind === 'integer' || first?.kind === 'float' ? first : ANY),
};

/** Returns the type of a call's result, as far as it is known. */
export function resultType({ returns, infers }: FunctionFacts | AggregateFacts, args: readonly Type[]): Type {
  if (infers === undefined) return TYPES[returns];
  return typeof infers === 'string' ? INFERENCES[infers](args) : listOf(TYPES[infers.listOf]);
}
