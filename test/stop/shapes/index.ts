/** All shapes, in the order in which they run. */
import { messageBytes, TAGS } from '../../../src/bolt/raw-client.fixture.ts';
import { jsonRequest, type Statement } from '../client.ts';
import { algorithmShapes } from './algorithms.ts';
import { aggregateShapes, functionShapes } from './functions.ts';
import { languageShapes } from './language.ts';
import { valueShapes } from './large-values.ts';
import { OPERATOR_SHAPES } from './operators.ts';
import { searchShapes } from './search.ts';
import { parametersOf, type Shape } from './shape.ts';
import { textShapes } from './texts.ts';
import { toolShapes } from './tools.ts';

export { LINEAR_FUNCTIONS } from './functions.ts';
export { OPERATOR_SHAPES } from './operators.ts';
export type { Protocol, Shape } from './shape.ts';

export function allShapes(): Shape[] {
  const ofOperators = Object.values(OPERATOR_SHAPES).flatMap(({ shapes }) => shapes);
  return [
    ...ofOperators,
    ...functionShapes(),
    ...aggregateShapes(),
    ...languageShapes(),
    ...textShapes(),
    ...valueShapes(),
    ...searchShapes(),
    ...algorithmShapes(),
    ...toolShapes(),
  ];
}

/** Its request, ready to be sent. */
export function requestOf({ statement, parameters, parametersText, over = 'json' }: Shape): Statement {
  if (over === 'bolt') {
    const run = messageBytes(TAGS.run, [statement, parameters?.() ?? parametersOf(statement), {}]);
    return { over, body: Buffer.concat([run, messageBytes(TAGS.pull, [{ n: -1 }])]) };
  }
  if (parametersText === undefined) return { ...jsonRequest(statement, parameters?.() ?? parametersOf(statement)), over };
  return { over, body: Buffer.from(`{"query":${JSON.stringify(statement)},"params":${parametersText()}}`) };
}
