/** The function library: scalar functions and aggregating functions, by name in lower case. */
import { apocFunctions } from './apoc.ts';
import { conversionFunctions } from './conversion.ts';
import type { FunctionDefinition } from './definition.ts';
import { graphFunctions } from './graph.ts';
import { listFunctions } from './list.ts';
import { numericFunctions } from './numeric.ts';
import { scalarFunctions } from './scalar.ts';
import { spatialFunctions } from './spatial.ts';
import { stringFunctions } from './string.ts';
import { temporalFunctions } from './temporal.ts';
import { vectorFunctions } from './vector.ts';

export { type Accumulator, type AggregateDefinition, aggregates, countRows, distinctAccumulator } from './aggregates.ts';
export type { Evaluate, FunctionCategory, FunctionContext, FunctionDefinition, GraphAccess, TypeHint } from './definition.ts';
export { MEAN_SCALE, meanOf } from './mean.ts';
export { syntaxFunctions } from './syntax.ts';

export const functions: ReadonlyMap<string, FunctionDefinition> = new Map(
  [
    ...numericFunctions,
    ...stringFunctions,
    ...listFunctions,
    ...conversionFunctions,
    ...graphFunctions,
    ...scalarFunctions,
    ...temporalFunctions,
    ...vectorFunctions,
    ...spatialFunctions,
    ...apocFunctions,
  ].map((each) => [each.name.toLowerCase(), each]),
);
