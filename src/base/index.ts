export * from './errors.ts';
export * from './logging.ts';
