/**
 * Kinds of configuration parameters: type, default and range of each, and the faults of values that do not fit, in the
 * words of Graph Data Science.
 */
import { argumentFault, isInteger, isNumber, makeFloat, NodeValue, toNumber, typeFault, typeName, type Value } from '../../value/index.ts';

/** A configuration parameter: its type and default, how it is read, and how it is shown. */
export interface Field<T> {
  /** The type, as documentation names it. */
  readonly type: string;
  /** The default; undefined: the parameter is mandatory. */
  readonly default: T | undefined;
  /** Reads a given value. @throws TYPE_ERROR, ARGUMENT_ERROR when the value does not fit */
  read(name: string, value: Value): T;
  /** Returns a value as the column `configuration` shows it. */
  show(value: T): Value;
}

/** A table of configuration parameters, by name. */
// biome-ignore lint/suspicious/noExplicitAny: tables hold fields of any type; `Configured` gives each its own
export type Fields = Readonly<Record<string, Field<any>>>;

/** The values of a table of fields. */
export type Configured<F extends Fields> = { readonly [name in keyof F]: F[name] extends Field<infer T> ? T : never };

interface Range {
  readonly min?: number;
  readonly max?: number;
  /** `above`: the value must be greater than `min`; `below`: it must be less than `max`. */
  readonly above?: true;
  readonly below?: true;
}

function wrongType(name: string, wanted: string, value: Value): Error {
  return typeFault(`The value of \`${name}\` must be of type \`${wanted}\` but was \`${typeName(value)}\`.`);
}

function checkRange(name: string, value: number, shown: string, { min, max, above, below }: Range, digits: number): void {
  const isLow = min !== undefined && (above ? value <= min : value < min);
  const isHigh = max !== undefined && (below ? value >= max : value > max);
  if (!isLow && !isHigh && !Number.isNaN(value)) return;
  const low = min === undefined ? '-∞' : min.toFixed(digits);
  const high = max === undefined ? '∞' : max.toFixed(digits);
  const range = `${above ? '(' : '['}${low}, ${high}${below || max === undefined ? ')' : ']'}`;
  throw argumentFault(`Value for \`${name}\` was \`${shown}\`, but must be within the range ${range}.`);
}

/** A parameter that is an Integer; mandatory without a default. */
export function integer(value: number | undefined, range: Range = {}): Field<number> {
  return {
    type: 'Integer',
    default: value,
    read(name, given) {
      if (!isInteger(given)) throw wrongType(name, 'Integer', given);
      checkRange(name, Number(given), String(given), range, 0);
      return Number(given);
    },
    show: (shown) => shown,
  };
}

/** A parameter that is a Float; mandatory without a default. */
export function float(value: number | undefined, range: Range = {}): Field<number> {
  return {
    type: 'Float',
    default: value,
    read(name, given) {
      if (!isNumber(given)) throw wrongType(name, 'Double', given);
      const number = toNumber(given);
      checkRange(name, number, String(number), range, 2);
      return number;
    },
    show: makeFloat,
  };
}

/** A parameter that is a Boolean. */
export function boolean(value: boolean): Field<boolean> {
  return {
    type: 'Boolean',
    default: value,
    read(name, given) {
      if (typeof given !== 'boolean') throw wrongType(name, 'Boolean', given);
      return given;
    },
    show: (shown) => shown,
  };
}

/** A parameter that is a String; mandatory without a default. */
export function string(value: string | undefined): Field<string> {
  return {
    type: 'String',
    default: value,
    read(name, given) {
      if (typeof given !== 'string') throw wrongType(name, 'String', given);
      if (given.trim() === '') throw argumentFault(`\`${name}\` can not be null or blank`);
      return given;
    },
    show: (shown) => shown,
  };
}

/** A parameter that is the prefix of names; it may be empty. */
export function prefix(): Field<string> {
  return {
    type: 'String',
    default: '',
    read(name, given) {
      if (typeof given !== 'string') throw wrongType(name, 'String', given);
      return given;
    },
    show: (shown) => shown,
  };
}

