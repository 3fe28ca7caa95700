/** The exports of the package `graphdb` for programs: `open`, the values of results and parameters, and the error class. */
export { type ErrorCode, GraphDBError } from './base/index.ts';
export type { CompactOutcome, FlushOutcome, StatementNotification, WriteOutcome } from './engine/index.ts';
export {
  type BeginOptions,
  type Change,
  type ChangesOptions,
  type Database,
  float,
  type GraphValue,
  type IntegerForm,
  Node,
  type OpenOptions,
  open,
  type Parameter,
  type ParameterObject,
  type Parameters,
  Path,
  type PlainObject,
  type QueryOptions,
  QueryResult,
  Relationship,
  type Row,
  type Statements,
  type Transaction,
  type TransactionOptions,
} from './library/index.ts';
export type { PlanDescription } from './plan/index.ts';
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
