/** Queries in the manner of the benchmark's own workload: several clauses, each with its share of every feature. */
import { pair } from './pair.ts';

export const SOCIAL = [
  pair(
    'the forum and the moderator of a message (short read 6)',
    `MATCH (m:Message)-[:REPLY_OF*0..]->(p:Post)<-[:CONTAINER_OF]-(f:Forum)-[:HAS_MODERATOR]->(who:Person)
     WHERE m.id IN [206158430253, 206158430254, 343597383680]
     RETURN m.id AS message, f.title AS forum, who.firstName AS firstName`,
    `WITH RECURSIVE up(id, at) AS (SELECT id, id FROM message WHERE id IN (206158430253, 206158430254, 343597383680) UNION ALL
     SELECT up.id, r.dst FROM up JOIN reply_of r ON r.src = up.at)
     SELECT up.id AS message, f.title AS forum, p.firstName FROM up JOIN forum_containerOf_post c ON c.dst = up.at
     JOIN forum f ON f.id = c.src
     JOIN forum_hasModerator_person g ON g.src = f.id JOIN person p ON p.id = g.dst`,
  ),
  pair(
    'new topics (complex read 4)',
    `MATCH (:Person {id: 10995116277918})-[:KNOWS]-(f:Person)<-[:HAS_CREATOR]-(m:Post)-[:HAS_TAG]->(t:Tag)
     WITH t, sum(CASE WHEN 1275350400000 <= m.creationDate < 1285891200000 THEN 1 ELSE 0 END) AS during, sum(CASE WHEN
     m.creationDate < 1275350400000 THEN 1 ELSE 0 END) AS before
     WHERE during > 0 AND before = 0 RETURN t.name AS tag, during ORDER BY during DESC, tag LIMIT 10`,
    `SELECT t.name AS tag, sum(m.creationDate >= 1275350400000 AND m.creationDate < 1285891200000) AS during FROM knows_both k
     JOIN post_hasCreator_person h ON h.dst = k.b
     JOIN post m ON m.id = h.src JOIN post_hasTag_tag x ON x.src = m.id JOIN tag t ON t.id = x.dst WHERE k.a = 10995116277918 GROUP BY t.id
     HAVING during > 0 AND sum(m.creationDate < 1275350400000) = 0 ORDER BY during DESC, tag LIMIT 10`,
  ),
  pair(
    'tags beside a tag (complex read 6)',
    `MATCH (:Person {id: 4398046511333})-[:KNOWS*1..2]-(f:Person) WITH DISTINCT f
     MATCH (f)<-[:HAS_CREATOR]-(m:Message)-[:HAS_TAG]->(:Tag {name: 'Augustine_of_Hippo'}), (m)-[:HAS_TAG]->(t:Tag)
     WHERE t.name <> 'Augustine_of_Hippo' RETURN t.name AS tag, count(DISTINCT m) AS messages ORDER BY messages DESC, tag LIMIT 20`,
    `WITH near AS (SELECT b AS id FROM knows_both WHERE a = 4398046511333 UNION SELECT y.b FROM knows_both x
     JOIN knows_both y ON y.a = x.b AND y.rid <> x.rid WHERE x.a = 4398046511333)
     SELECT t.name AS tag, count(DISTINCT h.src) AS messages FROM near JOIN has_creator h ON h.dst = near.id
     JOIN message_tag x ON x.src = h.src JOIN tag u ON u.id = x.dst AND u.name = 'Augustine_of_Hippo'
     JOIN message_tag y ON y.src = h.src JOIN tag t ON t.id = y.dst AND t.id <> u.id GROUP BY t.id ORDER BY messages DESC, tag LIMIT 20`,
  ),
  pair(
    'who liked last (complex read 7)',
    `MATCH (p:Person {id: 4398046511268})<-[:HAS_CREATOR]-(m:Message)<-[l:LIKES]-(f:Person) WITH p, f, m, l
     ORDER BY l.creationDate DESC, m.id
     WITH p, f, head(collect({message: m.id, at: l.creationDate})) AS last RETURN f.id AS id, last.message AS message, last.at
     AS at, NOT (f)-[:KNOWS]-(p) AS isNew ORDER BY at DESC, id`,
    `SELECT id, message, at, NOT EXISTS (SELECT 1 FROM knows_both k WHERE k.a = id AND k.b = 4398046511268) AS isNew
     FROM (SELECT l.src AS id, l.dst AS message, l.creationDate AS at,
       row_number() OVER (PARTITION BY l.src ORDER BY l.creationDate DESC, l.dst) AS r FROM has_creator h
       JOIN likes l ON l.dst = h.src WHERE h.dst = 4398046511268) WHERE r = 1 ORDER BY at DESC, id`,
  ),
  pair(
    'the latest replies (complex read 8)',
    `MATCH (:Person {id: 143})<-[:HAS_CREATOR]-(:Message)<-[:REPLY_OF]-(c:Comment)-[:HAS_CREATOR]->(who:Person)
     RETURN who.id AS who, c.id AS comment, c.creationDate AS at ORDER BY at DESC, comment LIMIT 20`,
    `SELECT w.dst AS who, c.id AS comment, c.creationDate AS at FROM has_creator h JOIN reply_of r ON r.dst = h.src
     JOIN comment c ON c.id = r.src JOIN comment_hasCreator_person w ON w.src = c.id
     WHERE h.dst = 143 ORDER BY at DESC, comment LIMIT 20`,
  ),
  pair(
    'job referral (complex read 11)',
    `MATCH (:Person {id: 10995116277918})-[:KNOWS*1..2]-(f:Person) WHERE f.id <> 10995116277918 WITH DISTINCT f
     MATCH (f)-[w:WORK_AT]->(o:Company)-[:IS_LOCATED_IN]->(c:Country)
     WHERE w.workFrom < 2011 RETURN f.id AS id, o.name AS company, c.name AS country, w.workFrom AS since
     ORDER BY since, id, company DESC LIMIT 20`,
    `WITH near AS (SELECT b AS id FROM knows_both WHERE a = 10995116277918 UNION SELECT y.b FROM knows_both x
     JOIN knows_both y ON y.a = x.b AND y.rid <> x.rid WHERE x.a = 10995116277918)
     SELECT near.id, o.name AS company, c.name AS country, w.workFrom AS since FROM near
     JOIN person_workAt_organisation w ON w.src = near.id JOIN organisation o ON o.id = w.dst
     JOIN organisation_isLocatedIn_place l ON l.src = o.id JOIN place c ON c.id = l.dst WHERE near.id <> 10995116277918
     AND w.workFrom < 2011 ORDER BY since, near.id, company DESC LIMIT 20`,
  ),
  pair(
    'experts (complex read 12)',
    `MATCH (:Person {id: 10995116278009})-[:KNOWS]-(f:Person)<-[:HAS_CREATOR]-(c:Comment)-[:REPLY_OF]->(:Post)
       -[:HAS_TAG]->(t:Tag)-[:HAS_TYPE]->(:TagClass)-[:IS_SUBCLASS_OF*0..]->(:TagClass {name: 'Person'})
     RETURN f.id AS id, count(DISTINCT t) AS tags, count(DISTINCT c) AS replies ORDER BY replies DESC, id LIMIT 20`,
    `WITH RECURSIVE sub(id) AS (SELECT id FROM tagclass WHERE name = 'Person' UNION ALL SELECT r.src FROM sub
     JOIN tagclass_isSubclassOf_tagclass r ON r.dst = sub.id)
     SELECT h.dst AS id, count(DISTINCT x.dst) AS tags, count(DISTINCT h.src) AS replies FROM knows_both k
     JOIN comment_hasCreator_person h ON h.dst = k.b
     JOIN comment_replyOf_post r ON r.src = h.src JOIN post_hasTag_tag x ON x.src = r.dst
     JOIN tag_hasType_tagclass y ON y.src = x.dst JOIN sub ON sub.id = y.dst
     WHERE k.a = 10995116278009 GROUP BY 1 ORDER BY replies DESC, id LIMIT 20`,
  ),
];
