/** The door of the transfer layer: exports a graph, or the result of a query, to files. */
export { type ExportFormat, type ExportOptions, type ExportSummary, type ExportTarget, parseExportFormat } from './export/api.ts';
export { exportGraph, exportRows } from './export/export.ts';