/** A parameter that is one of some words, in upper or lower case; mandatory without a default. */
export function oneOf<const Word extends string>(words: readonly Word[], value: Word | undefined): Field<Word> {
  return {
    type: 'String',
    default: value,
    read(name, given) {
      if (typeof given !== 'string') throw wrongType(name, 'String', given);
      const found = words.find((word) => word === given.toUpperCase());
      if (found === undefined)
        throw argumentFault(`${name} \`${given}\` is not supported. Must be one of: [${words.map((word) => `'${word}'`).join(', ')}].`);
      return found;
    },
    show: (shown) => shown,
  };
}

/** A parameter that is a String or a List of Strings; mandatory without a default. */
export function strings(value: readonly string[] | undefined): Field<readonly string[]> {
  return {
    type: 'List of String',
    default: value,
    read(name, given) {
      const list = typeof given === 'string' ? [given] : given;
      if (!Array.isArray(list) || !list.every((each) => typeof each === 'string')) throw wrongType(name, 'List of String', given);
      return list as string[]; // as: each is one
    },
    show: (shown) => [...shown],
  };
}

/** A parameter that is a List of Floats; mandatory without a default. */
export function floats(value: readonly number[] | undefined): Field<readonly number[]> {
  return {
    type: 'List of Float',
    default: value,
    read(name, given) {
      if (!Array.isArray(given) || !given.every((each) => isNumber(each))) throw wrongType(name, 'List of Float', given);
      return given.map((each) => toNumber(each as number)); // as: each is a number
    },
    show: (shown) => shown.map(makeFloat),
  };
}

/** A parameter that is a node, given as the node itself or as the number in `nodeId` columns. Its value is the node's ordinal. */
export function node(value?: undefined): Field<number> {
  return { type: 'Node or Integer', default: value, read: readNode, show: (shown) => shown };
}

/** A parameter with a node or a List of nodes to begin at. Its value is the list of their ordinals; null: all, as for an empty list. */
export function sourceNodes(): Field<readonly number[] | null> {
  const some = nodes(undefined);
  const read = (name: string, given: Value): readonly number[] | null => {
    const ordinals = given === null ? [] : some.read(name, given);
    return ordinals.length === 0 ? null : ordinals;
  };
  return { type: some.type, default: null, read, show: (shown) => (shown === null ? null : some.show(shown)) };
}

/** A parameter that is a node or a List of nodes. Its value is the list of their ordinals. */
export function nodes(value: readonly number[] | undefined): Field<readonly number[]> {
  return {
    type: 'Node or List of Node',
    default: value,
    read: (name, given) => (Array.isArray(given) ? given.map((each) => readNode(name, each)) : [readNode(name, given)]),
    show: (shown) => [...shown],
  };
}

function readNode(name: string, given: Value): number {
  if (given instanceof NodeValue) return given.ordinal;
  if (!isInteger(given)) throw wrongType(name, 'Node', given);
  checkRange(name, Number(given), String(given), { min: 0 }, 0);
  return Number(given);
}

/** A parameter that filters nodes by a label, a node or a List of nodes. Its value is the label, a list of ordinals, or null. */
export function nodeFilter(): Field<string | readonly number[] | null> {
  return {
    type: 'String or List of Node',
    default: null,
    read(name, given) {
      if (typeof given === 'string') return given;
      return Array.isArray(given) ? given.map((each) => readNode(name, each)) : [readNode(name, given)];
    },
    show: (shown) => (shown === null || typeof shown === 'string' ? shown : [...shown]),
  };
}

/** Makes a parameter optional: where it is null or left out, its value is null. */
export function optional<T>(field: Field<T>): Field<T | null> {
  return {
    type: field.type,
    default: null,
    read: (name, given) => (given === null ? null : field.read(name, given)),
    show: (shown) => (shown === null ? null : field.show(shown)),
  };
}

/** A parameter of any type, which the algorithm that uses it checks. */
export function anything(value: Value | undefined): Field<Value> {
  return { type: 'Any', default: value, read: (_, given) => given, show: (shown) => shown };
}
