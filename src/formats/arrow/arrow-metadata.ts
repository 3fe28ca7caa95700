/**
 * Metadata of the Arrow IPC file format (https://arrow.apache.org/docs/format/Columnar.html, Schema.fbs, Message.fbs,
 * File.fbs): schema, record and dictionary batches, footer. Pure: descriptions in, FlatBuffers out.
 */
import { unreachable } from '../../base/index.ts';
import type { ArrowField, ArrowSchema, ArrowType } from './arrow-type.ts';
import { FlatbufferBuilder, type FlatOffset } from './flatbuffer-builder.ts';

/** A record batch, as its metadata describes it. */
export interface ArrowBatch {
  readonly rows: number;
  /** Length and null count of every column and, after it, of the components of its vectors. */
  readonly nodes: readonly (readonly [number, number])[];
  /** The offset in the body and the length in bytes of each buffer, in the order of Arrow. */
  readonly buffers: readonly (readonly [number, number])[];
  readonly bodyBytes: number;
  readonly compressed: boolean;
}

/** The place of a message in the file. */
export interface ArrowMessagePlace {
  readonly offset: number;
  readonly metadataBytes: number;
  readonly bodyBytes: number;
}

const METADATA_V5 = 4;
const HEADER = { schema: 1, dictionaryBatch: 2, recordBatch: 3 } as const;
const TYPE: Readonly<Record<ArrowType['kind'], number>> = {
  null: 1,
  integer: 2,
  float: 3,
  binary: 4,
  utf8: 5,
  boolean: 6,
  date: 8,
  time: 9,
  timestamp: 10,
  list: 12,
  struct: 13,
};
const PRECISION_SINGLE = 1;
const PRECISION_DOUBLE = 2;
const DATE_UNIT_DAY = 0;
const TIME_UNIT_NANOSECOND = 3;
const CODEC_ZSTD = 1;

/** Encodes the message of a schema. */
export function arrowSchemaMessage(schema: ArrowSchema): Uint8Array {
  const builder = new FlatbufferBuilder();
  return finishMessage(builder, HEADER.schema, buildSchema(builder, schema), 0);
}

/** Encodes the message of a record batch. */
export function arrowRecordBatchMessage(batch: ArrowBatch): Uint8Array {
  const builder = new FlatbufferBuilder();
  return finishMessage(builder, HEADER.recordBatch, buildBatch(builder, batch), batch.bodyBytes);
}

/** Encodes the message of a dictionary batch. */
export function arrowDictionaryBatchMessage(id: number, batch: ArrowBatch): Uint8Array {
  const builder = new FlatbufferBuilder();
  const data = buildBatch(builder, batch);
  builder.startTable(3);
  builder.int64(0, id);
  builder.reference(1, data);
  return finishMessage(builder, HEADER.dictionaryBatch, builder.endTable(), batch.bodyBytes);
}

/** Encodes the footer of a file. */
export function arrowFooter(
  schema: ArrowSchema,
  dictionaries: readonly ArrowMessagePlace[],
  batches: readonly ArrowMessagePlace[],
): Uint8Array {
  const builder = new FlatbufferBuilder();
  const schemaAt = buildSchema(builder, schema);
  const dictionariesAt = buildPlaces(builder, dictionaries);
  const batchesAt = buildPlaces(builder, batches);
  builder.startTable(5);
  builder.int16(0, METADATA_V5);
  builder.reference(1, schemaAt);
  builder.reference(2, dictionariesAt);
  builder.reference(3, batchesAt);
  return builder.finish(builder.endTable());
}

function finishMessage(builder: FlatbufferBuilder, type: number, header: FlatOffset, bodyBytes: number): Uint8Array {
  builder.startTable(5);
  builder.int16(0, METADATA_V5);
  builder.int8(1, type);
  builder.reference(2, header);
  builder.int64(3, bodyBytes);
  return builder.finish(builder.endTable());
}

function buildPlaces(builder: FlatbufferBuilder, places: readonly ArrowMessagePlace[]): FlatOffset {
  return builder.structs(
    places.length,
    places.flatMap(({ offset, metadataBytes, bodyBytes }) => [offset, metadataBytes, bodyBytes]),
  );
}

function buildBatch(builder: FlatbufferBuilder, batch: ArrowBatch): FlatOffset {
  const compression = batch.compressed ? buildCompression(builder) : null;
  const buffers = builder.structs(batch.buffers.length, batch.buffers.flat());
  const nodes = builder.structs(batch.nodes.length, batch.nodes.flat());
  builder.startTable(4);
  builder.int64(0, batch.rows);
  builder.reference(1, nodes);
  builder.reference(2, buffers);
  if (compression !== null) builder.reference(3, compression);
  return builder.endTable();
}

