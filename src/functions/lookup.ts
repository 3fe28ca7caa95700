/**
 * Lookup of function facts by the name in a statement, in any case. Used while a statement is bound, planned and
 * compiled, never for a row.
 */
import { aggregateFacts } from './aggregates.ts';
import type { AggregateFacts, FunctionFacts, Parameter, TypeName } from './facts.ts';
import { type AggregateName, type FunctionName, functionFacts } from './tables.ts';

interface Described<Name extends string, Facts> {
  /** The documented name: `toUpper`, `duration.between`. */
  readonly name: Name;
  readonly facts: Facts;
  readonly minArgs: number;
  /** The most arguments; Infinity for any number. */
  readonly maxArgs: number;
  /** The signature for users: `left(original :: String, length :: Integer) :: String`. */
  readonly signature: string;
}

/** A scalar function with its facts. */
export type DescribedFunction = Described<FunctionName, FunctionFacts>;

/** An aggregate with its facts. */
export type DescribedAggregate = Described<AggregateName, AggregateFacts>;

/** All scalar functions with their facts, in the order of the tables. */
export const describedFunctions: readonly DescribedFunction[] = describe<FunctionName, FunctionFacts>(functionFacts);

/** All aggregates with their facts, in the order of the table. */
export const describedAggregates: readonly DescribedAggregate[] = describe<AggregateName, AggregateFacts>(aggregateFacts);

const FUNCTIONS = byName(describedFunctions);
const AGGREGATES = byName(describedAggregates);

/** Returns the scalar function of a name, in any case; undefined if there is none. */
export function functionNamed(written: string): DescribedFunction | undefined {
  return FUNCTIONS.get(written.toLowerCase());
}

/** Returns the aggregate of a name, in any case; undefined if there is none. */
export function aggregateNamed(written: string): DescribedAggregate | undefined {
  return AGGREGATES.get(written.toLowerCase());
}

/** Tells whether a written name is that of this function. For rules about one function that are no fact of its row, such as a rewrite. */
export function isNamed(written: string, name: FunctionName | AggregateName): boolean {
  return written.toLowerCase() === name.toLowerCase();
}

/** Tells whether a call of the function draws a random value, so that a copy of the call is another value. */
export function isRandom(written: string): boolean {
  return functionNamed(written)?.facts.determinism === 'random';
}

/** Returns the parameter at a position; the last parameter stands for all further arguments. */
export function parameterAt({ parameters }: FunctionFacts | AggregateFacts, position: number): Parameter | undefined {
  return parameters[Math.min(position, parameters.length - 1)];
}

const HOLDS_ENTITIES: Readonly<Record<TypeName, boolean>> = {
  Any: true,
  Boolean: false,
  Integer: false,
  Float: false,
  Number: false,
  String: false,
  Bytes: false,
  Vector: false,
  List: true,
  Map: true,
  Node: true,
  Relationship: true,
  Path: true,
  Date: false,
  Time: false,
  LocalTime: false,
  DateTime: false,
  LocalDateTime: false,
  Duration: false,
  Point: false,
};

/** Tells whether a result is a node or a list of nodes, of whatever the function was given: it may have looked them up by their numbers. */
export function returnsNodes({ returns, infers }: FunctionFacts | AggregateFacts): boolean {
  return returns === 'Node' || (typeof infers === 'object' && infers.listOf === 'Node');
}

/** Tells whether a result can be or contain a node, a relationship or a path: one of an argument, or one that the function looks up. */
export function canReturnEntities(facts: FunctionFacts | AggregateFacts): boolean {
  const { parameters, returns } = facts;
  if (returnsNodes(facts)) return true;
  return HOLDS_ENTITIES[returns] && parameters.some(({ types }) => types.some((type) => HOLDS_ENTITIES[type]));
}

function describe<Name extends string, Facts extends FunctionFacts | AggregateFacts>(
  table: Readonly<Record<Name, Facts>>,
): Described<Name, Facts>[] {
  // as: the keys of a table are its names
  return (Object.entries(table) as [Name, Facts][]).map(([name, facts]) => {
    const { parameters, returns } = facts;
    return {
      name,
      facts,
      minArgs: parameters.filter((each) => each.optional !== true).length,
      maxArgs: parameters.some((each) => each.repeated === true) ? Number.POSITIVE_INFINITY : parameters.length,
      signature: `${name}(${parameters.map(shown).join(', ')}) :: ${returns}`,
    };
  });
}

function shown({ name, repeated, optional, types }: Parameter): string {
  return `${name}${repeated ? '…' : ''}${optional ? '?' : ''} :: ${types.join(' | ')}`;
}

function byName<Row extends { readonly name: string }>(rows: readonly Row[]): ReadonlyMap<string, Row> {
  return new Map(rows.map((row) => [row.name.toLowerCase(), row]));
}
