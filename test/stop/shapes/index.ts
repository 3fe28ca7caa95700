/** All shapes, in the order in which they run. */
import { bodyOf } from '../client.ts';
import { aggregateShapes, functionShapes } from './functions.ts';
import { languageShapes } from './language.ts';
import { OPERATOR_SHAPES } from './operators.ts';
import { parametersOf, type Shape } from './shape.ts';
import { textShapes } from './texts.ts';

export { LINEAR_FUNCTIONS } from './functions.ts';
export { OPERATOR_SHAPES } from './operators.ts';
export type { Shape } from './shape.ts';

export function allShapes(): Shape[] {
  const ofOperators = Object.values(OPERATOR_SHAPES).flatMap(({ shapes }) => shapes);
  return [...ofOperators, ...functionShapes(), ...aggregateShapes(), ...languageShapes(), ...textShapes()];
}

/** The body of its request. */
export function bodyOfShape({ statement, parameters, parametersText }: Shape): Buffer {
  if (parametersText === undefined) return bodyOf(statement, parameters?.() ?? parametersOf(statement));
  return Buffer.from(`{"query":${JSON.stringify(statement)},"params":${parametersText()}}`);
}
