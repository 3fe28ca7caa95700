/** The public interface of the executor, which compiles plans and runs them. */

export { loadRowFunction } from './codegen/load-function.ts';
export { BATCH_ROWS, CompiledPlan, type CompiledStatement } from './compile.ts';
export type { CsvSources } from './csv/csv-sources.ts';
export { builtInProcedures } from './procedures/built-in.ts';
export { requirementsOf } from './requirements/requirements.ts';
export { COMMIT_BATCH } from './runtime/batches.ts';
export { type LimitOptions, Limits, SLICE_MS } from './runtime/limits.ts';
export { WAIT } from './runtime/pages/restarts.ts';
export type { ProcedureField } from './runtime/procedure.ts';
export { type Procedure, ProcedureRegistry } from './runtime/procedure.ts';
export { Profile } from './runtime/profile.ts';
export { Runtime, type RuntimeOptions } from './runtime/runtime.ts';
export type { LookupMeter, PropertyLookup } from './runtime/scans.ts';
export type { SpillOptions } from './runtime/spill/spill-space.ts';
export type { ChangeReading, ChangeRow } from './runtime/waiting/change-reading.ts';
export type { Counters } from './runtime/writes.ts';
export { BOLT_ADDRESS, type DatabaseDescription } from './schema/database-description.ts';
export { applySchemaCommand } from './schema/schema-commands.ts';
export { schemaNameOf, transactionIdsOf } from './schema/schema-names.ts';
export { schemaStatements } from './schema/show.ts';
export type { Termination, TransactionDescription } from './schema/transaction-description.ts';
