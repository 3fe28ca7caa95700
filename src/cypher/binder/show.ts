/** Binding of SHOW: its columns are variables of the names that Neo4j gives them. */
import type { ProcedureYield, ShowCommand } from '../ast.ts';
import { didYouMean } from '../suggest.ts';
import type { Analysis } from './analysis.ts';
import { type Column, columnsOf } from './clauses.ts';
import { bindOptionalPredicate, environment } from './expressions.ts';
import { bindProjection } from './projection.ts';
import { Scope } from './scope.ts';
import { SHOW_COLUMNS } from './show-columns.ts';
import { ANY } from './types.ts';

export interface BoundShow {
  readonly command: ShowCommand;
  readonly columns: readonly Column[];
}

/** In the bound command `yield` is a list: what is yielded, or the columns shown by default, or all for `*`. */
export function bindShow(analysis: Analysis, command: ShowCommand): BoundShow {
  const scope = new Scope();
  const yields = yieldsOf(command).map((item) => bindYield(analysis, scope, command, item));
  const where = bindOptionalPredicate(analysis, environment(scope), command.where);
  if (command.returns === null) {
    const columns = [...scope.own].map(([name, binding]) => ({ name, variable: binding.name, type: binding.type }));
    return { command: { ...command, yield: yields, where }, columns };
  }
  const bound = bindProjection(analysis, scope, command.returns, null, {
    aliases: false,
    starNeedsVariables: true,
    columns: null,
    freshColumns: false,
  });
  return { command: { ...command, yield: yields, where, returns: bound.projection }, columns: columnsOf(bound.projection, bound.scope) };
}

function yieldsOf({ what, yield: yields, span }: ShowCommand): readonly ProcedureYield[] {
  if (yields !== null && yields !== '*') return yields;
  const fields = SHOW_COLUMNS[what].filter(({ shown }) => shown || yields === '*');
  return fields.map(({ name }) => ({ field: name, variable: { kind: 'variable', name, span }, span }));
}

function bindYield(analysis: Analysis, scope: Scope, { what }: ShowCommand, item: ProcedureYield): ProcedureYield {
  const names = SHOW_COLUMNS[what].map(({ name }) => name);
  if (!names.includes(item.field)) {
    throw analysis.fault(
      item,
      'UndefinedVariable',
      `SHOW ${what.toUpperCase()} has no column \`${item.field}\`${didYouMean(item.field, names)}`,
    );
  }
  if (scope.lookup(item.variable.name) !== undefined)
    throw analysis.fault(item, 'VariableAlreadyBound', `variable \`${item.variable.name}\` is already defined`);
  return { ...item, variable: { ...item.variable, name: analysis.declare(scope, item.variable.name, ANY).name } };
}
