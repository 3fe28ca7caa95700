/**
 * The shape of the values of one property key, over all rows of a table: it decides the type of the column in formats
 * whose columns have types. It is known from the kinds of stored columns, or found by reading the values; O(1) memory.
 */
import { unreachable } from '../../base/index.ts';
import {
  CypherDate,
  CypherDateTime,
  CypherDuration,
  CypherFloat,
  CypherLocalDateTime,
  CypherLocalTime,
  CypherTime,
  isInteger,
  Point,
  type ResultValue,
  type Value,
} from '../../value/index.ts';

/** A kind of values. */
export type Kind =
  | 'string'
  | 'integer'
  | 'float'
  | 'boolean'
  | 'date'
  | 'localtime'
  | 'time'
  | 'localdatetime'
  | 'datetime'
  | 'duration'
  | 'point'
  | 'bytes'
  | 'vector'
  | 'list'
  | 'other';

/** Returns the kind of a value. */
export function kindOfValue(value: Value | ResultValue): Kind {
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'number':
      return isInteger(value) ? 'integer' : 'float';
    case 'bigint':
      return 'integer';
    case 'boolean':
      return 'boolean';
    default:
      return value === null ? 'other' : kindOfObject(value);
  }
}

function kindOfObject(value: object): Kind {
  if (value instanceof CypherFloat) return 'float';
  if (Array.isArray(value)) return 'list';
  if (value instanceof CypherDate) return 'date';
  if (value instanceof CypherLocalTime) return 'localtime';
  if (value instanceof CypherTime) return 'time';
  if (value instanceof CypherLocalDateTime) return 'localdatetime';
  if (value instanceof CypherDateTime) return 'datetime';
  if (value instanceof CypherDuration) return 'duration';
  if (value instanceof Point) return 'point';
  if (value instanceof Uint8Array) return 'bytes';
  return value instanceof Float32Array ? 'vector' : 'other';
}

/** The type of a column: one kind, a list of one kind, or `json` where values have several. */
export type ColumnType = Exclude<Kind, 'list' | 'other'> | 'json' | { readonly listOf: ElementKind };

/** A kind of elements of lists. */
export type ElementKind = Exclude<Kind, 'list' | 'other' | 'bytes' | 'vector'>;

const MOST_MICROS = 2n ** 63n - 1n;
const MICROS_PER_DAY = 86_400_000_000n;

