/** Commands that change or show the schema, and commands that create or drop databases. */
import type { DatabaseCommand, SchemaCommand, ShowCommand } from '../../../../cypher/index.ts';
import { NO_WRITES, READS_ALL } from '../../../effects.ts';
import type { OperatorBase } from '../../../plan.ts';
import { rowCost } from '../costs.ts';
import type { OperatorFacts } from '../facts.ts';
import { NO_INPUT } from '../inputs.ts';
import { noEffects, noLoads, noNames } from '../nothing.ts';
import { always, never } from '../single-row.ts';

declare module '../../../plan.ts' {
  interface OperatorsByKind {
    readonly schema: Schema;
    readonly show: Show;
    readonly database: Database;
  }
}

/** Leaf: creates or drops an index or a constraint, and gives no rows. The operator stands alone in its plan. */
export interface Schema extends OperatorBase {
  readonly kind: 'schema';
  readonly command: SchemaCommand;
}

/** The facts of commands on the schema. */
export const schema: OperatorFacts<Schema> = {
  inputs: NO_INPUT,
  subplan: null,
  mapExpressions: null,
  reads: noNames,
  binds: noNames,
  effects: noEffects,
  updates: true,
  isSingleRow: always,
  holdsAllRows: false,
  followsRows: false,
  passesDuplicates: 'nowhere',
  loads: noLoads,
  readsByPage: false,
  hasConstantSteps: false,
  cost: rowCost,
  describe: ({ command }) => ({ name: 'Schema', details: command.kind }),
};

/** Leaf: gives the rows of a SHOW command; `columns` names the variable of each field. */
export interface Show extends OperatorBase {
  readonly kind: 'show';
  readonly what: ShowCommand['what'];
  readonly columns: readonly { readonly field: string; readonly variable: string }[];
}

/** The facts of SHOW. */
export const show: OperatorFacts<Show> = {
  inputs: NO_INPUT,
  subplan: null,
  mapExpressions: null,
  reads: noNames,
  binds: ({ columns }) => columns.map((column) => column.variable),
  effects: () => ({ reads: READS_ALL, writes: NO_WRITES }),
  updates: false,
  isSingleRow: never,
  holdsAllRows: false,
  followsRows: false,
  passesDuplicates: 'nowhere',
  loads: ({ columns }) => columns.map(({ variable }) => ({ kind: 'value', variable, expressions: [] })),
  readsByPage: false,
  hasConstantSteps: false,
  cost: rowCost,
  describe: ({ what }) => ({ name: 'Show', details: what }),
};

/**
 * Leaf: creates or drops a database, and gives no rows. The operator stands alone in its plan. The engine carries out
 * the command before the plan runs, since it concerns no graph.
 */
export interface Database extends OperatorBase {
  readonly kind: 'database';
  readonly command: DatabaseCommand;
}

/** The facts of commands on databases. */
export const database: OperatorFacts<Database> = {
  inputs: NO_INPUT,
  subplan: null,
  mapExpressions: null,
  reads: noNames,
  binds: noNames,
  effects: noEffects,
  updates: false,
  isSingleRow: always,
  holdsAllRows: false,
  followsRows: false,
  passesDuplicates: 'nowhere',
  loads: noLoads,
  hasConstantSteps: false,
  readsByPage: false,
  cost: rowCost,
  describe: ({ command }) => ({ name: 'Database', details: command.kind }),
};
