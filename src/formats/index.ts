/**
 * File and stream formats, each read and written in one place for imports, exports, LOAD CSV and results. This layer
 * knows nothing of graphs or tables.
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
export { type CsvDialect, DELIMITER_RULE, dialectOf, type ImportDialect, mayDelimit, parseDialect } from './csv/dialect.ts';
export { type FieldBlock, fieldText, type Selection } from './csv/field-block.ts';
export { lastRowEnd } from './csv/record-boundary.ts';
export { encodeKeys, encodeLongRow, encodeRow } from './json/json-rows.ts';
export { writeJsonString } from './json/json-string.ts';
export { type MalformedRow, reasonOf } from './malformed-row.ts';
export { readNdjson } from './ndjson/ndjson-reader.ts';
export { readParquet } from './parquet/read-parquet.ts';
export { openByteSource, unreadable } from './source/byte-source.ts';
export { ChunkBuffers } from './source/chunk-buffers.ts';
export { ChunkReader, READ_BYTES } from './source/chunk-reader.ts';
export { CARRIAGE_RETURN, LINE_FEED } from './source/text-lines.ts';
export { TextBuffer } from './text-buffer.ts';
export type { ColumnBatch, ColumnValues } from './value-batch.ts';
