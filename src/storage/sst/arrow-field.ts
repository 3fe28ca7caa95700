/** Describes the column of an SST as a field of an Arrow schema. */
import type { ArrowField, ArrowType } from '../../formats/index.ts';
import type { SstColumnKind } from '../api.ts';

const TYPES: Readonly<Record<SstColumnKind, ArrowType>> = {
  uint32: { kind: 'integer', bits: 32, signed: false },
  int32: { kind: 'integer', bits: 32, signed: true },
  integer: { kind: 'integer', bits: 64, signed: true },
  int64: { kind: 'integer', bits: 64, signed: true },
  float: { kind: 'float', bits: 64 },
  boolean: { kind: 'boolean' },
  date: { kind: 'date' },
  dictionary: { kind: 'utf8' },
  string: { kind: 'utf8' },
  vector: { kind: 'list', fields: [{ name: 'item', nullable: false, type: { kind: 'float', bits: 32 } }] },
  any: { kind: 'binary' },
};

/** Returns the Arrow field of a column. `dictionaryId` is used for columns with a dictionary only. */
export function arrowField(column: {
  readonly name: string;
  readonly kind: SstColumnKind;
  readonly nullable: boolean;
  readonly dictionaryId: number;
}): ArrowField {
  const { name, kind, nullable, dictionaryId } = column;
  return {
    name,
    nullable,
    type: TYPES[kind],
    dictionaryId: kind === 'dictionary' ? dictionaryId : undefined,
    metadata: { 'graphdb.kind': kind, ...(kind === 'any' && { 'graphdb.encoding': 'value' }) },
  };
}
