/** Tells which plans can write rows of operators to files, and which of them can be run again after rows have been returned. */
import {
  expressionFacts,
  expressionsOf,
  forEachExpression,
  inputsOf,
  type Operator,
  type OperatorKind,
  type Plan,
  subplanOf,
} from '../plan/index.ts';
import { hasSpilledForm } from './codegen/spilled/table.ts';

/** Operators that yield rows in another order when they write files, or that must not run twice. */
const UNREPEATED: ReadonlySet<OperatorKind> = new Set<OperatorKind>([
  'aggregate',
  'hashJoin',
  'procedureCall',
  'loadCsv',
  'transactionApply',
]);

/** Tells whether some operator of a plan can write its rows to files. */
export function canSpill(plan: Plan): boolean {
  return plan.partitioned === undefined && someOperator(plan.root, ({ kind }) => hasSpilledForm(kind));
}

/** Tells whether a plan yields the same rows in the same order when it is run again. */
export function repeatsRows(plan: Plan): boolean {
  return !plan.writes && !someOperator(plan.root, (operator) => UNREPEATED.has(operator.kind) || expressionsOf(operator).some(isVolatile));
}

function isVolatile(expression: Parameters<typeof forEachExpression>[0]): boolean {
  let isVolatile = false;
  forEachExpression(expression, (part) => {
    const { determinism } = expressionFacts(part);
    if (determinism === null) return;
    const found = determinism(part);
    if (found !== 'pure' && found !== 'statement') isVolatile = true;
  });
  return isVolatile;
}

function someOperator(operator: Operator, test: (operator: Operator) => boolean): boolean {
  if (test(operator)) return true;
  const subplan = subplanOf(operator);
  return (subplan !== null && someOperator(subplan, test)) || inputsOf(operator).some((input) => someOperator(input, test));
}
