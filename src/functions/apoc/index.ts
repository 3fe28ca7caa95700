/** Functions of Neo4j's APOC library, by its names. */
import { collectionFacts } from './collections.ts';
import { conversionsFacts } from './conversions.ts';
import { dateFacts } from './dates.ts';
import { entityFacts } from './entities.ts';
import { mapFacts } from './maps.ts';
import { textFacts } from './texts.ts';

/** The facts of APOC's functions. */
export const apocFacts = { ...collectionFacts, ...mapFacts, ...textFacts, ...entityFacts, ...dateFacts, ...conversionsFacts };
