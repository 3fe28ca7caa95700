/** The door of the SQL layer: a bound, read-only statement in, SQL of Spark or DuckDB out. Pure. */
export { type Ask, type Constants, findConstants } from './constants.ts';
export { DIALECTS, type Dialect, type DialectName } from './dialect.ts';
export { type LoweringOptions, lowerStatement, type SqlStatement } from './lower-statement.ts';
export type { SqlSource } from './program.ts';
export type { SchemaRow } from './schema-rows.ts';
export type { GraphShape, PropertyTypes } from './shape.ts';
export { type Translation, translate } from './translate.ts';
export { BOOLEAN, commonType, FLOAT, INTEGER, NULL, OPAQUE, type SqlType, STRING } from './types.ts';
