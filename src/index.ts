/** What the package `graphdb` gives to programs: `open`, the values of results and parameters, and the error class. */
export { type ErrorCode, GraphDBError } from './base/index.ts';
export type { CompactOutcome, FlushOutcome, WriteOutcome } from './engine/index.ts';
export {
  type Change,
  type ChangesOptions,
  type Database,
  float,
  type GraphValue,
  Node,
  type OpenOptions,
  open,
  type Parameter,
  type Parameters,
  Path,
  type PlainObject,
  type QueryOptions,
  type QueryResult,
  Relationship,
  type Row,
  type RowShape,
  type Transaction,
} from './library/index.ts';
export {
  CypherDate,
  CypherDateTime,
  CypherDuration,
  CypherFloat,
  CypherLocalDateTime,
  CypherLocalTime,
  CypherTime,
  Point,
  type Temporal,
} from './value/index.ts';
