/** What generated code asks of the schema: SHOW lists it, the schema commands change it. */
import { GraphDBError } from '../../base/index.ts';
import type { SchemaCommand, ShowCommand } from '../../cypher/index.ts';
import type { Value } from '../../value/index.ts';
import { applySchemaCommand } from '../schema/schema-commands.ts';
import { type ShownDatabase, showRows } from '../schema/show.ts';
import type { ProcedureRegistry } from './procedure.ts';
import type { StatementGraph } from './statement-graph.ts';
import type { Writes } from './writes.ts';

/** The database around the statement: what SHOW lists, and the procedures that CALL looks up. */
export interface DatabaseFacts extends ShownDatabase {
  readonly procedures: ProcedureRegistry;
}

interface SchemaSurroundings {
  readonly graph: StatementGraph;
  readonly writes: Writes;
  readonly parameters: ReadonlyMap<string, Value>;
  readonly database: DatabaseFacts;
}

export class SchemaAccess {
  private readonly surroundings: SchemaSurroundings;

  constructor(surroundings: SchemaSurroundings) {
    this.surroundings = surroundings;
  }

  /** The rows of SHOW with the given fields, in their order. */
  show(what: ShowCommand['what'], fields: readonly string[]): Value[][] {
    const { graph, database } = this.surroundings;
    return showRows(graph.view, database, what).map((row) => fields.map((field) => row.get(field) ?? null));
  }

  /** Runs a command, and counts what it changed. */
  change(command: SchemaCommand): void {
    const { graph, writes, parameters } = this.surroundings;
    if (graph.transaction === null) throw new GraphDBError('INTERNAL', 'a schema command ran without a transaction');
    if (applySchemaCommand(graph.transaction, command, parameters)) writes.counters[schemaCounter(command)]++;
  }
}

function schemaCounter(command: SchemaCommand): 'indexesAdded' | 'indexesRemoved' | 'constraintsAdded' | 'constraintsRemoved' {
  if (command.kind === 'createIndex') return 'indexesAdded';
  if (command.kind === 'createConstraint') return 'constraintsAdded';
  return command.what === 'index' ? 'indexesRemoved' : 'constraintsRemoved';
}
