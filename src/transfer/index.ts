/** The door of the transfer layer: a graph to files, and rows of files into a graph that holds data, both through the engine. */
export { type ExportFormat, type ExportOptions, type ExportSummary, type ExportTarget, parseExportFormat } from './export/api.ts';
export { exportGraph, exportRows } from './export/export.ts';
