/** Binding of SHOW: its columns become variables, under Neo4j's names. */
import type { ProcedureYield, ShowCommand } from '../../ast.ts';
import { didYouMean } from '../../suggest.ts';
import { freeVariables } from '../../walk.ts';
import type { Analysis } from '../analysis.ts';
import { bindOptionalPredicate, environment } from '../expressions/expressions.ts';
import { Scope } from '../scope.ts';
import { ANY } from '../types.ts';
import { type Column, columnsOf } from './clauses.ts';
import { bindProjection } from './projection.ts';
import { showColumns } from './show-columns.ts';

/** A bound SHOW command with its columns. */
export interface BoundShow {
  readonly command: ShowCommand;
  readonly columns: readonly Column[];
}

/**
 * Binds a SHOW command. In the bound command `yield` is always a list: the yielded columns, or those shown by default,
 * or all for `*`. After these come columns that only the WHERE uses, under names that nothing else can see.
 */
export function bindShow(analysis: Analysis, command: ShowCommand): BoundShow {
  for (const id of command.terminates) if (typeof id !== 'string') analysis.parameters.add(id.name);
  const unseen = new Scope();
  const scope = unseen.inner();
  const yields = yieldsOf(command).map((item) => bindYield(analysis, scope, command, item));
  const hidden = hiddenYields(scope, command).map((item) => bindYield(analysis, unseen, command, item));
  const bound = { ...command, yield: [...yields, ...hidden], where: bindOptionalPredicate(analysis, environment(scope), command.where) };
  const visible = new Scope();
  for (const [name, binding] of scope.own) visible.bind(name, binding);
  if (command.returns === null) {
    const columns = [...visible.own].map(([name, binding]) => ({ name, variable: binding.name, type: binding.type }));
    return { command: bound, columns };
  }
  const rules = { aliases: false, emptyStar: 'fault', columns: null, freshColumns: false } as const;
  const { projection, scope: after } = bindProjection(analysis, visible, command.returns, null, rules);
  return { command: { ...bound, returns: projection }, columns: columnsOf(projection, after) };
}

function hiddenYields(scope: Scope, { what, where }: ShowCommand): readonly ProcedureYield[] {
  if (where === null) return [];
  const fields = new Set(showColumns(what).map(({ name }) => name));
  return [...freeVariables(where)]
    .filter((name) => fields.has(name) && scope.lookup(name) === undefined)
    .map((name) => ({ field: name, variable: { kind: 'variable', name, span: where.span }, span: where.span }));
}

function yieldsOf({ what, yield: yields, span }: ShowCommand): readonly ProcedureYield[] {
  if (yields !== null && yields !== '*') return yields;
  const fields = showColumns(what).filter(({ shown }) => shown || yields === '*');
  return fields.map(({ name }) => ({ field: name, variable: { kind: 'variable', name, span }, span }));
}

function bindYield(analysis: Analysis, scope: Scope, { what }: ShowCommand, item: ProcedureYield): ProcedureYield {
  const names = showColumns(what).map(({ name }) => name);
  if (!names.includes(item.field)) {
    throw analysis.fault(
      item,
      'UndefinedVariable',
      `${what === 'terminations' ? 'TERMINATE TRANSACTIONS' : `SHOW ${what.toUpperCase()}`} has no column ` +
        `\`${item.field}\`${didYouMean(item.field, names)}`,
    );
  }
  if (scope.lookup(item.variable.name) !== undefined)
    throw analysis.fault(item, 'VariableAlreadyBound', `variable \`${item.variable.name}\` is already defined`);
  return { ...item, variable: { ...item.variable, name: analysis.declare(scope, item.variable.name, ANY).name } };
}
