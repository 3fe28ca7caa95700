/** The tables of all functions and aggregates, and their names as types: a table keyed by these types must have each name and no other. */
import type { aggregateFacts } from './aggregates.ts';
import { apocFacts } from './apoc/index.ts';
import { conversionFacts } from './conversion.ts';
import { gdsFacts } from './gds.ts';
import { graphFacts } from './graph.ts';
import { listFacts } from './list.ts';
import { measureFacts } from './measures.ts';
import { numericFacts } from './numeric.ts';
import { scalarFacts } from './scalar.ts';
import { spatialFacts } from './spatial.ts';
import { stringFacts } from './string.ts';
import { temporalFacts } from './temporal.ts';
import { vectorFacts } from './vector.ts';

/** The facts of all scalar functions. */
export const functionFacts = {
  ...numericFacts,
  ...stringFacts,
  ...listFacts,
  ...conversionFacts,
  ...graphFacts,
  ...scalarFacts,
  ...temporalFacts,
  ...vectorFacts,
  ...measureFacts,
  ...spatialFacts,
  ...apocFacts,
  ...gdsFacts,
};

/** The name of a scalar function. */
export type FunctionName = keyof typeof functionFacts;

/** The name of an aggregate. */
export type AggregateName = keyof typeof aggregateFacts;
