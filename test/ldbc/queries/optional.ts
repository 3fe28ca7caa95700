/** OPTIONAL MATCH, pattern predicates, EXISTS, COUNT, comprehensions, CALL subqueries. */
import { pair } from './pair.ts';

export const OPTIONAL = [
  pair(
    'a count of what may be missing',
    `MATCH (p:Person) OPTIONAL MATCH (p)<-[:HAS_CREATOR]-(m:Comment) RETURN p.id AS id, count(m) AS comments`,
    `SELECT p.id, count(h.src) AS comments FROM person p LEFT JOIN comment_hasCreator_person h ON h.dst = p.id GROUP BY 1`,
  ),
  pair(
    'rows of null',
    `MATCH (p:Person) OPTIONAL MATCH (p)-[s:STUDY_AT]->(u:University) RETURN p.id AS id, u.name AS university, s.classYear AS year`,
    'SELECT p.id, u.name AS university, s.classYear AS year FROM person p LEFT JOIN person_studyAt_organisation s ON s.src = ' +
      'p.id LEFT JOIN organisation u ON u.id = s.dst',
  ),
  pair(
    'a predicate inside the optional part',
    `MATCH (p:Person {gender: 'male'}) OPTIONAL MATCH (p)-[w:WORK_AT]->(o:Company) WHERE w.workFrom < 2000 RETURN p.id AS id, ` +
      'o.name AS company',
    'SELECT p.id, o.name AS company FROM person p LEFT JOIN person_workAt_organisation w ON w.src = p.id AND w.workFrom < 2000 ' +
      `LEFT JOIN organisation o ON o.id = w.dst WHERE p.gender = 'male'`,
  ),
  pair(
    'two optional parts one after the other',
    `MATCH (f:Forum) WHERE f.title STARTS WITH 'Group' OPTIONAL MATCH (f)-[:HAS_MEMBER]->(p:Person) WITH f, count(p) AS members
     OPTIONAL MATCH (f)-[:CONTAINER_OF]->(m:Post) RETURN f.id AS id, members, count(m) AS posts`,
    `SELECT f.id, (SELECT count(*) FROM forum_hasMember_person h WHERE h.src = f.id) AS members, (SELECT count(*)
     FROM forum_containerOf_post c WHERE c.src = f.id) AS posts
     FROM forum f WHERE f.title GLOB 'Group*'`,
  ),
  pair(
    'optional two hops are all or nothing',
    'MATCH (t:TagClass) OPTIONAL MATCH (t)<-[:HAS_TYPE]-(:Tag)<-[:HAS_INTEREST]-(p:Person) RETURN t.name AS class, count(p) AS ' +
      'interests, count(DISTINCT p) AS people',
    'SELECT t.name AS class, count(i.src) AS interests, count(DISTINCT i.src) AS people FROM tagclass t LEFT JOIN ' +
      '(tag_hasType_tagclass h JOIN person_hasInterest_tag i ON i.dst = h.src) ON h.dst = t.id GROUP BY t.id',
  ),
  pair(
    'a pattern as a predicate',
    `MATCH (p:Person) WHERE (p)-[:STUDY_AT]->() AND NOT (p)-[:WORK_AT]->() RETURN p.id AS id`,
    'SELECT id FROM person WHERE id IN (SELECT src FROM person_studyAt_organisation) AND id NOT IN (SELECT src FROM ' +
      'person_workAt_organisation)',
  ),
  pair(
    'a pattern between two bound nodes',
    `MATCH (a:Person)-[:LIKES]->(:Message)-[:HAS_CREATOR]->(b:Person) WHERE NOT (a)-[:KNOWS]-(b) AND a <> b RETURN count(*) AS n`,
    'SELECT count(*) AS n FROM likes l JOIN has_creator h ON h.src = l.dst WHERE l.src <> h.dst AND NOT EXISTS (SELECT 1 FROM ' +
      'knows_both k WHERE k.a = l.src AND k.b = h.dst)',
  ),
  pair(
    'EXISTS with a predicate of its own',
    `MATCH (p:Person) WHERE EXISTS { MATCH (p)-[:KNOWS]-(f:Person) WHERE f.firstName = p.firstName } RETURN p.id AS id`,
    'SELECT id FROM person p WHERE EXISTS (SELECT 1 FROM knows_both k JOIN person f ON f.id = k.b WHERE k.a = p.id AND ' +
      'f.firstName = p.firstName)',
  ),
  pair(
    'COUNT of a subquery',
    `MATCH (p:Person) WHERE COUNT { (p)-[:KNOWS]-() } > 20 RETURN p.id AS id, COUNT { (p)-[:LIKES]->(:Post) } AS likes`,
    'SELECT id, (SELECT count(*) FROM person_likes_post l WHERE l.src = p.id) AS likes FROM person p WHERE (SELECT count(*) ' +
      'FROM knows_both k WHERE k.a = p.id) > 20',
  ),
  pair(
    'a pattern comprehension',
    `MATCH (p:Person) WHERE p.firstName = 'John' RETURN p.id AS id, size([(p)-[:KNOWS]-(f:Person) WHERE f.gender = 'female' | ` +
      'f.id]) AS friends',
    `SELECT id, (SELECT count(*) FROM knows_both k JOIN person f ON f.id = k.b WHERE k.a = p.id AND f.gender = 'female') AS ` +
      `friends FROM person p WHERE firstName = 'John'`,
  ),
  pair(
    'a list comprehension over a property',
    `MATCH (p:Person) WHERE p.firstName = 'Otto' RETURN p.id AS id, [e IN p.email WHERE e ENDS WITH '.com' | size(e)] AS lengths`,
    `SELECT id, (SELECT json_group_array(length(value)) FROM json_each('["' || replace(email, ';', '","') || '"]') WHERE value ` +
      `GLOB '*.com') AS lengths FROM person WHERE firstName = 'Otto'`,
  ),
  pair(
    'quantifiers over a list',
    `MATCH (p:Person) RETURN all(e IN p.email WHERE e CONTAINS 'gm') AS every, any(e IN p.email
     WHERE e CONTAINS 'zoho') AS any, none(l IN p.language WHERE l = 'en') AS none,
       single(l IN p.language WHERE l STARTS WITH 'e') AS single, count(*) AS n`,
    `SELECT (SELECT count(*) FROM json_each('["' || replace(email, ';', '","') || '"]')
     WHERE value NOT LIKE '%gm%') = 0 AS every, instr(email, 'zoho') > 0 AS "any",
       instr(';' || language || ';', ';en;') = 0 AS none, (SELECT count(*) FROM json_each('["' || replace(language, ';', '","')
       || '"]') WHERE value GLOB 'e*') = 1 AS single, count(*) AS n
     FROM person GROUP BY 1, 2, 3, 4`,
  ),
  pair(
    'reduce',
    `MATCH (p:Person) RETURN sum(reduce(n = 0, e IN p.email | n + size(e))) AS characters`,
    `SELECT sum(length(replace(email, ';', ''))) AS characters FROM person`,
  ),
  pair(
    'a subquery for each row',
    'MATCH (c:Continent) CALL { WITH c MATCH (c)<-[:IS_PART_OF]-(k:Country) RETURN k.name AS country ORDER BY country LIMIT 2 } ' +
      'RETURN c.name AS continent, country',
    `SELECT continent, country FROM (SELECT c.name AS continent, k.name AS country, row_number() OVER (PARTITION BY c.id
     ORDER BY k.name) AS r FROM place c
     JOIN place_isPartOf_place a ON a.dst = c.id JOIN place k ON k.id = a.src WHERE c.type = 'continent') WHERE r <= 2`,
  ),
  pair(
    'negation of a missing relationship',
    `MATCH (p:Person) WHERE NOT EXISTS { (p)-[:KNOWS]-() } RETURN p.id AS id`,
    `SELECT id FROM person WHERE id NOT IN (SELECT a FROM knows_both)`,
  ),
];
