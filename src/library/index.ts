/** Entry point of the library: everything that programs import. */
export {
  type BeginOptions,
  type Change,
  type ChangesOptions,
  type Database,
  type OpenOptions,
  open,
  type QueryOptions,
  type Statements,
  type Transaction,
  type TransactionOptions,
} from './database.ts';
export { QueryResult, type Row } from './result.ts';
export {
  float,
  type GraphValue,
  type IntegerForm,
  Node,
  type Parameter,
  type ParameterObject,
  type Parameters,
  Path,
  type PlainObject,
  Relationship,
} from './values.ts';
