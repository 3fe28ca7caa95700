/** Grouping, aggregates, pipelines of WITH, DISTINCT, UNION, UNWIND. */
import { pair } from './pair.ts';

export const AGGREGATES = [
  pair(
    'all aggregates of a column',
    `MATCH (m:Message) RETURN count(m.length) AS n, sum(m.length) AS sum, min(m.length) AS min, max(m.length) AS max, avg(m.length) AS avg`,
    `SELECT count(length) AS n, sum(length) AS sum, min(length) AS min, max(length) AS max, avg(length) AS avg FROM message`,
  ),
  pair(
    'aggregates of nothing',
    'MATCH (m:Message) WHERE m.length > 1000000 RETURN count(*) AS n, sum(m.length) AS sum, min(m.length) AS min, avg(m.length) ' +
      'AS avg, collect(m.id) AS ids',
    'SELECT count(*) AS n, coalesce(sum(length), 0) AS sum, min(length) AS min, avg(length) AS avg, json_group_array(id) AS ids ' +
      'FROM message WHERE length > 1000000',
  ),
  pair(
    'standard deviation',
    `MATCH (p:Person) RETURN stDev(p.birthday) AS sample, stDevP(p.birthday) AS population`,
    `SELECT sqrt(sum((birthday - m) * (birthday - m)) / (count(*) - 1)) AS sample, sqrt(sum((birthday - m) * (birthday - m)) /
     count(*)) AS population
     FROM person, (SELECT avg(birthday) AS m FROM person)`,
  ),
  pair(
    'percentiles',
    'MATCH (c:Comment) RETURN percentileDisc(c.length, 0.5) AS median, percentileDisc(c.length, 0.9) AS p90, ' +
      'percentileCont(c.length, 0.25) AS p25',
    `SELECT max(CASE WHEN r = (n + 1) / 2 THEN length END) AS median, max(CASE WHEN r = (n * 9 + 9) / 10 THEN length END) AS p90,
       max(CASE WHEN r = (n - 1) / 4 + 1 THEN length END) * (1 - ((n - 1) % 4) / 4.0) + max(CASE WHEN r = (n - 1) / 4 + 2 THEN
       length END) * (((n - 1) % 4) / 4.0) AS p25
     FROM (SELECT length, row_number() OVER (ORDER BY length) AS r, count(*) OVER () AS n FROM comment)`,
  ),
  pair(
    'groups by two keys, one of them null',
    `MATCH (m:Post) RETURN m.language AS language, m.browserUsed AS browser, count(*) AS n, sum(m.length) AS length`,
    `SELECT language, browserUsed AS browser, count(*) AS n, sum(length) AS length FROM post GROUP BY 1, 2`,
  ),
  pair(
    'null orders last, descending first',
    `MATCH (m:Post) WITH DISTINCT m.language AS language RETURN language ORDER BY language DESC`,
    `SELECT DISTINCT language FROM post ORDER BY language DESC NULLS FIRST`,
  ),
  pair(
    'a filter on groups',
    'MATCH (p:Person)-[:HAS_INTEREST]->(t:Tag) WITH t, count(p) AS fans WHERE fans >= 12 RETURN t.name AS tag, fans ORDER BY ' +
      'fans DESC, tag',
    'SELECT t.name AS tag, count(*) AS fans FROM person_hasInterest_tag i JOIN tag t ON t.id = i.dst GROUP BY t.id HAVING fans ' +
      '>= 12 ORDER BY fans DESC, tag',
  ),
  pair(
    'groups of groups',
    `MATCH (p:Person)-[:KNOWS]-(f) WITH p, count(f) AS friends RETURN friends, count(p) AS people ORDER BY friends`,
    `SELECT friends, count(*) AS people FROM (SELECT a, count(*) AS friends FROM knows_both GROUP BY a) GROUP BY 1 ORDER BY friends`,
  ),
  pair(
    'the top of each group by collect',
    `MATCH (c:Country)<-[:IS_PART_OF]-(:City)<-[:IS_LOCATED_IN]-(p:Person) WITH c, p ORDER BY p.birthday DESC, p.id
     WITH c, collect(p.id)[..2] AS youngest, count(*) AS n WHERE n > 2 RETURN c.name AS country, youngest ORDER BY country`,
    `SELECT country, json_group_array(id) AS youngest FROM (SELECT c.name AS country, p.id, row_number() OVER (PARTITION BY c.id
     ORDER BY p.birthday DESC, p.id) AS r,
       count(*) OVER (PARTITION BY c.id) AS n FROM person p JOIN person_isLocatedIn_place l ON l.src = p.id
       JOIN place_isPartOf_place a ON a.src = l.dst JOIN place c ON c.id = a.dst
       ORDER BY c.name, r) WHERE r <= 2 AND n > 2 GROUP BY country ORDER BY country`,
  ),
  pair(
    'distinct rows before paging',
    'MATCH (:Person)-[:WORK_AT]->(o:Company)-[:IS_LOCATED_IN]->(c:Country) RETURN DISTINCT c.name AS country ORDER BY country ' +
      'SKIP 5 LIMIT 10',
    `SELECT DISTINCT c.name AS country FROM person_workAt_organisation w JOIN organisation_isLocatedIn_place l ON l.src = w.dst
     JOIN place c ON c.id = l.dst
     ORDER BY country LIMIT 10 OFFSET 5`,
  ),
  pair(
    'aggregates of distinct values',
    `MATCH (f:Forum)-[:CONTAINER_OF]->(:Post)-[:HAS_CREATOR]->(p:Person) WITH f, count(DISTINCT p) AS writers, count(p) AS posts
     RETURN sum(writers) AS writers, sum(posts) AS posts, max(writers) AS most`,
    `SELECT sum(writers) AS writers, sum(posts) AS posts, max(writers) AS most
     FROM (SELECT count(DISTINCT h.dst) AS writers, count(h.dst) AS posts
     FROM forum_containerOf_post c JOIN post_hasCreator_person h ON h.src = c.dst GROUP BY c.src)`,
  ),
  pair(
    'sum of distinct values',
    `MATCH (c:Comment) RETURN sum(DISTINCT c.length) AS sum, avg(DISTINCT c.length) AS mean`,
    `SELECT sum(DISTINCT length) AS sum, avg(DISTINCT length) AS mean FROM comment`,
  ),
  pair(
    'UNION drops what is double',
    `MATCH (p:Person)-[:WORK_AT]->(:Company)-[:IS_LOCATED_IN]->(c:Country) RETURN c.name AS country
     UNION MATCH (p:Person)-[:STUDY_AT]->(:University)-[:IS_LOCATED_IN]->(:City)-[:IS_PART_OF]->(c:Country) RETURN c.name AS country`,
    `SELECT c.name AS country FROM person_workAt_organisation w JOIN organisation_isLocatedIn_place l ON l.src = w.dst
     JOIN place c ON c.id = l.dst
     UNION SELECT c.name FROM person_studyAt_organisation s JOIN organisation_isLocatedIn_place l ON l.src = s.dst
     JOIN place_isPartOf_place a ON a.src = l.dst JOIN place c ON c.id = a.dst`,
  ),
  pair(
    'UNION ALL keeps it',
    `MATCH (p:Person {firstName: 'John'}) RETURN p.id AS id UNION ALL MATCH (p:Person) WHERE p.browserUsed = 'Opera' RETURN p.id AS id`,
    `SELECT id FROM person WHERE firstName = 'John' UNION ALL SELECT id FROM person WHERE browserUsed = 'Opera'`,
  ),
  pair(
    'UNWIND of a list property',
    `MATCH (p:Person) UNWIND p.language AS language RETURN language, count(*) AS speakers ORDER BY speakers DESC, language`,
    `SELECT value AS language, count(*) AS speakers FROM person, json_each('["' || replace(language, ';', '","') || '"]') GROUP ` +
      'BY 1 ORDER BY speakers DESC, language',
  ),
  pair(
    'UNWIND of a range, with a lookup for each',
    `UNWIND range(0, 30, 5) AS i MATCH (t:Tag {id: i}) RETURN i, t.name AS name`,
    `SELECT id AS i, name FROM tag WHERE id % 5 = 0 AND id <= 30`,
  ),
  pair(
    'UNWIND of what was collected',
    'MATCH (p:Person)-[:KNOWS]->(f:Person) WITH p, collect(f) AS friends WHERE size(friends) > 15 UNWIND friends AS f RETURN ' +
      'p.id AS id, f.id AS friend',
    `SELECT src AS id, dst AS friend FROM knows WHERE src IN (SELECT src FROM knows GROUP BY src HAVING count(*) > 15)`,
  ),
  pair(
    'an order in the middle of a pipeline',
    'MATCH (p:Person) WITH p ORDER BY p.creationDate DESC, p.id LIMIT 10 MATCH (p)-[:HAS_INTEREST]->(t:Tag) RETURN p.id AS id, ' +
      'count(t) AS interests',
    'SELECT p.id, count(*) AS interests FROM (SELECT id FROM person ORDER BY creationDate DESC, id LIMIT 10) p JOIN ' +
      'person_hasInterest_tag i ON i.src = p.id GROUP BY 1',
  ),
  pair(
    'a share of the whole',
    'MATCH (m:Message) WITH count(*) AS total MATCH (m:Message) WITH total, m.browserUsed AS browser, count(*) AS n RETURN ' +
      'browser, n * 100.0 / total AS percent',
    `SELECT browserUsed AS browser, count(*) * 100.0 / (SELECT count(*) FROM message) AS percent FROM message GROUP BY 1`,
  ),
  pair(
    'months of dates in milliseconds',
    'MATCH (m:Comment) WITH datetime({epochMillis: m.creationDate}) AS at RETURN at.year AS year, at.month AS month, count(*) ' +
      'AS n ORDER BY year, month',
    `SELECT CAST(strftime('%Y', creationDate / 1000, 'unixepoch') AS INTEGER) AS year, CAST(strftime('%m', creationDate / 1000,
     'unixepoch') AS INTEGER) AS month, count(*) AS n
     FROM comment GROUP BY 1, 2 ORDER BY year, month`,
  ),
  pair(
    'the largest by an order on an aggregate',
    `MATCH (f:Forum)-[:HAS_MEMBER]->(p:Person) RETURN f.title AS title, count(p) AS members ORDER BY count(p) DESC, f.title LIMIT 10`,
    'SELECT f.title, count(*) AS members FROM forum_hasMember_person h JOIN forum f ON f.id = h.src GROUP BY f.title ORDER BY ' +
      'members DESC, f.title LIMIT 10',
  ),
  pair(
    'sums over relationship properties',
    `MATCH (p:Person)-[w:WORK_AT]->(o:Company) WITH o, min(w.workFrom) AS first, max(w.workFrom) AS last, count(*) AS staff WHERE staff > 1
     RETURN o.name AS company, last - first AS span, staff ORDER BY span DESC, staff DESC, company`,
    `SELECT o.name AS company, max(workFrom) - min(workFrom) AS span, count(*) AS staff FROM person_workAt_organisation w
     JOIN organisation o ON o.id = w.dst
     WHERE o.type = 'company' GROUP BY o.id HAVING staff > 1 ORDER BY span DESC, staff DESC, company`,
  ),
];
