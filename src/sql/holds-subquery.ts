/** Finds subqueries within SQL: dialects do not take them everywhere. */

/** Tells whether an expression in SQL holds a subquery; also true of a literal text that looks like one. */
export function holdsSubquery(sql: string): boolean {
  return sql.includes('(SELECT ');
}
