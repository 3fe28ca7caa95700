/** All shapes, in the order in which they run. */
import { aggregateShapes, functionShapes } from './functions.ts';
import { languageShapes, planningShapes } from './language.ts';
import { OPERATOR_SHAPES } from './operators.ts';
import { parametersOf, type Shape } from './shape.ts';

export { LINEAR_FUNCTIONS } from './functions.ts';
export { OPERATOR_SHAPES } from './operators.ts';
export type { Shape } from './shape.ts';

export function allShapes(): Shape[] {
  const ofOperators = Object.values(OPERATOR_SHAPES).flatMap(({ shapes }) => shapes);
  return [...ofOperators, ...functionShapes(), ...aggregateShapes(), ...languageShapes(), ...planningShapes()];
}

export function parametersFor(shape: Shape): Readonly<Record<string, unknown>> {
  return shape.parameters?.() ?? parametersOf(shape.statement);
}
