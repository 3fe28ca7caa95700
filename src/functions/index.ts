/** The door of the function facts: what is known of each function and aggregate, and no implementation. */

export { aggregateFacts } from './aggregates.ts';
export { collectionFacts } from './apoc/collections.ts';
export { conversionsFacts } from './apoc/conversions.ts';
export { dateFacts } from './apoc/dates.ts';
export { entityFacts } from './apoc/entities.ts';
export { apocFacts } from './apoc/index.ts';
export { mapFacts } from './apoc/maps.ts';
export { textFacts } from './apoc/texts.ts';
export { conversionFacts } from './conversion.ts';
export type * from './facts.ts';
export { gdsFacts } from './gds.ts';
export { graphFacts } from './graph.ts';
export { listFacts } from './list.ts';
export {
  aggregateNamed,
  canReturnEntities,
  type DescribedAggregate,
  type DescribedFunction,
  describedAggregates,
  describedFunctions,
  functionNamed,
  isNamed,
  isRandom,
  parameterAt,
  returnsNodes,
} from './lookup.ts';
export { measureFacts } from './measures.ts';
export { numericFacts } from './numeric.ts';
export { scalarFacts } from './scalar.ts';
export { spatialFacts } from './spatial.ts';
export { stringFacts } from './string.ts';
export { syntaxFacts } from './syntax.ts';
export type { AggregateName, FunctionName } from './tables.ts';
export { temporalFacts } from './temporal.ts';
export { vectorFacts } from './vector.ts';
