/**
 * File and stream formats, each read and written in one place: whoever imports, exports, loads or answers shares these. Nothing here knows of graphs or tables.
 *
 * CSV has two readers, since there are two grammars. `CsvRows` (LOAD CSV) takes what Neo4j's LOAD CSV takes: text with any terminator of one character, lines that end with
 * CR too, as many fields in a row as it has; what is wrong ends the statement. `CsvScanner` (import) finds the places of fields in bytes, a block of rows with as many
 * fields as the header at a time; what is wrong is a malformed row among others.
 */
export {
  type ArrowBatch,
  type ArrowMessagePlace,
  arrowDictionaryBatchMessage,
  arrowFooter,
  arrowRecordBatchMessage,
  arrowSchemaMessage,
} from './arrow/arrow-metadata.ts';
export { ARROW_END_OF_STREAM, ArrowArrays, arrowStreamBatch, arrowStreamSchema } from './arrow/arrow-stream.ts';
export type { ArrowField, ArrowSchema, ArrowType } from './arrow/arrow-type.ts';
export { csvField, writeCsvField } from './csv/csv-field.ts';
export { type CsvForm, csvHeader, csvRow } from './csv/csv-result.ts';
export { type CsvRow, CsvRows } from './csv/csv-rows.ts';
export { CsvScanner, type ScannerOptions } from './csv/csv-scanner.ts';
export { CARRIAGE_RETURN, type CsvDialect, LINE_FEED, parseDialect } from './csv/dialect.ts';
export { type FieldBlock, fieldText, type Selection } from './csv/field-block.ts';
export { lastRowEnd } from './csv/record-boundary.ts';
export { encodeKeys, encodeLongRow, encodeRow, isLong } from './json/json-rows.ts';
export { writeJsonString } from './json/json-string.ts';
export { type MalformedRow, reasonOf } from './malformed-row.ts';
export { readNdjson } from './ndjson/ndjson-reader.ts';
export { readParquet } from './parquet/read-parquet.ts';
export { openByteSource, unreadable } from './source/byte-source.ts';
export { ChunkBuffers } from './source/chunk-buffers.ts';
export { ChunkReader, READ_BYTES } from './source/chunk-reader.ts';
export { TextBuffer } from './text-buffer.ts';
