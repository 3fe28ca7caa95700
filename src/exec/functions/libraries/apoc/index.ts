/** The functions of Neo4j's APOC library. */
import type { apocFacts } from '../../../../functions/index.ts';
import type { Implementations } from '../../definition.ts';
import { collectionFunctions } from './collections.ts';
import { conversionsFunctions } from './conversions.ts';
import { dateFunctions } from './dates.ts';
import { entityFunctions } from './entities.ts';
import { mapFunctions } from './maps.ts';
import { textFunctions } from './texts.ts';

/** The functions of APOC. */
export const apocFunctions: Implementations<typeof apocFacts> = {
  ...collectionFunctions,
  ...mapFunctions,
  ...textFunctions,
  ...entityFunctions,
  ...dateFunctions,
  ...conversionsFunctions,
};
