/** File and stream formats, each written once: whoever imports, exports, loads or answers shares these readers and writers. */
export { csvField, writeCsvField } from './csv/csv-field.ts';
export { type CsvForm, csvHeader, csvRow } from './csv/csv-result.ts';
export { encodeKeys, encodeLongRow, encodeRow, isLong } from './json/json-rows.ts';
export { writeJsonString } from './json/json-string.ts';
export { TextBuffer } from './text-buffer.ts';
