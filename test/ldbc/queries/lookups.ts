/** Lookups and scans of one label: predicates, null, lists, strings, ordering, paging. */
import { pair } from './pair.ts';

export const LOOKUPS = [
  pair(
    'a person by id',
    `MATCH (p:Person {id: 4398046511333})
     RETURN p.firstName AS firstName, p.lastName AS lastName, p.gender AS gender, p.birthday AS birthday, p.browserUsed AS browserUsed`,
    `SELECT firstName, lastName, gender, birthday, browserUsed FROM person WHERE id = 4398046511333`,
  ),
  pair(
    'a message by id, with the properties that it lacks',
    `MATCH (m:Message {id: 343597383680})
     RETURN m.imageFile AS imageFile, m.content AS content, m.language AS language, m.length AS length, m.content IS NULL AS empty`,
    `SELECT imageFile, content, language, length, content IS NULL AS empty FROM message WHERE id = 343597383680`,
  ),
  pair(
    'places of one name and their second label',
    `MATCH (p:Place) WHERE p.name = 'Sweden' RETURN p.id AS id, 'Country' IN labels(p) AS country, 'City' IN labels(p) AS city`,
    `SELECT id, type = 'country' AS country, type = 'city' AS city FROM place WHERE name = 'Sweden'`,
  ),
  pair(
    'strings that start so',
    `MATCH (t:Tag) WHERE t.name STARTS WITH 'The_B' RETURN t.id AS id, t.name AS name`,
    `SELECT id, name FROM tag WHERE substr(name, 1, 5) = 'The_B'`,
  ),
  pair(
    'strings that contain',
    `MATCH (t:Tag) WHERE t.name CONTAINS 'Queen' RETURN count(*) AS n, min(t.name) AS first, max(t.name) AS last`,
    `SELECT count(*) AS n, min(name) AS first, max(name) AS last FROM tag WHERE instr(name, 'Queen') > 0`,
  ),
  pair(
    'strings that end so',
    `MATCH (o:University) WHERE o.name ENDS WITH 'Technology' RETURN o.name AS name ORDER BY name`,
    `SELECT name FROM organisation WHERE type = 'university' AND name GLOB '*Technology' ORDER BY name`,
  ),
  pair(
    'a predicate over a list of constants',
    `MATCH (p:Person) WHERE p.firstName IN ['John', 'Otto', 'Nobody', null] RETURN p.firstName AS name, count(*) AS n`,
    `SELECT firstName AS name, count(*) AS n FROM person WHERE firstName IN ('John', 'Otto', 'Nobody') GROUP BY 1`,
  ),
  pair(
    'a range, ordered',
    `MATCH (m:Comment) WHERE 100 <= m.length < 110 RETURN m.id AS id, m.length AS length ORDER BY m.length DESC, m.id`,
    `SELECT id, length FROM comment WHERE length >= 100 AND length < 110 ORDER BY length DESC, id`,
  ),
  pair(
    'distinct values',
    `MATCH (m:Message) RETURN DISTINCT m.browserUsed AS browser`,
    `SELECT DISTINCT browserUsed AS browser FROM message`,
  ),
  pair(
    'counts of every label',
    `MATCH (n) UNWIND labels(n) AS label RETURN label, count(*) AS n`,
    `SELECT 'Person' AS label, count(*) AS n FROM person UNION ALL SELECT 'Message', count(*) FROM message
     UNION ALL SELECT 'Post', count(*) FROM post UNION ALL SELECT 'Comment', count(*) FROM comment
     UNION ALL SELECT 'Forum', count(*) FROM forum UNION ALL SELECT 'Tag', count(*) FROM tag UNION ALL
     SELECT 'TagClass', count(*) FROM tagclass
     UNION ALL SELECT 'Place', count(*) FROM place UNION ALL SELECT upper(substr(type, 1, 1)) || substr(type, 2), count(*)
     FROM place GROUP BY type
     UNION ALL SELECT 'Organisation', count(*) FROM organisation
     UNION ALL SELECT upper(substr(type, 1, 1)) || substr(type, 2), count(*) FROM organisation GROUP BY type`,
  ),
  pair(
    'membership in a list property',
    `MATCH (p:Person) WHERE 'uz' IN p.language RETURN p.id AS id, size(p.language) AS languages`,
    `SELECT id, length(language) - length(replace(language, ';', '')) + 1 AS languages FROM person WHERE ';' || language || ';' ` +
      `LIKE '%;uz;%'`,
  ),
  pair(
    'first element and slice of a list property',
    `MATCH (p:Person) WHERE p.firstName = 'John' RETURN p.id AS id, p.language[0] AS first, p.language[-2..] AS lastTwo`,
    `SELECT id, substr(language, 1, instr(language || ';', ';') - 1) AS first,
       (SELECT json_group_array(value) FROM (SELECT value, key FROM (
          SELECT value, key FROM json_each('["' || replace(language, ';', '","') || '"]') ORDER BY key DESC LIMIT 2)
          ORDER BY key)) AS lastTwo
     FROM person WHERE firstName = 'John'`,
  ),
  pair(
    'count of rows and of values',
    'MATCH (m:Post) RETURN count(*) AS rows, count(m.content) AS content, count(m.imageFile) AS image, count(DISTINCT ' +
      'm.language) AS languages',
    `SELECT count(*) AS rows, count(content) AS content, count(imageFile) AS image, count(DISTINCT language) AS languages FROM post`,
  ),
  pair(
    'three-valued logic over a missing property',
    `MATCH (m:Post) WHERE NOT (m.language = 'uz' OR m.length > 100) RETURN m.language AS language, count(*) AS n`,
    `SELECT language, count(*) AS n FROM post WHERE NOT (language = 'uz' OR length > 100) GROUP BY 1`,
  ),
  pair(
    'a regular expression',
    `MATCH (f:Forum) WHERE f.title =~ 'Album [0-9]+ of J.*' RETURN f.title AS title`,
    `SELECT title FROM forum WHERE title GLOB 'Album [0-9]* of J*'`,
  ),
  pair(
    'paging through an order',
    `MATCH (p:Person) RETURN p.lastName AS lastName, p.id AS id ORDER BY lastName, id SKIP 40 LIMIT 25`,
    `SELECT lastName, id FROM person ORDER BY lastName, id LIMIT 25 OFFSET 40`,
  ),
  pair(
    'buckets by CASE',
    `MATCH (m:Message)
     RETURN CASE WHEN m.length = 0 THEN 'empty' WHEN m.length < 50 THEN 'short' WHEN m.length < 100 THEN 'middle' ELSE 'long'
     END AS bucket, count(*) AS n`,
    `SELECT CASE WHEN length = 0 THEN 'empty' WHEN length < 50 THEN 'short' WHEN length < 100 THEN 'middle' ELSE 'long' END AS
     bucket, count(*) AS n
     FROM message GROUP BY 1`,
  ),
  pair(
    'the first that is not null',
    `MATCH (m:Post) RETURN coalesce(m.language, m.imageFile, 'none') STARTS WITH 'photo' AS photo, count(*) AS n`,
    `SELECT coalesce(language, imageFile, 'none') GLOB 'photo*' AS photo, count(*) AS n FROM post GROUP BY 1`,
  ),
  pair(
    'arithmetic on integers',
    `MATCH (p:Person) RETURN p.birthday / 86400000 % 7 AS weekday, sum(p.birthday % 1000) AS rest, count(*) AS n ORDER BY weekday`,
    `SELECT birthday / 86400000 % 7 AS weekday, sum(birthday % 1000) AS rest, count(*) AS n FROM person GROUP BY 1 ORDER BY weekday`,
  ),
  pair(
    'upper and lower case, substring, length',
    `MATCH (c:Country) RETURN toUpper(substring(c.name, 0, 3)) AS code, size(c.name) AS letters, toLower(right(c.name, 2)) AS tail`,
    `SELECT upper(substr(name, 1, 3)) AS code, length(name) AS letters, lower(substr(name, -2)) AS tail FROM place WHERE type = 'country'`,
  ),
];
