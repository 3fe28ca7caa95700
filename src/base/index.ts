export * from './errors.ts';
export * from './logging.ts';
export * from './units.ts';
export * from './version.ts';
