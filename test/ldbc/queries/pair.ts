/** One question asked twice: in Cypher over the graph, in SQL over the same CSV files. */
export interface QueryPair {
  readonly name: string;
  readonly cypher: string;
  /** Names its columns as RETURN does. A list comes as JSON text. */
  readonly sql: string;
}

export function pair(name: string, cypher: string, sql: string): QueryPair {
  return { name, cypher, sql };
}