function buildCompression(builder: FlatbufferBuilder): FlatOffset {
  builder.startTable(2);
  builder.int8(0, CODEC_ZSTD);
  return builder.endTable();
}

function buildSchema(builder: FlatbufferBuilder, schema: ArrowSchema): FlatOffset {
  const metadata = buildMetadata(builder, schema.metadata);
  const fields = builder.offsets(schema.fields.map((field) => buildField(builder, field)));
  builder.startTable(4);
  builder.reference(1, fields);
  builder.reference(2, metadata);
  return builder.endTable();
}

function buildMetadata(builder: FlatbufferBuilder, metadata: Readonly<Record<string, string>>): FlatOffset {
  const pairs = Object.entries(metadata).map(([key, value]) => {
    const keyAt = builder.string(key);
    const valueAt = builder.string(value);
    builder.startTable(2);
    builder.reference(0, keyAt);
    builder.reference(1, valueAt);
    return builder.endTable();
  });
  return builder.offsets(pairs);
}

function buildField(builder: FlatbufferBuilder, { name, nullable, type, dictionaryId, metadata }: ArrowField): FlatOffset {
  const metadataAt = metadata === undefined ? null : buildMetadata(builder, metadata);
  const fields = type.kind === 'list' || type.kind === 'struct' ? type.fields : [];
  const children = builder.offsets(fields.map((field) => buildField(builder, field)));
  const nameAt = builder.string(name);
  const dictionary = dictionaryId === undefined ? null : buildDictionaryEncoding(builder, dictionaryId);
  const typeAt = buildType(builder, type);
  builder.startTable(7);
  builder.reference(0, nameAt);
  builder.int8(1, nullable ? 1 : 0);
  builder.int8(2, TYPE[type.kind]);
  builder.reference(3, typeAt);
  if (dictionary !== null) builder.reference(4, dictionary);
  builder.reference(5, children);
  if (metadataAt !== null) builder.reference(6, metadataAt);
  return builder.endTable();
}

function buildDictionaryEncoding(builder: FlatbufferBuilder, id: number): FlatOffset {
  const indexType = buildInt(builder, 32, true);
  builder.startTable(4);
  builder.int64(0, id);
  builder.reference(1, indexType);
  return builder.endTable();
}

function buildInt(builder: FlatbufferBuilder, bitWidth: number, signed: boolean): FlatOffset {
  builder.startTable(2);
  builder.int32(0, bitWidth);
  builder.int8(1, signed ? 1 : 0);
  return builder.endTable();
}

function buildEmpty(builder: FlatbufferBuilder): FlatOffset {
  builder.startTable(0);
  return builder.endTable();
}

/** Writes a table with one field of 16 bits. */
function buildUnit(builder: FlatbufferBuilder, unit: number): FlatOffset {
  builder.startTable(1);
  builder.int16(0, unit);
  return builder.endTable();
}

function buildTime(builder: FlatbufferBuilder): FlatOffset {
  builder.startTable(2);
  builder.int16(0, TIME_UNIT_NANOSECOND);
  builder.int32(1, 64);
  return builder.endTable();
}

function buildTimestamp(builder: FlatbufferBuilder, timezone: string | null): FlatOffset {
  const timezoneAt = timezone === null ? null : builder.string(timezone);
  builder.startTable(2);
  builder.int16(0, TIME_UNIT_NANOSECOND);
  if (timezoneAt !== null) builder.reference(1, timezoneAt);
  return builder.endTable();
}

function buildType(builder: FlatbufferBuilder, type: ArrowType): FlatOffset {
  switch (type.kind) {
    case 'integer':
      return buildInt(builder, type.bits, type.signed);
    case 'float':
      return buildUnit(builder, type.bits === 32 ? PRECISION_SINGLE : PRECISION_DOUBLE);
    case 'date':
      return buildUnit(builder, DATE_UNIT_DAY);
    case 'time':
      return buildTime(builder);
    case 'timestamp':
      return buildTimestamp(builder, type.timezone);
    case 'null':
    case 'boolean':
    case 'utf8':
    case 'binary':
    case 'list':
    case 'struct':
      return buildEmpty(builder);
    default:
      return unreachable(type, 'Arrow type');
  }
}
