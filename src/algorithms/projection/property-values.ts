/** Values of properties as numbers: of nodes one number or one list each, of relationships one number each. */
import { argumentFault, isInteger, isNumber, quoted, toNumber, typeFault, typeName, type Value } from '../../value/index.ts';
import type { NodeProperty } from '../graph/node-property.ts';
import { Arrays, type Pieces, type Work } from '../work.ts';
import type { PropertyRequest } from './projection-request.ts';

function unsupported(name: string, value: Value): Error {
  return typeFault(
    `Loading of values of type ${typeName(value)} is not supported: the property ${quoted(name)} must hold numbers or lists of numbers`,
  );
}

/**
 * Returns a function that gives the number of a relationship property by row, the default where there is none. With
 * COUNT it gives 1 where the relationship has the property, else 0; for the key `*` it always gives 1.
 *
 * @param valueAt returns the value of the property by row; null: no row has it
 */
export function columnNumbers(
  { name, key, defaultValue, aggregation }: PropertyRequest,
  valueAt: ((row: number) => Value) | null,
): (row: number) => number {
  if (Array.isArray(defaultValue))
    throw argumentFault(`the \`defaultValue\` of the relationship property ${quoted(name)} must be a number`);
  const missing = (defaultValue as number | null) ?? Number.NaN; // as: lists were refused
  if (key === '*') return () => 1;
  if (aggregation === 'COUNT') return (row) => (valueAt === null || valueAt(row) === null ? 0 : 1);
  if (valueAt === null) return () => missing;
  return (row) => {
    const value = valueAt(row);
    if (value === null) return missing;
    if (!isNumber(value)) throw unsupported(name, value);
    return toNumber(value);
  };
}

/** The options of a builder of properties. */
export interface PropertyBuilderOptions {
  readonly name: string;
  readonly count: number;
  readonly isStored: boolean;
}

/** Tells whether a value is an Integer that a Float64 holds exactly. A property that has others is one of Floats. */
const isExact = (value: Value): boolean => isInteger(value) && Number.isSafeInteger(Number(value));

/** Bytes that a list takes beside its numbers while lists are gathered. */
const BYTES_PER_LIST = 32;

/** Gathers the values of one property by dense node. */
export class PropertyBuilder {
  private readonly options: PropertyBuilderOptions;
  private readonly arrays: Arrays;
  private readonly values: Float64Array;
  private lists: (ArrayLike<number> | undefined)[] | null = null;
  private hasNumbers = false;
  private hasFloats = false;
  private seen = false;
  private hasDefault = false;

  constructor(options: PropertyBuilderOptions, work: Work) {
    this.options = options;
    this.arrays = new Arrays(work);
    this.values = this.arrays.float64(options.count).fill(Number.NaN);
  }

  /**
   * Sets the value of a node, perhaps again; null changes nothing.
   *
   * @throws TYPE_ERROR when it is neither a number nor a list of numbers, ARGUMENT_ERROR when numbers and lists are mixed
   */
  set(node: number, value: Value): void {
    if (value === null) return;
    this.seen = true;
    if (isNumber(value)) {
      if (!isExact(value)) this.hasFloats = true;
      this.hasNumbers = true;
      this.values[node] = toNumber(value);
    } else this.setList(node, value);
    this.checkKinds();
  }

  private checkKinds(): void {
    if (this.hasNumbers && this.lists !== null)
      throw argumentFault(`the property ${quoted(this.options.name)} holds numbers and lists, and must hold one kind of them`);
  }

  /**
   * Gives a default to the nodes of a label that have no value, nor the default of another label; null changes nothing.
   * Call it once all values are set.
   *
   * @param nodes 1 for each dense node of the label
   * @throws ARGUMENT_ERROR when numbers and lists are mixed
   */
  *fill(nodes: Uint8Array, defaultValue: PropertyRequest['defaultValue']): Pieces<void> {
    if (defaultValue === null) return;
    this.hasDefault = true;
    if (this.arrays.work.worked(nodes.length)) yield null;
    if (typeof defaultValue === 'number') this.fillNumbers(nodes, defaultValue);
    else this.fillLists(nodes, defaultValue);
    this.checkKinds();
  }

  private fillNumbers(nodes: Uint8Array, defaultValue: number): void {
    this.hasNumbers = true;
    if (!Number.isSafeInteger(defaultValue)) this.hasFloats = true;
    for (let node = 0; node < nodes.length; node++)
      if (nodes[node] === 1 && Number.isNaN(this.values[node])) this.values[node] = defaultValue;
  }

  private fillLists(nodes: Uint8Array, defaultValue: readonly number[]): void {
    this.lists ??= [];
    if (!defaultValue.every(Number.isSafeInteger)) this.hasFloats = true;
    for (let node = 0; node < nodes.length; node++) if (nodes[node] === 1) this.lists[node] ??= defaultValue;
  }

  private setList(node: number, value: Value): void {
    this.lists ??= [];
    const { work } = this.arrays;
    if (value instanceof Float32Array) {
      this.hasFloats = true;
      if (this.lists[node] === undefined) work.charge(BYTES_PER_LIST + value.byteLength);
      this.lists[node] = value.slice();
      return;
    }
    if (!Array.isArray(value) || !value.every(isNumber)) throw unsupported(this.options.name, value);
    if (work.worked(value.length)) this.seen = true;
    if (!value.every(isExact)) this.hasFloats = true;
    if (this.lists[node] === undefined) work.charge(BYTES_PER_LIST + 8 * value.length);
    this.lists[node] = Float64Array.from(value, (each) => toNumber(each));
  }

  *build(): Pieces<NodeProperty> {
    const { count, isStored, name } = this.options;
    if (this.lists !== null) return yield* this.buildLists(this.lists);
    if (!this.seen && !this.hasDefault && count > 0)
      throw argumentFault(`Node properties not found: ${quoted(name)}. No projected node has a value, and there is no \`defaultValue\`.`);
    return { kind: this.hasFloats ? 'float' : 'integer', values: this.values, offsets: null, stored: isStored };
  }

  private *buildLists(lists: readonly (ArrayLike<number> | undefined)[]): Pieces<NodeProperty> {
    const { count, isStored } = this.options;
    const offsets = this.arrays.uint32(count + 1);
    if (this.arrays.work.worked(count)) yield null;
    for (let node = 0; node < count; node++) offsets[node + 1] = offsets[node]! + (lists[node]?.length ?? 0);
    const values = this.arrays.float64(offsets[count]!);
    if (this.arrays.work.worked(values.length)) yield null;
    for (let node = 0; node < count; node++) values.set(lists[node] ?? [], offsets[node]);
    return { kind: this.hasFloats ? 'floats' : 'integers', values, offsets, stored: isStored };
  }
}
