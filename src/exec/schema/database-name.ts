/** The name of the one database that there is, by which clients of Neo4j know it. */
export const DATABASE_NAME = 'neo4j';
