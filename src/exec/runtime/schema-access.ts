/** The schema as generated code reads it (SHOW) and changes it (CREATE and DROP of indexes and constraints). */
import { GraphDBError } from '../../base/index.ts';
import type { SchemaCommand, ShowCommand } from '../../cypher/index.ts';
import type { Value } from '../../value/index.ts';
import { applySchemaCommand } from '../schema/schema-commands.ts';
import { type ShownDatabase, showRows } from '../schema/show.ts';
import type { Limits } from './limits.ts';
import type { ProcedureRegistry } from './procedure.ts';
import type { StatementGraph } from './statement-graph.ts';
import type { Writes } from './writes.ts';

/** The database around a statement: the information that SHOW lists, and the procedures that CALL looks up. */
export interface DatabaseFacts extends ShownDatabase {
  readonly procedures: ProcedureRegistry;
}

interface SchemaContext {
  readonly graph: StatementGraph;
  readonly limits: Limits;
  readonly writes: Writes;
  readonly parameters: ReadonlyMap<string, Value>;
  readonly database: DatabaseFacts;
}

/** Steps of a schema command, which copies the catalog of the transaction and compares it with the existing definitions. */
const STEPS_OF_COMMAND = 1_000;
const STEPS_PER_DEFINITION = 16;

/** The schema as a statement reads and changes it. */
export class SchemaAccess {
  private readonly context: SchemaContext;

  constructor(context: SchemaContext) {
    this.context = context;
  }

  /** Returns the rows of SHOW as values of the given fields, in their order; null where a row lacks a field. */
  show(what: ShowCommand['what'], fields: readonly string[]): Value[][] {
    const { graph, database } = this.context;
    return showRows(graph.view, database, what).map((row) => fields.map((field) => row.get(field) ?? null));
  }

  /** Runs a schema command and counts its change. Yields null while existing entities are checked. */
  *change(command: SchemaCommand): Generator<null, void, void> {
    const { graph, writes, parameters, limits } = this.context;
    if (graph.transaction === null) throw new GraphDBError('INTERNAL', 'a schema command ran without a transaction');
    const { indexes, constraints } = graph.view.schema;
    if (limits.worked(STEPS_OF_COMMAND + STEPS_PER_DEFINITION * (indexes.length + constraints.length))) yield null;
    const changing = applySchemaCommand(graph.transaction, command, parameters);
    let piece = changing.next();
    for (; piece.done !== true; piece = changing.next()) if (limits.worked(piece.value)) yield null;
    if (piece.value) writes.counters[schemaCounter(command)]++;
  }
}

function schemaCounter(command: SchemaCommand): 'indexesAdded' | 'indexesRemoved' | 'constraintsAdded' | 'constraintsRemoved' {
  if (command.kind === 'createIndex') return 'indexesAdded';
  if (command.kind === 'createConstraint') return 'constraintsAdded';
  return command.what === 'index' ? 'indexesRemoved' : 'constraintsRemoved';
}
