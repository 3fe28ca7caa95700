/**
 * Statements with the rows that they answer, over one small graph with a loop, a cycle and parallel relationships: forms
 * of SQL that are easily wrong in few rows. `cases.test.ts` holds the engine against them, `rows.ts` the SQL.
 */

/** A statement with its rows. */
export interface Case {
  readonly name: string;
  readonly text: string;
  /** Each row as JSON, in the order of ORDER BY, or else sorted; lists in columns named `bag…` have any order. */
  readonly rows: readonly string[];
  /** True if SQL of Spark has no form for the statement. */
  readonly notOnSpark?: true;
}

/** The statement that makes the graph. */
export const GRAPH = `CREATE
  (a:N {name: 'a', v: 1, l: [1, 2, 3], f: -0.0}), (b:N {name: 'b', v: 2, l: [], f: 0.0}), (c:N {name: 'c', v: 2}),
  (d:M {name: 'd'}), (:Big {v: 9223372036854775807}), (:Big {v: 9223372036854775807}),
  (a)-[:R {w: 1}]->(b), (a)-[:R {w: 2}]->(b), (b)-[:R {w: 3}]->(c), (c)-[:R {w: 4}]->(a), (a)-[:S {w: 5}]->(a), (c)-[:S]->(d)`;

export const CASES: readonly Case[] = [
  {
    name: 'length() of paths of several relationships',
    text: `MATCH p = (:N {name: 'a'})-[:R]->()-[:R*1..2]->(n) RETURN length(p) AS steps, n.name AS n`,
    rows: ['[2,"c"]', '[2,"c"]', '[3,"a"]', '[3,"a"]'],
  },
  {
    name: 'nodes() of paths over parallel relationships',
    text: `MATCH p = (:N {name: 'a'})-[:R]->()-[:R]->() RETURN [n IN nodes(p) | n.name] AS names`,
    rows: ['[["a","b","c"]]', '[["a","b","c"]]'],
  },
  {
    name: 'relationships() of paths over parallel relationships',
    text: `MATCH p = (:N {name: 'a'})-[:R]->()-[:R]->() RETURN [r IN relationships(p) | r.w] AS weights`,
    rows: ['[[1,3]]', '[[2,3]]'],
  },
  {
    name: 'a loop is passed once, also without a direction',
    text: `MATCH p = (:N {name: 'a'})-[:S*0..3]-(n)
      RETURN length(p) AS steps, [r IN relationships(p) | r.w] AS weights, [n IN nodes(p) | n.name] AS names`,
    rows: ['[0,[],["a"]]', '[1,[5],["a","a"]]'],
  },
  {
    name: 'parallel relationships without a direction lead back',
    text: `MATCH p = (:N {name: 'a'})-[:R*2]-(n:N {name: 'a'}) RETURN [r IN relationships(p) | r.w] AS weights`,
    rows: ['[[1,2]]', '[[2,1]]'],
  },
  {
    name: 'a path of one node',
    text: 'MATCH p = (n:M) RETURN length(p) AS steps, [x IN nodes(p) | x.name] AS names, size(relationships(p)) AS count',
    rows: ['[0,["d"],0]'],
  },
  {
    name: 'a path that is not there is null',
    text: 'MATCH (n:M) OPTIONAL MATCH p = (n)-->() RETURN p IS NULL AS absent, length(p) AS steps, nodes(p) IS NULL AS nodes',
    rows: ['[true,null,true]'],
  },
  {
    name: 'paths of one length differ by their nodes',
    text: `MATCH p = (n)-[:R]->() OPTIONAL MATCH (m:N) WHERE m.name = 'c' AND any(x IN nodes(p) WHERE x.name = m.name)
      RETURN n.name AS n, m.name AS m`,
    rows: ['["a",null]', '["a",null]', '["b","c"]', '["c","c"]'],
  },
  {
    name: 'walks without a bound over cycles',
    text: `MATCH (:N {name: 'a'})-[:R*]->(n) RETURN n.name AS n, count(*) AS walks`,
    rows: ['["a",2]', '["b",4]', '["c",2]'],
  },
  {
    name: 'walks without a bound, from their end',
    text: `MATCH p = (n:N)-[:R|S*]->(:M {name: 'd'}) RETURN n.name AS n, count(p) AS walks, min(length(p)) AS least`,
    rows: ['["a",4,3]', '["b",1,2]', '["c",5,1]'],
  },
  {
    name: 'walks without a bound over loops and cycles, with their relationships',
    text: `MATCH p = (:N {name: 'b'})-[:R|S*3..]->(n)
      RETURN [r IN relationships(p) | r.w] AS weights, [x IN nodes(p) | x.name] AS names`,
    rows: [
      '[[3,4,1],["b","c","a","b"]]',
      '[[3,4,2],["b","c","a","b"]]',
      '[[3,4,5,1],["b","c","a","a","b"]]',
      '[[3,4,5,2],["b","c","a","a","b"]]',
      '[[3,4,5],["b","c","a","a"]]',
    ],
  },
  {
    name: 'walks that are found from their end have their relationships in the order of the pattern',
    text: `MATCH (n:N)-[rs:R*]->(:N {name: 'c'})-[:S]->(:M) RETURN n.name AS n, [r IN rs | r.w] AS weights`,
    rows: ['["a",[1,3]]', '["a",[2,3]]', '["b",[3]]', '["c",[4,1,3]]', '["c",[4,2,3]]'],
  },
  {
    name: 'walks of 0 and more from nodes found before',
    text: 'MATCH (n:N) WHERE n.v = 2 MATCH (n)-[:S*0..]->(m) RETURN n.name AS n, m.name AS m',
    rows: ['["b","b"]', '["c","c"]', '["c","d"]'],
  },
  {
    name: 'walks against the direction, with a list as a variable',
    text: 'MATCH (n:M)<-[rs:R|S*..9]-(m) RETURN m.name AS m, [r IN rs | r.w] AS weights',
    rows: [
      '["a",[null,3,1,5]]',
      '["a",[null,3,1]]',
      '["a",[null,3,2,5]]',
      '["a",[null,3,2]]',
      '["b",[null,3]]',
      '["c",[null,3,1,4]]',
      '["c",[null,3,1,5,4]]',
      '["c",[null,3,2,4]]',
      '["c",[null,3,2,5,4]]',
      '["c",[null]]',
    ],
  },
  {
    name: 'two walks of one MATCH share no relationship',
    text: `MATCH (:N {name: 'a'})-[:R*]->(b:N {name: 'b'})-[:R*]->(n) RETURN n.name AS n, count(*) AS walks`,
    rows: ['["a",2]', '["b",2]', '["c",2]'],
  },
  {
    name: 'IN with nulls',
    text: 'MATCH (n:N) RETURN n.name AS n, n.v IN [1, null] AS x, 3 IN n.l AS y, null IN n.l AS z',
    rows: ['["a",true,true,null]', '["b",null,false,false]', '["c",null,null,null]'],
  },
  {
    name: 'IN of an empty list is false for null',
    text: `MATCH (n:N {name: 'b'}) RETURN null IN n.l AS x, n.missing IN [] AS y`,
    rows: ['[false,false]'],
  },
  {
    name: 'quantifiers with nulls',
    text: `MATCH (n:N)
      RETURN n.name AS n, all(x IN [n.v, null] WHERE x = 1) AS a, any(x IN [n.v, null] WHERE x = 1) AS b,
       none(x IN [n.v, null] WHERE x = 1) AS c, single(x IN [n.v, null] WHERE x = 1) AS d`,
    rows: ['["a",null,true,false,null]', '["b",false,null,null,null]', '["c",false,null,null,null]'],
  },
  {
    name: 'quantifiers over lists of properties, empty and absent',
    text: `MATCH (n:N)
      RETURN n.name AS n, all(x IN n.l WHERE x > 1) AS a, any(x IN n.l WHERE x > 2) AS b,
       none(x IN n.l WHERE x > 3) AS c, single(x IN n.l WHERE x > 2) AS d`,
    rows: ['["a",false,true,true,true]', '["b",true,false,true,false]', '["c",null,null,null,null]'],
  },
  {
    name: 'comprehensions keep nulls',
    text: 'MATCH (n:N) RETURN n.name AS n, [x IN [n.l[0], null, n.v] | x + 1] AS x, [x IN n.l WHERE x > 1 | x * 10] AS y',
    rows: ['["a",[2,null,2],[20,30]]', '["b",[null,null,3],[]]', '["c",[null,null,3],null]'],
  },
  {
    name: 'reduce() with nulls',
    text: 'MATCH (n:N) RETURN n.name AS n, reduce(sum = 0, x IN n.l | sum + x) AS x, reduce(sum = 0, x IN [n.l[5], 1] | sum + x) AS y',
    rows: ['["a",6,null]', '["b",0,null]', '["c",null,null]'],
  },
  {
    name: 'places below 0 and behind the end',
    text: 'MATCH (n:N) RETURN n.name AS n, n.l[-1] AS x, n.l[3] AS y, n.l[-4] AS z, n.l[null] AS w',
    rows: ['["a",3,null,null,null]', '["b",null,null,null,null]', '["c",null,null,null,null]'],
  },
  {
    name: 'slices with bounds below 0, behind the end and null',
    text: 'MATCH (n:N) RETURN n.name AS n, n.l[1..] AS x, n.l[-2..-1] AS y, n.l[1..9] AS z, n.l[2..1] AS e, n.l[..null] AS w',
    rows: ['["a",[2,3],[2],[2,3],[],null]', '["b",[],[],[],[],null]', '["c",null,null,null,null,null]'],
  },
  {
    name: 'head() and last() of empty and absent lists',
    text: 'MATCH (n:N) RETURN n.name AS n, head(n.l) AS x, last(n.l) AS y, size(n.l) AS z',
    rows: ['["a",1,3,3]', '["b",null,null,0]', '["c",null,null,null]'],
  },
  {
    name: 'percentiles with nulls',
    text: `MATCH (n)
      RETURN percentileDisc(n.v, 0.5) AS x, percentileCont(n.v, 0.25) AS y, percentileDisc(n.v, 0.0) AS z, percentileCont(n.v, 1.0) AS w`,
    rows: ['[2,2.0,1,9223372036854776000.0]'],
  },
  {
    name: 'percentiles of groups without values',
    text: 'MATCH (n) WHERE n.name IS NOT NULL RETURN n.name AS n, percentileDisc(n.v, 0.5) AS x, percentileCont(n.v, 0.5) AS y',
    rows: ['["a",1,1.0]', '["b",2,2.0]', '["c",2,2.0]', '["d",null,null]'],
  },
  {
    name: 'percentiles of no rows',
    text: `MATCH (n:N {name: 'nobody'}) RETURN percentileDisc(n.v, 0.5) AS x, percentileCont(n.v, 0.5) AS y`,
    rows: ['[null,null]'],
  },
  {
    name: 'percentiles by place',
    text: 'MATCH ()-[r]->() RETURN percentileDisc(r.w, 0.4) AS x, percentileDisc(r.w, 0.41) AS y, percentileCont(r.w, 0.1) AS z',
    rows: ['[2,3,1.4]'],
  },
  {
    name: 'the mean of the largest Integers',
    text: 'MATCH (n:Big) RETURN avg(n.v) AS x, avg(DISTINCT n.v) AS y, avg(n.v - 1) AS z',
    rows: ['[9223372036854776000.0,9223372036854776000.0,9223372036854776000.0]'],
  },
  {
    name: 'the mean of no rows',
    text: 'MATCH (n:M) RETURN avg(n.v) AS x, sum(n.v) AS y, count(n.v) AS z',
    rows: ['[null,0,0]'],
  },
  {
    name: 'collect() behind an order with ties',
    text: 'MATCH (n:N) WITH n.v AS v ORDER BY v DESC RETURN collect(v) AS list',
    rows: ['[[2,2,1]]'],
  },
  {
    name: 'collect() behind an order with ties that a second key decides',
    text: 'MATCH (n:N) WITH n ORDER BY n.v DESC, n.name DESC RETURN collect(n.name) AS list',
    rows: ['[["c","b","a"]]'],
  },
  {
    name: 'collect() behind an order with nulls',
    text: 'MATCH (n) WHERE n.name IS NOT NULL WITH n ORDER BY n.v, n.name RETURN collect(n.name) AS up',
    rows: ['[["a","b","c","d"]]'],
  },
  {
    name: 'collect() behind an order that descends, with nulls',
    text: 'MATCH (n) WHERE n.name IS NOT NULL WITH n ORDER BY n.v DESC, n.name RETURN collect(n.name) AS down, collect(n.v) AS values',
    rows: ['[["d","b","c","a"],[2,2,1]]'],
  },
  {
    name: 'collect() of groups behind an order and a limit',
    text: 'MATCH ()-[r]->(m) WITH m, r ORDER BY r.w DESC LIMIT 5 RETURN m.name AS m, collect(r.w) AS weights',
    rows: ['["a",[5,4]]', '["b",[2]]', '["c",[3]]', '["d",[]]'],
  },
  {
    name: 'nested divisions',
    text: 'MATCH (n:N) RETURN n.name AS n, 64 / (n.v / (n.v / (n.v / (n.v / n.v)))) AS x, 1.5 / (n.f / n.v) AS y',
    rows: ['["a",64,"float:-Infinity"]', '["b",32,"float:Infinity"]', '["c",32,null]'],
  },
  {
    name: 'a subquery for each row, with an order and a limit',
    text: 'MATCH (n:N) CALL { WITH n MATCH (n)-->(m) RETURN m.name AS m ORDER BY m SKIP 1 LIMIT 1 } RETURN n.name AS n, m',
    rows: ['["a","b"]', '["c","d"]'],
  },
  {
    name: 'aggregates of a subquery that finds nothing',
    text: `MATCH (n) WHERE n.name IS NOT NULL
      CALL (n) { MATCH (n)-[:R]->(m) RETURN count(m) AS c, collect(m.name) AS bag, max(m.v) AS x, sum(m.v) AS s }
      RETURN n.name AS n, c, bag, x, s`,
    rows: ['["a",2,["b","b"],2,4]', '["b",1,["c"],2,2]', '["c",1,["a"],1,1]', '["d",0,[],null,0]'],
  },
  {
    name: 'groups of a subquery that finds nothing',
    text: 'MATCH (n) WHERE n.name IS NOT NULL CALL (n) { MATCH (n)-->(m) RETURN m.name AS m, count(*) AS c } RETURN n.name AS n, m, c',
    rows: ['["a","a",1]', '["a","b",2]', '["b","c",1]', '["c","a",1]', '["c","d",1]'],
  },
  {
    name: 'a subquery that reads nothing from outside',
    text: 'MATCH (n:N) CALL { MATCH (m:N) RETURN m.name AS m ORDER BY m DESC LIMIT 2 } RETURN n.name AS n, m',
    rows: ['["a","b"]', '["a","c"]', '["b","b"]', '["b","c"]', '["c","b"]', '["c","c"]'],
  },
  {
    name: 'a subquery of a UNION',
    text: `MATCH (n:N) CALL (n) { MATCH (n)-[:R]->(m) RETURN m.name AS m UNION MATCH (n)<-[:R]-(m) RETURN m.name AS m }
      RETURN n.name AS n, m`,
    rows: ['["a","b"]', '["a","c"]', '["b","a"]', '["b","c"]', '["c","a"]', '["c","b"]'],
  },
  {
    name: 'a subquery of a UNION ALL',
    text: `MATCH (n:N)
      CALL (n) { MATCH (n)-[:R]->(m) RETURN m.name AS m UNION ALL MATCH (n)<-[:R]-(m) RETURN m.name AS m }
      RETURN n.name AS n, m`,
    rows: ['["a","b"]', '["a","b"]', '["a","c"]', '["b","a"]', '["b","a"]', '["b","c"]', '["c","a"]', '["c","b"]'],
  },
  {
    name: 'an optional subquery',
    text: `MATCH (n) WHERE n.name IS NOT NULL OPTIONAL CALL (n) { MATCH (n)-[:S]->(m) RETURN m, 1 AS one }
      RETURN n.name AS n, m.name AS m, one`,
    rows: ['["a","a",1]', '["b",null,null]', '["c","d",1]', '["d",null,null]'],
  },
  {
    name: 'a subquery within a subquery',
    text: `MATCH (n:N)
      CALL (n) { MATCH (n)-->(m) CALL (m) { MATCH (m)-->(o) RETURN count(o) AS c }
        WITH DISTINCT m, c ORDER BY c DESC, m.name LIMIT 1 RETURN m.name AS m, c }
      RETURN n.name AS n, m, c`,
    rows: ['["a","a",3]', '["b","c",2]', '["c","a",3]'],
  },
  {
    name: 'a subquery has its rows for each row around it',
    text: 'MATCH (n:N) WITH n.v AS v CALL (v) { MATCH (m:N) WHERE m.v = v RETURN m.name AS m } RETURN v, m',
    rows: ['[1,"a"]', '[2,"b"]', '[2,"b"]', '[2,"c"]', '[2,"c"]'],
  },
  {
    name: 'a subquery returns what it was given',
    text: `MATCH (n:N)-[r:S]->() CALL (n, r) { MATCH p = (n)-[:R]->() RETURN n AS same, r AS rel, p }
      RETURN same.name AS n, rel.w AS w, length(p) AS steps`,
    rows: ['["a",5,1]', '["a",5,1]', '["c",null,1]'],
  },
  {
    name: 'a subquery for 0.0 and for -0.0',
    text: 'MATCH (n:N) WHERE n.f IS NOT NULL WITH n.name AS n, n.f AS f CALL (f) { RETURN 1.0 / f AS x } RETURN n, x',
    rows: ['["a","float:-Infinity"]', '["b","float:Infinity"]'],
  },
  {
    name: 'an order within a subquery is that of its lists',
    text: `MATCH (n:N) CALL (n) { MATCH (n)-->(m) WITH m ORDER BY m.name DESC RETURN collect(m.name) AS names }
      RETURN n.name AS n, names`,
    rows: ['["a",["b","b","a"]]', '["b",["c"]]', '["c",["d","a"]]'],
  },
  {
    name: 'a subquery of a subquery, with a variable from outside of both',
    text: `MATCH (n) WHERE EXISTS { MATCH (m) WHERE EXISTS { (n)-[]->(m) WHERE n.v = m.v } } RETURN n.name AS n`,
    notOnSpark: true,
    rows: ['["a"]', '["b"]'],
  },
  {
    name: 'a pattern in a subquery, with a variable from outside',
    text: `MATCH (n:N) RETURN n.name AS n, COUNT { (n)-->(m) WHERE NOT (m)-->(n) } AS count`,
    notOnSpark: true,
    rows: ['["a",2]', '["b",1]', '["c",2]'],
  },
  {
    name: 'a subquery of a subquery, with variables of that one',
    text: `MATCH (n:N) RETURN n.name AS n, COUNT { (n)-->(m) WHERE EXISTS { (m)-->(k) WHERE k.v = m.v AND NOT (k)-[:S]->(k) } } AS count`,
    rows: ['["a",2]', '["b",0]', '["c",0]'],
  },
  {
    name: 'zeros: of a node that a subquery reads',
    text: `MATCH (n:N) WHERE n.f IS NOT NULL CALL (n) { RETURN 1.0 / n.f AS x }
      OPTIONAL MATCH (m:M) WHERE 1.0 / n.f < 0.0 RETURN x, m.name AS m`,
    rows: ['["float:-Infinity","d"]', '["float:Infinity",null]'],
  },
  {
    name: 'zeros: keys of groups and DISTINCT',
    text: `MATCH (n:N) WHERE n.name = 'a' WITH n, n.f AS f, count(*) AS c WITH DISTINCT n, f, c RETURN 1.0 / f AS x, 1.0 / n.f AS y, c`,
    rows: ['["float:-Infinity","float:-Infinity",1]'],
  },
  {
    name: 'zeros: UNION',
    text: `MATCH (n:N {name: 'a'}) RETURN n.f AS f UNION MATCH (n:N {name: 'c'}) RETURN n.f AS f`,
    notOnSpark: true,
    rows: ['[-0.0]', '[null]'],
  },
  {
    name: 'zeros: UNION ALL',
    text: `MATCH (n:N {name: 'a'}) RETURN 1.0 / n.f AS x UNION ALL MATCH (n:N {name: 'b'}) RETURN 1.0 / n.f AS x`,
    rows: ['["float:-Infinity"]', '["float:Infinity"]'],
  },
  {
    name: 'subqueries: an order by them',
    text: `MATCH (n:N) WITH n ORDER BY COUNT { (n)-[:S]->() }, n.name LIMIT 2 RETURN n.name AS n`,
    rows: ['["a"]', '["b"]'],
  },
  {
    name: 'subqueries: an order by them of groups',
    text: `MATCH (n:N) WITH n, count(*) AS c ORDER BY EXISTS { (n)-[:S]->() } DESC, n.name RETURN collect(n.name) AS names`,
    rows: ['[["a","c","b"]]'],
  },
  {
    name: 'subqueries: an order by them for each row around a CALL',
    text: `MATCH (n:N) CALL (n) { MATCH (n)-[:R]->(m) RETURN m ORDER BY COUNT { (m)-[:S]->() } DESC LIMIT 1 }
      RETURN n.name AS n, m.name AS m`,
    rows: ['["a","b"]', '["b","c"]', '["c","a"]'],
  },
  {
    name: 'subqueries: compared with each other',
    text: `MATCH (n:N) WHERE EXISTS { (n)-[:S]->() } = EXISTS { (n)<-[:S]-() } RETURN n.name AS n, (n)-[:S]->(:M) XOR (n)-[:R]->() AS x`,
    rows: ['["a",true]', '["b",true]'],
  },
  {
    name: 'subqueries: items of UNWIND',
    text: 'MATCH (n:N) UNWIND [COUNT { (n)-->() }, 7] AS x RETURN n.name AS n, x',
    rows: ['["a",3]', '["a",7]', '["b",1]', '["b",7]', '["c",2]', '["c",7]'],
  },
  {
    name: 'subqueries: operands that are mentioned several times',
    text: `MATCH (n:N) WHERE COUNT { (n)-[:S]->() } IN [0, 1, null]
      RETURN n.name AS n, n.l[COUNT { (n)-[:S]->() }] AS item, COUNT { (n)-->() } / COUNT { (n)-[:R]->() } AS ratio`,
    rows: ['["a",2,1]', '["b",null,1]', '["c",null,2]'],
  },
  {
    name: 'subqueries: in lists whose items are read',
    text: `MATCH (n:N) RETURN n.name AS n, [x IN [COUNT { (n)-->() }, 7] | x + 1] AS a,
       reduce(s = 0, x IN [COUNT { (n)-->() }] | s + x) AS b,
       [7, COUNT { (n)-->() }][1..] AS c`,
    notOnSpark: true,
    rows: ['["a",[4,8],3,[3]]', '["b",[2,8],1,[1]]', '["c",[3,8],2,[2]]'],
  },
  {
    name: 'pattern comprehensions keep nulls, and are empty lists',
    text: 'MATCH (n) WHERE n.name IS NOT NULL RETURN n.name AS n, [(n)-[r:S]->() | r.w] AS bag',
    notOnSpark: true,
    rows: ['["a",[5]]', '["b",[]]', '["c",[null]]', '["d",[]]'],
  },
  {
    name: 'pattern comprehensions of nodes, within other lists',
    text: `MATCH (n:N)
      RETURN n.name AS n, size([(n)-->(m) WHERE m.v > 1 | m.v]) AS count,
       'b' IN [(n)-->(m) | m.name] AS isThere, [x IN [(n)-->(m) | m] | x.name] AS bag`,
    notOnSpark: true,
    rows: ['["a",2,true,["a","b","b"]]', '["b",1,false,["c"]]', '["c",0,false,["a","d"]]'],
  },
  {
    name: 'COLLECT subqueries',
    text: 'MATCH (n) WHERE n.name IS NOT NULL RETURN n.name AS n, COLLECT { MATCH (n)-[r]->() WHERE r.w > 1 RETURN r.w } AS bag',
    notOnSpark: true,
    rows: ['["a",[2,5]]', '["b",[3]]', '["c",[4]]', '["d",[]]'],
  },
  {
    name: 'maps in lists, behind an order',
    text: `MATCH (n:N)-[r]->(m) WITH n, m, r ORDER BY r.w DESC WITH n, head(collect({to: m.name, w: r.w})) AS last
      RETURN n.name AS n, last.to AS m, last.w AS w, last.none AS none`,
    rows: ['["a","a",5,null]', '["b","c",3,null]', '["c","d",null,null]'],
  },
  {
    name: 'maps with nulls as columns and as keys of groups',
    text: 'MATCH (n) WITH {v: n.v, name: null} AS map RETURN map, count(*) AS count',
    rows: ['[{"v":1,"name":null},1]', '[{"v":2,"name":null},2]', '[{"v":9223372036854775807,"name":null},2]', '[{"v":null,"name":null},1]'],
  },
  {
    name: 'maps within maps, and absent ones',
    text: `MATCH (n:N) OPTIONAL MATCH (n)-[:S]->(m:M)
      WITH n, CASE WHEN m IS NULL THEN null ELSE {m: {name: m.name}} END AS x
      RETURN n.name AS n, x, x.m.name AS m, x IS NULL AS absent`,
    rows: ['["a",null,null,true]', '["b",null,null,true]', '["c",{"m":{"name":"d"}},"d",false]'],
  },
  {
    name: 'aggregates of nothing but nulls',
    text: `MATCH (n:M)
      RETURN avg(n.none) AS a, sum(n.none) AS b, min(n.none) AS c, collect(n.none) AS d, count(n.none) AS e, collect(DISTINCT n.none) AS f`,
    rows: ['[null,0,null,[],0,[]]'],
  },
  {
    name: 'aggregates of nothing but nulls, in groups',
    text: 'MATCH (n:N) RETURN n.v AS v, max(null) AS a, sum(null) AS b, collect(null) AS c',
    rows: ['[1,null,0,[]]', '[2,null,0,[]]'],
  },
  {
    name: 'a long value IN a pattern comprehension',
    text: `MATCH (n:N)
      RETURN n.name AS n, n.name + '12345678901234567890123456789012345678901234567890' IN [(n)-->(m) | m.name] AS isThere`,
    notOnSpark: true,
    rows: ['["a",false]', '["b",false]', '["c",false]'],
  },
  {
    name: 'a pattern comprehension of a value from outside',
    text: 'MATCH (n:N) WITH n, n.v + 1 AS v RETURN n.name AS n, [(n)-->() | v] AS x, [(n)-->(m) | [(m)-->() | n.name]] AS bag',
    notOnSpark: true,
    rows: ['["a",[2,2,2],[["a","a","a"],["a"],["a"]]]', '["b",[3],[["b","b"]]]', '["c",[3,3],[["c","c","c"],[]]]'],
  },
];
