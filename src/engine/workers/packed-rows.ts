/** Packs rows and parameters for another thread: small values at once, large ones sealed in time slices. */
import { runInSlices, type SliceLimits } from '../../base/index.ts';
import { isLarge, isLargeRow, type ResultValue, type Value } from '../../value/index.ts';
import { type Packed, pack, unpack } from './packed-values.ts';
import type { ReceivedValues, SentValue, SentValues } from './repeated-values.ts';
import { isSealed, type Sealed, sealInParts, unsealInParts } from './sealed-values.ts';

/** A row on its way to another thread. */
export type PackedRow = (Packed | SentValue)[];

/** A batch of packed rows; `isSealed` if some of its values are sealed. */
export interface PackedRows {
  readonly rows: PackedRow[];
  readonly isSealed: boolean;
}

/** Parameters on their way to another thread. */
export type PackedParameters = ReadonlyMap<string, Packed | Sealed>;

/**
 * Packs rows: at once if all values are small, otherwise as a promise. `sent` remembers large values of earlier rows of
 * the read.
 *
 * @throws the errors of the limits.
 */
export function packRows(
  rows: readonly (readonly (ResultValue | Value)[])[],
  limits: SliceLimits,
  sent: SentValues,
): PackedRows | Promise<PackedRows> {
  // as: only the weight is looked at
  if (!rows.some((row) => isLargeRow(row as readonly ResultValue[]))) return { rows: rows.map((row) => row.map(pack)), isSealed: false };
  return runInSlices(sealRows(rows, sent), limits);
}

function* sealRows(rows: readonly (readonly (ResultValue | Value)[])[], sent: SentValues): Generator<void, PackedRows, void> {
  const packed: PackedRow[] = [];
  for (const row of rows) {
    const values: PackedRow = [];
    for (const value of row) values.push(isLarge(value) ? yield* seal(value, sent) : pack(value));
    packed.push(values);
    yield;
  }
  return { rows: packed, isSealed: true };
}

function* seal(value: ResultValue | Value, sent: SentValues): Generator<void, SentValue, void> {
  const again = sent.placeOf(value);
  if (again >= 0) return { again };
  const sealed = yield* sealInParts(value);
  return { ...sealed, place: sent.remember(value, sealed) };
}

/**
 * Unpacks rows in place: at once if all values are small, otherwise as a promise of new rows. `received` remembers
 * large values of earlier rows of the read.
 */
export function unpackRows(
  { rows, isSealed }: PackedRows,
  limits: SliceLimits,
  received: ReceivedValues,
): ResultValue[][] | Promise<ResultValue[][]> {
  if (isSealed) return runInSlices(unsealRows(rows, received), limits);
  for (const row of rows as Packed[][]) {
    for (let i = 0; i < row.length; i++) {
      const value = row[i]!;
      if (typeof value === 'object') (row as ResultValue[])[i] = unpack(value);
    }
  }
  return rows as ResultValue[][];
}

function* unsealRows(rows: readonly PackedRow[], received: ReceivedValues): Generator<void, ResultValue[][], void> {
  const unpacked: ResultValue[][] = [];
  for (const row of rows) {
    const values: ResultValue[] = [];
    for (const value of row) values.push(isSent(value) ? yield* unseal(value, received) : unpack(value));
    unpacked.push(values);
    yield;
  }
  return unpacked;
}

function isSent(value: Packed | SentValue): value is SentValue {
  return typeof value === 'object' && value !== null && ('sealed' in value || 'again' in value);
}

function* unseal(value: SentValue, received: ReceivedValues): Generator<void, ResultValue, void> {
  if ('again' in value) return received.at(value.again);
  const unsealed = yield* unsealInParts(value);
  received.remember(value.place, unsealed);
  return unsealed;
}

/** Packs parameters: at once if all are small, otherwise as a promise. */
export function packParameters(parameters: ReadonlyMap<string, Value>, limits: SliceLimits): PackedParameters | Promise<PackedParameters> {
  for (const value of parameters.values()) if (isLarge(value)) return runInSlices(sealParameters(parameters), limits);
  return new Map([...parameters].map(([name, value]) => [name, pack(value)]));
}

function* sealParameters(parameters: ReadonlyMap<string, Value>): Generator<void, PackedParameters, void> {
  const packed = new Map<string, Packed | Sealed>();
  for (const [name, value] of parameters) packed.set(name, isLarge(value) ? yield* sealInParts(value) : pack(value));
  return packed;
}

/** Unpacks parameters, in time slices. */
export async function unpackParameters(parameters: PackedParameters, limits: SliceLimits): Promise<ReadonlyMap<string, Value>> {
  const unpacked = new Map<string, Value>();
  // as: parameters are no nodes
  for (const [name, value] of parameters)
    unpacked.set(name, (isSealed(value) ? await runInSlices(unsealInParts(value), limits) : unpack(value)) as Value);
  return unpacked;
}
