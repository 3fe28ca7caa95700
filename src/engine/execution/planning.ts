/** Binds and plans statements in one way on every thread: equal texts and equal statistics give equal plans. */
import type { EngineFlags } from '../../base/index.ts';
import { analyze, autoParameterize, type BoundStatement, parse, type Statement } from '../../cypher/index.ts';
import type { ProcedureRegistry } from '../../exec/index.ts';
import type { GraphStatistics } from '../../graph/index.ts';
import { type Plan, planStatement } from '../../plan/index.ts';

/** The switches that affect planning. */
export type PlanFlags = Pick<EngineFlags, 'factorize' | 'wcoj'>;

/** Binds a statement. @param statement the result of `autoParameterize` for the text, if it is known already */
export function bindStatement(text: string, procedures: ProcedureRegistry, statement: Statement = withoutLiterals(text)): BoundStatement {
  return analyze(statement, text, {
    procedures: (name) => procedures.signature(name),
    procedureNames: () => procedures.names(),
  });
}

/** Plans a statement that was bound. */
export function planOf(bound: BoundStatement, statistics: GraphStatistics, flags: PlanFlags): Plan {
  return planStatement(bound, statistics, { flags });
}

function withoutLiterals(text: string): Statement {
  return autoParameterize(parse(text)).statement;
}
