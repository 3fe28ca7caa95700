/** Patterns of variable length, named paths, shortest paths. */
import { pair } from './pair.ts';

/** Every walk of at most `limit` KNOWS relationships from `start`, each used once: (start, node, depth, used). */
const walks = (limit: number, start: string) =>
  `WITH RECURSIVE walk(start, node, depth, used) AS (SELECT id, id, 0, ',' FROM person WHERE ${start}
   UNION ALL SELECT w.start, k.b, w.depth + 1, w.used || k.rid || ',' FROM walk w JOIN knows_both k ON k.a = w.node
   WHERE w.depth < ${limit} AND instr(w.used, ',' || k.rid || ',') = 0)`;

/** Least number of KNOWS relationships from `start` to every person within `limit`. */
const distances = (limit: number, start: number) =>
  `WITH RECURSIVE reach(node, depth) AS (SELECT ${start}, 0 UNION SELECT k.b, r.depth + 1 FROM reach r
   JOIN knows_both k ON k.a = r.node WHERE r.depth < ${limit}),
   distance AS (SELECT node, min(depth) AS depth FROM reach GROUP BY node)`;

const PERSONS_OF_INDIA =
  'SELECT l.src FROM person_isLocatedIn_place l JOIN place_isPartOf_place a ON a.src = l.dst JOIN place c ON c.id = a.dst ' +
  "WHERE c.name = 'India'";

