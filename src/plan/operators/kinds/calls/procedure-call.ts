import type { ProcedureYield } from '../../../../cypher/index.ts';
import { NO_WRITES, READS_ALL, WRITES_ALL } from '../../../effects.ts';
import { formatExpression } from '../../../expressions/format-expression.ts';
import { changed, mapList } from '../../../expressions/mapping.ts';
import type { Operator, OperatorBase, PlanExpression } from '../../../plan.ts';
import { rowCost } from '../costs.ts';
import type { OperatorFacts } from '../facts.ts';
import { ONE_INPUT } from '../inputs.ts';
import { noNames } from '../nothing.ts';

declare module '../../../plan.ts' {
  interface OperatorsByKind {
    readonly procedureCall: ProcedureCall;
  }
}

/** Calls a procedure per input row, and adds `yields` for each result. `unit`: the procedure gives no fields; the row is kept once. */
export interface ProcedureCall extends OperatorBase {
  readonly kind: 'procedureCall';
  readonly input: Operator;
  readonly name: string;
  readonly arguments: readonly PlanExpression[];
  readonly yields: readonly ProcedureYield[];
  readonly unit: boolean;
  /** The statement is this call alone, so nothing else in it sees what the procedure commits before its end. */
  readonly isAlone: boolean;
  /** The procedure can change data. */
  readonly writes: boolean;
  /** The procedure reads no more of the graph than it finds, in ways that notice what is not in memory. */
  readonly byPage: boolean;
}

/** The facts of calls of procedures. */
export const procedureCall: OperatorFacts<ProcedureCall> = {
  inputs: ONE_INPUT,
  subplan: null,
  mapExpressions: (operator, map) => changed(operator, { arguments: mapList(operator.arguments, map) }),
  reads: noNames,
  binds: ({ yields }) => yields.map((field) => field.variable.name),
  effects: ({ writes }) => ({ reads: READS_ALL, writes: writes ? WRITES_ALL : NO_WRITES }),
  updates: false,
  isSingleRow: ({ unit, input }, below) => unit && below(input),
  holdsAllRows: false,
  followsRows: false,
  passesDuplicates: 'nowhere',
  loads: ({ name, yields }) => [{ kind: 'call', procedure: name, yields }],
  readsByPage: ({ byPage }) => byPage,
  hasConstantSteps: false,
  cost: rowCost,
  describe: (operator) => ({ name: 'ProcedureCall', details: detailsOf(operator) }),
};

function detailsOf({ name, arguments: values, yields }: ProcedureCall): string {
  const fields = yields.map((each) => (each.field === each.variable.name ? each.field : `${each.field} AS ${each.variable.name}`));
  return `${name}(${values.map(formatExpression).join(', ')})${fields.length === 0 ? '' : ` YIELD ${fields.join(', ')}`}`;
}
