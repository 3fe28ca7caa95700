/** Advice for functions and procedures of other databases that do not exist here. */

const FUNCTIONS: readonly (readonly [pattern: RegExp, advice: string])[] = [
  [/^(distance|st_distance|geo\.distance)$/, 'write point.distance(a, b)'],
  [/^point\./, 'write point({x: 1, y: 2}), point.distance(a, b) or point.withinBBox(p, lowerLeft, upperRight)'],
  [/^graph\./, 'there is one graph: leave USE and graph.* out'],
  [/^format$/, 'take a date apart with .year, .month and .day, or toString it'],
  [/^allreduce$/, 'write all(… WHERE …) over a list, and reduce(…)'],
  [/^apoc\./, 'of APOC there are the functions that SHOW FUNCTIONS lists; many others have counterparts in Cypher'],
  [/^gds\./, 'of Graph Data Science there are the functions that SHOW FUNCTIONS lists'],
  [/^(substr|mid)$/, 'write substring(text, start, length)'],
  [/^(len|strlen|count_elements|cardinality|array_length)$/, 'write size(text) or size(list)'],
  [/^(concat)$/, 'write a + b, or a || b'],
  [/^(ifnull|nvl)$/, 'write coalesce(a, b)'],
  [/^isnull$/, 'write x IS NULL'],
  [/^(isnotnull|notnull)$/, 'write x IS NOT NULL'],
  [/^(if|iif|decode)$/, 'write CASE WHEN condition THEN value ELSE other END'],
  [/^(str|string)$/, 'write toString(x)'],
  [/^int$/, 'write toInteger(x)'],
  [/^(double|number)$/, 'write toFloat(x)'],
  [/^(bool|boolean)$/, 'write toBoolean(x)'],
  [/^(indexof|instr|charindex|position)$/, 'write size(split(text, part)[0]); whether it is in there at all, text CONTAINS part'],
  [/^(join|implode)$/, "write reduce(text = head(list), x IN tail(list) | text + ',' + x)"],
  [/^(flatten)$/, 'write reduce(all = [], part IN list | all + part)'],
  [/^median$/, 'write percentileCont(x, 0.5)'],
  [/^(contains|startswith|endswith)$/, 'write text CONTAINS part, text STARTS WITH part, text ENDS WITH part'],
  [/^(unique|distinct)$/, 'write DISTINCT x, or collect(DISTINCT x)'],
  [/^(year|month|day)$/, 'write d.year, d.month, d.day'],
  [/^(datediff|date_diff)$/, 'write duration.between(from, to), duration.inDays(from, to)'],
  [/^(date_add|dateadd)$/, 'write d + duration({days: 1})'],
  [/^(current_date|curdate|today)$/, 'write date()'],
  [/^(random)$/, 'write rand()'],
  [/^(now|current_timestamp|getdate)$/, 'write datetime()'],
  [/^(group_concat|string_agg|array_agg)$/, 'write collect(x)'],
  [/^(mean|average)$/, 'write avg(x)'],
  [/^(lcase)$/, 'write toLower(text)'],
  [/^(ucase)$/, 'write toUpper(text)'],
  [/^(power|pow)$/, 'write x ^ y'],
  [/^mod$/, 'write x % y'],
  [/^toint$/, 'write toInteger(x)'],
  [/^cast$/, 'write toInteger(x), toFloat(x), toString(x) or toBoolean(x)'],
];

const PROCEDURES: readonly (readonly [pattern: RegExp, advice: string])[] = [
  [
    /^db\.index\.vector\./,
    'write db.index.vector.queryNodes(index, k, vector) or db.index.vector.queryRelationships(index, k, vector), and CREATE ' +
      'VECTOR INDEX to make one',
  ],
  [/^db\.index\.fulltext\./, 'CREATE FULLTEXT INDEX and DROP INDEX make and end full-text indexes; SHOW PROCEDURES lists what asks them'],
  [/^db\.indexes$/, 'write SHOW INDEXES'],
  [/^db\.constraints$/, 'write SHOW CONSTRAINTS'],
  [/^dbms\.procedures$/, 'write SHOW PROCEDURES'],
  [/^dbms\.functions$/, 'write SHOW FUNCTIONS'],
  [/^dbms\.(security\.)?(listusers|createuser|listroles)/, 'there are no users and roles in the database'],
  [/^dbms\.listconfig$/, 'write SHOW SETTINGS'],
  [/^dbms\.setconfigvalue$/, 'settings are given to the server when it starts: graphdb-server --help'],
  [/^dbms\.(cluster|routing)\./, 'one server writes, any number read; there is no cluster to ask'],
  [/^apoc\.(periodic|cypher)\./, 'write CALL (row) { … } IN TRANSACTIONS OF 1000 ROWS'],
  [/^apoc\.(load|import|export)\./, 'write LOAD CSV, or use graphdb import and graphdb export'],
  [/^apoc\.path\./, 'write a quantified pattern such as (a)-[:TYPE]->{1,5}(b), or SHORTEST 1'],
  [/^apoc\./, 'of APOC there are the procedures that SHOW PROCEDURES lists'],
  [/^gds\./, 'CALL gds.list() lists the algorithms, SHOW PROCEDURES all procedures'],
];

/** Returns advice on a function of another database; empty if there is none. */
export function functionCounterpart(name: string): string {
  return advice(FUNCTIONS, name);
}

/** Returns advice on a procedure of another database; empty if there is none. */
export function procedureCounterpart(name: string): string {
  return advice(PROCEDURES, name);
}

/** Returns the advice of the first pattern that matches; empty if none does. */
function advice(known: readonly (readonly [RegExp, string])[], name: string): string {
  const found = known.find(([pattern]) => pattern.test(name.toLowerCase()));
  return found === undefined ? '' : `; ${found[1]}`;
}
