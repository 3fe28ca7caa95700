/** The object that generated code calls `rt`: reads, updates, procedures, schema, and the batches of CALL … IN TRANSACTIONS. */
import { type ErrorCode, GraphDBError, type ShownSetting } from '../../base/index.ts';
import type { SchemaCommand, ShowCommand } from '../../cypher/index.ts';
import { argumentFault, aType, isInteger, type Value } from '../../value/index.ts';
import { csvValues } from '../csv/load-csv.ts';
import type { ProcedureRegistry } from '../procedures/procedure.ts';
import { applySchemaCommand } from '../schema/schema-commands.ts';
import { showRows } from '../schema/show.ts';
import type { ExecutionOptions } from './execution.ts';
import { Updates } from './updates.ts';

/** Markers that a statement yields to the engine: commit (or roll back) its transaction, begin the next, and call `continueWith`. */
export const COMMIT_BATCH = Symbol('commit batch');
const ROLL_BACK_BATCH = Symbol('roll back batch');

/** Errors that are not about a batch: the next one would meet them too. */
const STOPPING: ReadonlySet<ErrorCode> = new Set([
  'CANCELLED',
  'QUERY_TIMEOUT',
  'MEMORY_LIMIT',
  'STORE_UNAVAILABLE',
  'WRITER_FENCED',
  'READ_ONLY',
  'OVERLOADED',
  'SHUTTING_DOWN',
  'CORRUPTION',
  'INTERNAL',
]);

export interface RuntimeOptions extends ExecutionOptions {
  readonly procedures: ProcedureRegistry;
  readonly databaseRole: 'writer' | 'reader';
  /** What LOAD CSV may read; null: nothing. */
  readonly csvDirectory: string | null;
  /** What SHOW SETTINGS lists. */
  readonly settings: () => readonly ShownSetting[];
}

export class Runtime extends Updates {
  readonly procedures: ProcedureRegistry;
  readonly databaseRole: 'writer' | 'reader';
  readonly settings: () => readonly ShownSetting[];
  private readonly csvDirectory: string | null;

  constructor(options: RuntimeOptions) {
    super(options);
    this.procedures = options.procedures;
    this.databaseRole = options.databaseRole;
    this.csvDirectory = options.csvDirectory;
    this.settings = options.settings;
  }

  /** Rows with the given fields of the procedure's result, in their order. */
  *callProcedure(name: string, args: readonly Value[], fields: readonly string[]): Generator<Value[]> {
    const procedure = this.procedures.get(name);
    const positions = fields.map((field) => procedure.outputs.findIndex((output) => output.name === field));
    const missing = procedure.inputs.slice(args.length).map((input) => input.default ?? null);
    for (const row of procedure.call(this, missing.length === 0 ? args : [...args, ...missing])) {
      yield positions.map((position) => row[position] ?? null);
    }
  }

  show(what: ShowCommand['what'], fields: readonly string[]): Value[][] {
    return showRows(this, what).map((row) => fields.map((field) => row.get(field) ?? null));
  }

  changeSchema(command: SchemaCommand): void {
    if (this.transaction === null) throw new GraphDBError('INTERNAL', 'a schema command ran without a transaction');
    if (applySchemaCommand(this.transaction, command, this.parameters)) this.counters[schemaCounter(command)]++;
  }

  *loadCsv(from: Value, withHeaders: boolean, terminator: string | null): Generator<Value> {
    if (from === null) throw argumentFault('LOAD CSV takes the URL of a file, and this is null');
    if (typeof from !== 'string') throw argumentFault(`LOAD CSV takes the URL of a file, not ${aType(from)}`);
    const source = { directory: this.csvDirectory, url: from, withHeaders, terminator: terminator ?? ',' };
    try {
      yield* csvValues(source, (place) => {
        this.csvPlace = place;
      });
    } finally {
      this.csvPlace = null;
    }
  }

  batchSize(value: Value): number {
    if (isInteger(value) && value > 0) return Number(value);
    throw argumentFault(`OF … ROWS takes an Integer above 0, not ${isInteger(value) ? value : `${aType(value)}`}`);
  }

  /** Of `SHORTEST $k` and its kin. */
  pathCount(value: Value): number {
    if (isInteger(value) && value > 0) return Number(value);
    throw argumentFault(`the number of paths is an Integer above 0, not ${isInteger(value) ? value : `${aType(value)}`}`);
  }

  *commitBatch(): Generator<never, void, void> {
    this.finishStatement();
    yield COMMIT_BATCH as unknown as never;
    this.noteCommit();
  }

  /** ON ERROR CONTINUE and BREAK: the batch leaves no trace, and its error becomes its status. A statement that is to stop, or cannot be stored, stops. */
  *rollBackBatch(error: unknown, onError: 'fail' | 'continue' | 'break'): Generator<never, GraphDBError, void> {
    if (onError === 'fail' || !(error instanceof GraphDBError) || STOPPING.has(error.code)) throw error;
    yield ROLL_BACK_BATCH as unknown as never;
    this.forgetChanges();
    return error;
  }

  batchStatus(failure: GraphDBError | 'not started' | null): Value {
    return new Map<string, Value>([
      ['started', failure !== 'not started'],
      ['committed', failure === null],
      ['transactionId', null],
      ['errorMessage', failure instanceof GraphDBError ? failure.message : null],
    ]);
  }
}

function schemaCounter(command: SchemaCommand): 'indexesAdded' | 'indexesRemoved' | 'constraintsAdded' | 'constraintsRemoved' {
  if (command.kind === 'createIndex') return 'indexesAdded';
  if (command.kind === 'createConstraint') return 'constraintsAdded';
  return command.what === 'index' ? 'indexesRemoved' : 'constraintsRemoved';
}
