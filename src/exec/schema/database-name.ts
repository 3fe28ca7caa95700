/** The name that clients of Neo4j see if there is only one database. */
export const DATABASE_NAME = 'neo4j';
