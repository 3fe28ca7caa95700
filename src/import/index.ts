/** The door of the import layer: bulk load from files, into an empty namespace or one that holds a graph. */
export type * from './api.ts';
export { type ExportFolder, readExportFolder } from './export-folder.ts';
export { importFiles } from './import-files.ts';
