/** Text → bound statement → plan, as every thread makes them: the same text and the same statistics give the same plan. */
import type { EngineFlags } from '../../base/index.ts';
import { analyze, autoParameterize, type BoundStatement, parse, type Statement } from '../../cypher/index.ts';
import type { ProcedureRegistry } from '../../exec/index.ts';
import type { GraphStatistics } from '../../graph/index.ts';
import { type Plan, planStatement } from '../../plan/index.ts';

/** The switches that planning asks. */
export type PlanFlags = Pick<EngineFlags, 'factorize' | 'wcoj'>;

/** @param statement what `autoParameterize` made of the text, where that is known */
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
