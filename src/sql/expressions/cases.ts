/** CASE, whose values must have one type. */
import type { CaseExpression } from '../../cypher/index.ts';
import { typed } from '../typed.ts';
import { commonType, NULL, type SqlExpression, type SqlType } from '../types.ts';
import { equality } from './comparisons.ts';
import { boolean } from './conditions.ts';
import { type Environment, lower } from './environment.ts';

/** Lowers CASE. */
export function caseExpression(environment: Environment, expression: CaseExpression): SqlExpression {
  const { program } = environment;
  const { subject, branches, otherwise } = expression;
  const values = [...branches.map(({ then }) => then), ...(otherwise === null ? [] : [otherwise])].map((value) =>
    lower(environment, value),
  );
  const type = values.reduce<SqlType | null>((common, value) => (common === null ? null : commonType(common, value.type)), NULL);
  if (type === null) throw program.refuse('CASE with values of several types', expression);
  const tested = subject === null ? null : lower(environment, subject);
  const parts = branches.map(({ when }, index) => {
    const condition = lower(environment, when);
    const isMatch = tested === null ? boolean(program, condition, when) : equality(program, tested, condition, when);
    return `WHEN ${isMatch} THEN ${typed(program, values[index]!, type)}`;
  });
  const rest = otherwise === null ? '' : ` ELSE ${typed(program, values.at(-1)!, type)}`;
  return { sql: `(CASE ${parts.join(' ')}${rest} END)`, type };
}
