/** The rows of `.estimate` procedures: bounds of the memory that a projection or an algorithm takes. */
import { makeFloat, type Value, type ValueMap } from '../../../value/index.ts';
import type { ProcedureField } from '../../runtime/procedure.ts';
import type { GraphSize } from './projection-size.ts';

/** The columns of `.estimate` procedures. */
export const ESTIMATE_OUTPUTS: readonly ProcedureField[] = [
  { name: 'requiredMemory', type: 'STRING' },
  { name: 'treeView', type: 'STRING' },
  { name: 'mapView', type: 'MAP' },
  { name: 'bytesMin', type: 'INTEGER' },
  { name: 'bytesMax', type: 'INTEGER' },
  { name: 'nodeCount', type: 'INTEGER' },
  { name: 'relationshipCount', type: 'INTEGER' },
  { name: 'heapPercentageMin', type: 'FLOAT' },
  { name: 'heapPercentageMax', type: 'FLOAT' },
];

const UNITS = ['Bytes', 'KiB', 'MiB', 'GiB', 'TiB'];

/** Formats a number of bytes for people: `696 Bytes`, `12.3 KiB`. */
export function readableBytes(bytes: number): string {
  let amount = bytes;
  let unit = 0;
  for (; amount >= 1024 && unit < UNITS.length - 1; unit++) amount /= 1024;
  return `${unit === 0 ? amount : Number(amount.toFixed(1))} ${UNITS[unit]}`;
}

/** Returns the bytes of all parts together. */
export function sumOf(parts: Readonly<Record<string, number>>): number {
  return Object.values(parts).reduce((sum, part) => sum + part, 0);
}

/**
 * Makes the row of an estimate.
 *
 * @param bounds `parts`: the bytes that each part takes at most, by its name; `least`: the bytes that all take at least
 * @param memoryBytes the memory limit that percentages refer to
 */
export function estimateRow(name: string, { parts, least }: Bounds, size: GraphSize, memoryBytes: number): Value[] {
  const most = Math.ceil(sumOf(parts));
  const bytes = least < most ? `[${readableBytes(least)} ... ${readableBytes(most)}]` : readableBytes(most);
  const components = Object.entries(parts).map(
    ([part, own]): ValueMap =>
      new Map<string, Value>([
        ['name', part],
        ['memoryUsage', readableBytes(Math.ceil(own))],
      ]),
  );
  const tree = [`${name}: ${bytes}`, ...Object.entries(parts).map(([part, own]) => `|-- ${part}: ${readableBytes(Math.ceil(own))}`), ''];
  const view: ValueMap = new Map<string, Value>([
    ['name', name],
    ['memoryUsage', bytes],
    ['components', components],
  ]);
  const share = (part: number): Value => makeFloat(Math.ceil((1000 * part) / memoryBytes) / 10);
  return [bytes, tree.join('\n'), view, least, most, size.nodeCount, size.relationshipCount, share(least), share(most)];
}

interface Bounds {
  readonly parts: Readonly<Record<string, number>>;
  readonly least: number;
}