/** Matches a character that the text of a point may have. */
const POINT_CHARACTER = /[\w{}:,.'+ -]/;
/** Matches a character that the text of a number, a Boolean or a temporal value may have, such as that of a zone's name. */
const SCALAR_CHARACTER = /[\w:.+/[\]-]/;

/** The shape of a property's values. */
export class PropertyShape {
  readonly #kinds = new Set<Kind>();
  readonly #elementKinds = new Set<Kind>();
  /** The delimiter between elements of CSV lists; `#delimiterInList` tells whether some text in a list holds it. */
  readonly #arrayDelimiter: string;
  #delimiterInList = false;
  #emptyTextAlone = false;
  #beyondMicros = false;
  #zoned = false;
  #beyondDays = false;

  constructor(arrayDelimiter: string) {
    this.#arrayDelimiter = arrayDelimiter;
  }

  /** Records that some value is of this kind; for kinds of which no other property matters. */
  addKind(kind: Extract<Kind, 'string' | 'integer' | 'float' | 'boolean' | 'date' | 'vector'>): void {
    this.#kinds.add(kind);
  }

  get isEmpty(): boolean {
    return this.#kinds.size === 0;
  }

  add(value: Value | ResultValue): void {
    const kind = kindOfValue(value);
    this.#kinds.add(kind);
    if (Array.isArray(value)) this.#addList(value);
    else if (value instanceof CypherDate) this.#beyondDays ||= Math.abs(value.epochDay) >= 2 ** 31;
    else if (value instanceof CypherLocalDateTime) this.#addTimestamp(value);
    else if (value instanceof CypherDateTime) {
      this.#addTimestamp(value);
      this.#zoned ||= value.offsetSeconds !== 0 || value.zone !== null;
    }
  }

  #addList(list: readonly (Value | ResultValue)[]): void {
    for (const element of list) {
      this.#elementKinds.add(kindOfValue(element));
      if (typeof element === 'string') this.#delimiterInList ||= element.includes(this.#arrayDelimiter);
      else if (element instanceof CypherDate) this.#beyondDays ||= Math.abs(element.epochDay) >= 2 ** 31;
    }
    this.#emptyTextAlone ||= list.length === 1 && list[0] === '';
  }

  #addTimestamp({ epochDay, nanoOfDay }: CypherLocalDateTime | CypherDateTime): void {
    const micros = (BigInt(Math.abs(epochDay)) + 1n) * MICROS_PER_DAY;
    this.#beyondMicros ||= nanoOfDay % 1000 !== 0 || micros > MOST_MICROS;
  }

  get type(): ColumnType {
    if (this.#kinds.size !== 1) return 'json';
    const [kind] = this.#kinds as Set<Kind>;
    if (kind === undefined || kind === 'other') return 'json';
    return kind === 'list' ? this.#listType() : kind;
  }

  #listType(): ColumnType {
    if (this.#elementKinds.size > 1) return 'json';
    const [element = 'string'] = this.#elementKinds;
    return element === 'list' || element === 'other' || element === 'bytes' || element === 'vector' ? 'json' : { listOf: element };
  }

  /** The type as CSV can hold it: elements stand between array delimiters, and cannot be quoted. */
  get csvType(): ColumnType {
    const { type } = this;
    if (type === 'date' && this.#beyondDays) return 'json';
    if (type === 'vector') return SCALAR_CHARACTER.test(this.#arrayDelimiter) ? 'json' : type;
    if (typeof type !== 'object') return type;
    return this.#isSplitElsewhere(type.listOf) ? 'json' : type;
  }

  /** Tells whether the array delimiter may also stand within an element, so that the text of a list means another list. */
  #isSplitElsewhere(element: ElementKind): boolean {
    switch (element) {
      case 'string':
        return this.#delimiterInList || this.#emptyTextAlone;
      case 'point':
        return POINT_CHARACTER.test(this.#arrayDelimiter);
      case 'integer':
      case 'float':
      case 'boolean':
      case 'date':
      case 'localtime':
      case 'time':
      case 'localdatetime':
      case 'datetime':
      case 'duration':
        return SCALAR_CHARACTER.test(this.#arrayDelimiter);
      default:
        return unreachable(element, 'kind of elements');
    }
  }

  /** The type as Parquet can hold it: lists of a type that Parquet has, other lists as JSON. */
  get parquetType(): ColumnType {
    return typeof this.type === 'object' && !this.hasParquetType ? 'json' : this.type;
  }

  /** Whether Parquet has a type that holds every value exactly; if not, values stand as text. */
  get hasParquetType(): boolean {
    const { type } = this;
    const kind = typeof type === 'object' ? type.listOf : type;
    switch (kind) {
      case 'string':
      case 'integer':
      case 'float':
      case 'boolean':
      case 'bytes':
      case 'vector':
        return true;
      case 'date':
        return !this.#beyondDays;
      case 'localdatetime':
        return typeof type !== 'object' && !this.#beyondMicros;
      case 'datetime':
        return typeof type !== 'object' && !this.#beyondMicros && !this.#zoned;
      case 'localtime':
      case 'time':
      case 'duration':
      case 'point':
      case 'json':
        return false;
      default:
        return unreachable(kind, 'type of a column');
    }
  }
}

/** Returns the name of a type in a header. */
export function typeWord(type: ColumnType): string {
  if (typeof type === 'object') return `${typeWord(type.listOf)}[]`;
  return type === 'integer' ? 'long' : type === 'float' ? 'double' : type;
}
