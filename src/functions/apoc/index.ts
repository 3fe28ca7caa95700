/** Functions of Neo4j's APOC library, by its names. */
import { collectionFacts } from './collections.ts';
import { entityFacts } from './entities.ts';
import { mapFacts } from './maps.ts';

export const apocFacts = { ...collectionFacts, ...mapFacts, ...entityFacts };
