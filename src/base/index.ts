export * from './byte-reader.ts';
export * from './byte-writer.ts';
export * from './errors.ts';
export * from './logging.ts';
export * from './lru-cache.ts';
export * from './units.ts';
export * from './version.ts';
