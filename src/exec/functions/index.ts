/** The function library: an implementation for each row of the function facts, by name in lower case. */
import { type DescribedFunction, describedFunctions, type FunctionName } from '../../functions/index.ts';
import { conversionFunctions } from './conversion.ts';
import { define } from './define.ts';
import type { Evaluate, FunctionDefinition, InPieces } from './definition.ts';
import { graphFunctions } from './graph.ts';
import { apocFunctions } from './libraries/apoc/index.ts';
import { gdsFunctions } from './libraries/gds.ts';
import { listFunctions } from './list.ts';
import { numericFunctions } from './numeric.ts';
import { scalarFunctions } from './scalar.ts';
import { spatialFunctions } from './spatial.ts';
import { stringFunctions } from './string.ts';
import { temporalFunctions } from './temporal.ts';
import { measureFunctions, vectorFunctions } from './vector.ts';

export { aggregates, countRows, distinctAccumulator } from './aggregates.ts';
export type { Accumulator, AggregateDefinition, Evaluate, FunctionContext, FunctionDefinition, GraphAccess } from './definition.ts';
export { MEAN_SCALE, meanOf } from './mean.ts';

const IMPLEMENTATIONS: Readonly<Record<FunctionName, Evaluate | InPieces>> = {
  ...numericFunctions,
  ...stringFunctions,
  ...listFunctions,
  ...conversionFunctions,
  ...graphFunctions,
  ...scalarFunctions,
  ...temporalFunctions,
  ...vectorFunctions,
  ...measureFunctions,
  ...spatialFunctions,
  ...apocFunctions,
  ...gdsFunctions,
};

const definitionOf = (described: DescribedFunction): FunctionDefinition => define(described, IMPLEMENTATIONS[described.name]);

/** All scalar functions, by name in lower case. */
export const functions: ReadonlyMap<string, FunctionDefinition> = new Map(
  describedFunctions.map((described) => [described.name.toLowerCase(), definitionOf(described)]),
);
