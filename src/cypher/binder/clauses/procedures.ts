/** Binding of CALL procedure: the procedure must exist and the number and types of its arguments fit; its fields become variables. */
import type { CallProcedureClause, Expression, ProcedureYield } from '../../ast.ts';
import { didYouMean } from '../../suggest.ts';
import type { Analysis, ProcedureField, ProcedureSignature } from '../analysis.ts';
import { procedureCounterpart } from '../expressions/counterparts.ts';
import { bindExpression, bindOptionalPredicate, environment } from '../expressions/expressions.ts';
import type { Scope } from '../scope.ts';
import {
  ANY,
  BOOLEAN,
  canBe,
  FLOAT,
  INTEGER,
  LIST,
  listOf,
  MAP,
  NODE,
  NUMBER,
  PATH,
  RELATIONSHIP,
  STRING,
  type Type,
  typeName,
} from '../types.ts';
import { declareNew, type QueryRules } from './clauses.ts';

/** Binds CALL of a procedure. @throws SEMANTIC_ERROR if there is none of that name */
export function bindProcedureCall(analysis: Analysis, scope: Scope, clause: CallProcedureClause, rules: QueryRules): CallProcedureClause {
  const signature = analysis.options.procedures?.(clause.name);
  if (signature === undefined) {
    const meant = procedureCounterpart(clause.name) || didYouMean(clause.name, analysis.options.procedureNames?.() ?? []);
    throw analysis.procedureFault(clause, `there is no procedure \`${clause.name}\`${meant}`);
  }
  if (signature.writes) {
    if (rules.readOnly)
      throw analysis.fault(
        clause,
        'InvalidClauseComposition',
        `\`${clause.name}\` can write and cannot stand inside EXISTS, COUNT or COLLECT`,
      );
    analysis.noteWrite(clause);
    if (signature.changesSchema) analysis.callsSchemaProcedure = true;
  }
  const args = bindArguments(analysis, scope, clause, signature);
  const yields = yieldsOf(analysis, clause, signature).map((each) => bindYield(analysis, scope, each, signature));
  const where = bindOptionalPredicate(analysis, environment(scope), clause.where);
  return {
    ...clause,
    arguments: args,
    yields,
    where,
    ...(signature.writes && { writes: true }),
    ...(signature.readsByPage && { readsByPage: true }),
  };
}

// ---------------------------------------------------------------- arguments

function bindArguments(
  analysis: Analysis,
  scope: Scope,
  clause: CallProcedureClause,
  { inputs }: ProcedureSignature,
): readonly Expression[] {
  if (clause.arguments === null) return implicitArguments(analysis, clause, inputs);
  const least = inputs.filter((input) => !input.optional).length;
  const given = clause.arguments.length;
  if (given < least || given > inputs.length) {
    const wanted = least === inputs.length ? `${least}` : `${least} to ${inputs.length}`;
    throw analysis.fault(
      clause,
      'InvalidNumberOfArguments',
      `procedure \`${clause.name}\` takes ${wanted} argument${wanted === '1' ? '' : 's'}, not ${given}`,
    );
  }
  return clause.arguments.map((argument, i) => {
    const bound = bindExpression(analysis, environment(scope), argument);
    const input = inputs[i]!;
    if (!accepts(input, bound.type)) {
      throw analysis.fault(
        argument,
        'InvalidArgumentType',
        `\`${clause.name}\` takes ${input.type.replace('?', '')} as \`${input.name}\`, and this is ${typeName(bound.type)}`,
      );
    }
    return bound.expression;
  });
}

/** Returns the arguments of `CALL name` without parentheses: parameters with the names of the inputs that are not optional. */
function implicitArguments(analysis: Analysis, clause: CallProcedureClause, inputs: readonly ProcedureField[]): readonly Expression[] {
  if (!clause.standalone && inputs.length > 0) {
    throw analysis.fault(
      clause,
      'InvalidArgumentPassingMode',
      `inside a query the arguments of \`${clause.name}\` must be written in parentheses`,
    );
  }
  return inputs
    .filter((input) => !input.optional)
    .map(({ name }): Expression => {
      analysis.parameters.add(name);
      return { kind: 'parameter', name, span: clause.span };
    });
}

function accepts(input: ProcedureField, type: Type): boolean {
  const wanted = fieldType(input);
  if (wanted.kind === 'any') return true;
  // An Integer is accepted where a Float is expected.
  if (wanted.kind === 'float') return canBe(type, 'number');
  return wanted.kind === 'list' ? canBe(type, 'list') : canBe(type, wanted.kind);
}

// ---------------------------------------------------------------- results

function yieldsOf(analysis: Analysis, clause: CallProcedureClause, { outputs }: ProcedureSignature): readonly ProcedureYield[] {
  if (clause.yields === '*' && !clause.standalone)
    throw analysis.fault(clause, 'UnexpectedSyntax', 'YIELD * is for calls that are the whole statement: name what is yielded');
  if (clause.yields !== null && clause.yields !== '*') return clause.yields;
  if (!clause.standalone) return [];
  const { span } = clause;
  return outputs.map(({ name }) => ({ field: name, variable: { kind: 'variable', name, span }, span }));
}

function bindYield(analysis: Analysis, scope: Scope, item: ProcedureYield, { name, outputs }: ProcedureSignature): ProcedureYield {
  const output = outputs.find((each) => each.name === item.field);
  if (output === undefined) {
    const names = outputs.map((each) => each.name);
    throw analysis.fault(
      item,
      'UndefinedVariable',
      `procedure \`${name}\` yields no \`${item.field}\`${didYouMean(item.field, names) || yielded(names)}`,
    );
  }
  return { ...item, variable: declareNew(analysis, scope, item.variable, fieldType(output)) };
}

const yielded = (names: readonly string[]): string => (names.length === 0 ? '; it yields nothing' : `; it yields ${names.join(', ')}`);

const FIELD_TYPES: Readonly<Record<string, Type>> = {
  STRING,
  INTEGER,
  FLOAT,
  NUMBER,
  BOOLEAN,
  MAP,
  NODE,
  RELATIONSHIP,
  PATH,
  LIST,
};

function fieldType({ type }: ProcedureField): Type {
  const name = type.replaceAll('?', '').trim().toUpperCase();
  const list = /^LIST\s*<\s*(?:OF\s+)?(.*?)\s*>$/.exec(name);
  if (list !== null) return listOf(FIELD_TYPES[list[1]!] ?? ANY);
  return FIELD_TYPES[name] ?? ANY;
}