export const PATHS = [
  pair(
    'one to three hops, each relationship once',
    `MATCH (p:Person {id: 4398046511333})-[:KNOWS*1..3]-(f:Person) RETURN count(*) AS paths, count(DISTINCT f) AS people`,
    `${walks(3, 'id = 4398046511333')} SELECT count(*) AS paths, count(DISTINCT node) AS people FROM walk WHERE depth > 0`,
  ),
  pair(
    'exactly two hops from everybody',
    'MATCH (p:Person)-[:KNOWS*2]-(f:Person) RETURN p.id AS id, count(*) AS paths, count(DISTINCT f.id) AS people ORDER BY paths ' +
      'DESC, id LIMIT 20',
    `${walks(2, 'TRUE')} SELECT start AS id, count(*) AS paths, count(DISTINCT node) AS people FROM walk WHERE depth = 2 GROUP ` +
      'BY 1 ORDER BY paths DESC, id LIMIT 20',
  ),
  pair(
    'directed, with the number of hops',
    `MATCH path = (p:Person {id: 4398046511333})-[:KNOWS*1..4]->(f:Person) RETURN length(path) AS hops, count(*) AS n ORDER BY hops`,
    `WITH RECURSIVE walk(node, depth, used) AS (SELECT 4398046511333, 0, ',' UNION ALL
     SELECT k.dst, w.depth + 1, w.used || k.rid || ',' FROM walk w JOIN knows k ON k.src = w.node
     WHERE w.depth < 4 AND instr(w.used, ',' || k.rid || ',') = 0) SELECT depth AS hops, count(*) AS n FROM walk WHERE depth > 0
     GROUP BY 1 ORDER BY hops`,
  ),
  pair(
    'zero hops are a path',
    `MATCH (c:TagClass {name: 'Agent'})<-[:IS_SUBCLASS_OF*0..]-(s:TagClass) RETURN s.name AS name`,
    `WITH RECURSIVE sub(id) AS (SELECT id FROM tagclass WHERE name = 'Agent' UNION ALL SELECT r.src FROM sub
     JOIN tagclass_isSubclassOf_tagclass r ON r.dst = sub.id)
     SELECT name FROM sub JOIN tagclass USING (id)`,
  ),
  pair(
    'to the root, without a bound',
    `MATCH path = (c:TagClass)-[:IS_SUBCLASS_OF*]->(:TagClass {name: 'Thing'}) RETURN c.name AS name, length(path) AS depth ` +
      'ORDER BY depth DESC, name',
    `WITH RECURSIVE up(id, at, depth) AS (SELECT id, id, 0 FROM tagclass UNION ALL SELECT up.id, r.dst, depth + 1 FROM up
     JOIN tagclass_isSubclassOf_tagclass r ON r.src = up.at)
     SELECT c.name, depth FROM up JOIN tagclass c ON c.id = up.id JOIN tagclass t ON t.id = up.at WHERE t.name = 'Thing'
     AND depth > 0 ORDER BY depth DESC, c.name`,
  ),
  pair(
    'names along a path',
    `MATCH path = (c:TagClass {name: 'Monarch'})-[:IS_SUBCLASS_OF*]->(:TagClass) RETURN [n IN nodes(path) | n.name] AS names ` +
      'ORDER BY size(names)',
    `WITH RECURSIVE up(id, names) AS (SELECT id, json_array(name) FROM tagclass WHERE name = 'Monarch'
     UNION ALL SELECT c.id, json_insert(up.names, '$[#]', c.name) FROM up JOIN tagclass_isSubclassOf_tagclass r ON r.src = up.id
     JOIN tagclass c ON c.id = r.dst)
     SELECT names FROM up WHERE json_array_length(names) > 1 ORDER BY json_array_length(names)`,
  ),
  pair(
    'threads of replies down to their post',
    `MATCH path = (c:Comment)-[:REPLY_OF*]->(p:Post) RETURN length(path) AS depth, count(*) AS n ORDER BY depth`,
    `WITH RECURSIVE up(at, depth) AS (SELECT dst, 1 FROM reply_of UNION ALL SELECT r.dst, depth + 1 FROM up
     JOIN reply_of r ON r.src = up.at)
     SELECT depth, count(*) AS n FROM up WHERE at IN (SELECT id FROM post) GROUP BY 1 ORDER BY depth`,
  ),
  pair(
    'the longest thread of a forum',
    'MATCH (f:Forum)-[:CONTAINER_OF]->(:Post)<-[r:REPLY_OF*]-(c:Comment) RETURN f.id AS forum, max(size(r)) AS longest, ' +
      'count(c) AS comments ORDER BY longest DESC, comments DESC, forum LIMIT 20',
    `WITH RECURSIVE down(post, at, depth) AS (SELECT dst, src, 1 FROM comment_replyOf_post UNION ALL
     SELECT down.post, r.src, depth + 1 FROM down JOIN reply_of r ON r.dst = down.at)
     SELECT c.src AS forum, max(depth) AS longest, count(*) AS comments FROM down
     JOIN forum_containerOf_post c ON c.dst = down.post GROUP BY 1 ORDER BY longest DESC, comments DESC, forum LIMIT 20`,
  ),
  pair(
    'a predicate on every relationship of a path',
    'MATCH (p:Person {id: 8796093022357})-[k:KNOWS*1..3]-(f:Person) WHERE all(r IN k WHERE r.creationDate > 1280000000000) ' +
      'RETURN f.id AS id, count(*) AS paths',
    `WITH RECURSIVE walk(node, depth, used) AS (SELECT 8796093022357, 0, ',' UNION ALL
     SELECT k.b, w.depth + 1, w.used || k.rid || ',' FROM walk w JOIN knows_both k ON k.a = w.node
     WHERE w.depth < 3 AND k.creationDate > 1280000000000 AND instr(w.used, ',' || k.rid || ',') = 0)
     SELECT node AS id, count(*) AS paths FROM walk WHERE depth > 0 GROUP BY 1`,
  ),
  pair(
    'types along a path of any type',
    `MATCH path = (:Person {id: 4398046511333})-[*2]->(:Place) RETURN [r IN relationships(path) | type(r)] AS types, count(*) AS n`,
    `SELECT '["' || first || '","' || second || '"]' AS types, count(*) AS n FROM (
       SELECT 'IS_LOCATED_IN' AS first, 'IS_PART_OF' AS second FROM person_isLocatedIn_place l
       JOIN place_isPartOf_place a ON a.src = l.dst WHERE l.src = 4398046511333
       UNION ALL SELECT 'KNOWS', 'IS_LOCATED_IN' FROM knows k JOIN person_isLocatedIn_place l ON l.src = k.dst WHERE k.src = 4398046511333
       UNION ALL SELECT 'LIKES', 'IS_LOCATED_IN' FROM likes k JOIN message_place l ON l.src = k.dst WHERE k.src = 4398046511333
       UNION ALL SELECT 'STUDY_AT', 'IS_LOCATED_IN' FROM person_studyAt_organisation s
       JOIN organisation_isLocatedIn_place l ON l.src = s.dst WHERE s.src = 4398046511333
       UNION ALL SELECT 'WORK_AT', 'IS_LOCATED_IN' FROM person_workAt_organisation s
       JOIN organisation_isLocatedIn_place l ON l.src = s.dst WHERE s.src = 4398046511333) GROUP BY 1`,
  ),
  pair(
    'a shortest path',
    'MATCH (a:Person {id: 8796093022357}), (b:Person {id: 8796093022390}) MATCH path = shortestPath((a)-[:KNOWS*]-(b)) RETURN ' +
      'length(path) AS hops',
    `${distances(8, 8796093022357)} SELECT depth AS hops FROM distance WHERE node = 8796093022390`,
  ),
  pair(
    'shortest paths to everybody within reach',
    'MATCH (a:Person {id: 4398046511333}), (b:Person) WHERE a <> b MATCH path = shortestPath((a)-[:KNOWS*..6]-(b)) RETURN ' +
      'length(path) AS hops, count(*) AS people ORDER BY hops',
    `${distances(6, 4398046511333)} SELECT depth AS hops, count(*) AS people FROM distance WHERE depth > 0 GROUP BY 1 ORDER BY hops`,
  ),
  pair(
    'all shortest paths',
    'MATCH (a:Person {id: 8796093022357}), (b:Person {id: 8796093022390}) MATCH path = allShortestPaths((a)-[:KNOWS*]-(b)) ' +
      'RETURN length(path) AS hops, count(*) AS paths',
    `${distances(8, 8796093022357)}, ways(node, depth, n) AS (SELECT 8796093022357, 0, 1 UNION ALL SELECT k.b, w.depth + 1, w.n
     FROM ways w JOIN knows_both k ON k.a = w.node
     JOIN distance d ON d.node = k.b AND d.depth = w.depth + 1 WHERE w.depth < (SELECT depth FROM distance WHERE node = 8796093022390))
     SELECT depth AS hops, sum(n) AS paths FROM ways WHERE node = 8796093022390 GROUP BY 1`,
  ),
  pair(
    'variable length between fixed steps',
    `MATCH (c:Country {name: 'India'})<-[:IS_PART_OF]-(:City)<-[:IS_LOCATED_IN]-(p:Person)-[:KNOWS*1..2]-(f:Person)
       -[:HAS_INTEREST]->(t:Tag)-[:HAS_TYPE]->(k:TagClass)
     RETURN k.name AS class, count(DISTINCT f) AS people ORDER BY people DESC, class LIMIT 15`,
    `${walks(2, `id IN (${PERSONS_OF_INDIA})`)}
     SELECT k.name AS class, count(DISTINCT node) AS people FROM (SELECT DISTINCT node FROM walk WHERE depth > 0)
     JOIN person_hasInterest_tag i ON i.src = node
     JOIN tag_hasType_tagclass h ON h.src = i.dst JOIN tagclass k ON k.id = h.dst GROUP BY k.id ORDER BY people DESC, class LIMIT 15`,
  ),
  pair(
    'friends of friends who are no friends',
    'MATCH (p:Person {id: 4398046511333})-[:KNOWS*2]-(f:Person) WHERE NOT (p)-[:KNOWS]-(f) AND p <> f RETURN DISTINCT f.id AS ' +
      'id, f.lastName AS lastName',
    `${walks(2, 'id = 4398046511333')} SELECT DISTINCT f.id, f.lastName FROM walk w JOIN person f ON f.id = w.node
     WHERE depth = 2 AND f.id <> 4398046511333
     AND f.id NOT IN (SELECT b FROM knows_both WHERE a = 4398046511333)`,
  ),
];
