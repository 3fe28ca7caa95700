/** Patterns of one to six hops with fixed length. */
import { pair } from './pair.ts';

export const EXPANSIONS = [
  pair(
    'friends of a person, in either direction',
    `MATCH (:Person {id: 4398046511333})-[k:KNOWS]-(f:Person) RETURN f.id AS id, k.creationDate AS since`,
    `SELECT b AS id, creationDate AS since FROM knows_both WHERE a = 4398046511333`,
  ),
  pair(
    'the direction of a relationship counts',
    `MATCH (p:Person)-[:KNOWS]->(f:Person) RETURN p.id AS id, count(f) AS n ORDER BY n DESC, id LIMIT 20`,
    `SELECT src AS id, count(*) AS n FROM knows GROUP BY 1 ORDER BY n DESC, id LIMIT 20`,
  ),
  pair(
    'incoming relationships',
    `MATCH (p:Person)<-[:KNOWS]-(f:Person) RETURN p.id AS id, count(f) AS n ORDER BY n DESC, id LIMIT 20`,
    `SELECT dst AS id, count(*) AS n FROM knows GROUP BY 1 ORDER BY n DESC, id LIMIT 20`,
  ),
  pair(
    'a predicate on the relationship',
    `MATCH (p:Person)-[w:WORK_AT]->(o:Company) WHERE w.workFrom >= 2010 RETURN p.id AS id, o.name AS company, w.workFrom AS since`,
    `SELECT p.id, o.name AS company, w.workFrom AS since FROM person p JOIN person_workAt_organisation w ON w.src = p.id
     JOIN organisation o ON o.id = w.dst AND o.type = 'company' WHERE w.workFrom >= 2010`,
  ),
  pair(
    'a person lives in a city of a country of a continent',
    `MATCH (p:Person)-[:IS_LOCATED_IN]->(:City)-[:IS_PART_OF]->(country:Country)-[:IS_PART_OF]->(continent:Continent)
     RETURN continent.name AS continent, country.name AS country, count(p) AS n ORDER BY n DESC, country`,
    `SELECT k.name AS continent, c.name AS country, count(*) AS n FROM person_isLocatedIn_place l
     JOIN place_isPartOf_place a ON a.src = l.dst JOIN place c ON c.id = a.dst
     JOIN place_isPartOf_place b ON b.src = c.id JOIN place k ON k.id = b.dst GROUP BY 1, 2 ORDER BY n DESC, country`,
  ),
  pair(
    'friends of friends: a relationship is used once',
    `MATCH (a:Person)-[:KNOWS]-(:Person)-[:KNOWS]-(c:Person) RETURN count(*) AS paths, count(DISTINCT c) AS ends`,
    `SELECT count(*) AS paths, count(DISTINCT y.b) AS ends FROM knows_both x JOIN knows_both y ON y.a = x.b AND y.rid <> x.rid`,
  ),
  pair(
    'three hops between friends',
    'MATCH (a:Person)-[:KNOWS]->(b)-[:KNOWS]->(c)-[:KNOWS]->(d) RETURN count(*) AS paths, count(DISTINCT a) AS starts, ' +
      'count(DISTINCT d) AS ends',
    `SELECT count(*) AS paths, count(DISTINCT x.src) AS starts, count(DISTINCT z.dst) AS ends
     FROM knows x JOIN knows y ON y.src = x.dst AND y.rid <> x.rid JOIN knows z ON z.src = y.dst AND z.rid NOT IN (x.rid, y.rid)`,
  ),
  pair(
    'triangles',
    `MATCH (a:Person)-[:KNOWS]-(b:Person)-[:KNOWS]-(c:Person)-[:KNOWS]-(a) RETURN count(*) AS n`,
    `SELECT count(*) AS n FROM knows_both x JOIN knows_both y ON y.a = x.b AND y.rid <> x.rid
     JOIN knows_both z ON z.a = y.b AND z.b = x.a AND z.rid NOT IN (x.rid, y.rid)`,
  ),
  pair(
    'friends who live in one city',
    'MATCH (a:Person)-[:KNOWS]-(b:Person), (a)-[:IS_LOCATED_IN]->(c:City)<-[:IS_LOCATED_IN]-(b) WHERE a.id < b.id RETURN a.id ' +
      'AS a, b.id AS b, c.name AS city',
    `SELECT k.a, k.b, c.name AS city FROM knows_both k JOIN person_isLocatedIn_place x ON x.src = k.a
     JOIN person_isLocatedIn_place y ON y.src = k.b AND y.dst = x.dst
     JOIN place c ON c.id = x.dst WHERE k.a < k.b`,
  ),
  pair(
    'friends with a common interest',
    `MATCH (a:Person)-[:KNOWS]->(b:Person), (a)-[:HAS_INTEREST]->(t:Tag)<-[:HAS_INTEREST]-(b)
     RETURN a.id AS a, b.id AS b, count(t) AS common ORDER BY common DESC, a, b LIMIT 30`,
    `SELECT k.src AS a, k.dst AS b, count(*) AS common FROM knows k JOIN person_hasInterest_tag x ON x.src = k.src
     JOIN person_hasInterest_tag y ON y.src = k.dst AND y.dst = x.dst GROUP BY 1, 2 ORDER BY common DESC, a, b LIMIT 30`,
  ),
  pair(
    'the latest messages of friends',
    `MATCH (:Person {id: 10995116278009})-[:KNOWS]-(f:Person)<-[:HAS_CREATOR]-(m:Message) WHERE m.creationDate <= 1287187200000
     RETURN f.id AS friend, m.id AS message, coalesce(m.content, m.imageFile) AS content, m.creationDate AS at
     ORDER BY at DESC, message LIMIT 20`,
    `SELECT k.b AS friend, m.id AS message, coalesce(m.content, m.imageFile) AS content, m.creationDate AS at
     FROM knows_both k JOIN has_creator h ON h.dst = k.b JOIN message m ON m.id = h.src
     WHERE k.a = 10995116278009 AND m.creationDate <= 1287187200000 ORDER BY at DESC, message LIMIT 20`,
  ),
  pair(
    'replies to the posts of a person',
    `MATCH (p:Person {id: 4398046511333})<-[:HAS_CREATOR]-(post:Post)<-[:REPLY_OF]-(c:Comment)-[:HAS_CREATOR]->(who:Person)
     RETURN post.id AS post, c.id AS comment, who.id AS who, c.content AS content`,
    `SELECT r.dst AS post, r.src AS comment, w.dst AS who, c.content FROM post_hasCreator_person h
     JOIN comment_replyOf_post r ON r.dst = h.src
     JOIN comment c ON c.id = r.src JOIN comment_hasCreator_person w ON w.src = c.id WHERE h.dst = 4398046511333`,
  ),
  pair(
    'those who like what a friend wrote',
    'MATCH (a:Person)-[:LIKES]->(:Message)-[:HAS_CREATOR]->(b:Person)-[:KNOWS]-(a) RETURN a.id AS a, b.id AS b, count(*) AS ' +
      'likes ORDER BY likes DESC, a, b LIMIT 25',
    `SELECT l.src AS a, h.dst AS b, count(*) AS likes FROM likes l JOIN has_creator h ON h.src = l.dst
     JOIN knows_both k ON k.a = h.dst AND k.b = l.src
     GROUP BY 1, 2 ORDER BY likes DESC, a, b LIMIT 25`,
  ),
  pair(
    'those who reply to themselves',
    `MATCH (p:Person)<-[:HAS_CREATOR]-(c:Comment)-[:REPLY_OF]->(m:Message)-[:HAS_CREATOR]->(p) RETURN p.id AS id, count(*) AS n`,
    'SELECT h.dst AS id, count(*) AS n FROM comment_hasCreator_person h JOIN reply_of r ON r.src = h.src JOIN has_creator g ON ' +
      'g.src = r.dst AND g.dst = h.dst GROUP BY 1',
  ),
  pair(
    'tags of posts in forums of a moderator',
    `MATCH (p:Person)<-[:HAS_MODERATOR]-(f:Forum)-[:CONTAINER_OF]->(m:Post)-[:HAS_TAG]->(t:Tag)
     RETURN t.name AS tag, count(DISTINCT p) AS moderators, count(m) AS posts ORDER BY posts DESC, tag LIMIT 20`,
    `SELECT t.name AS tag, count(DISTINCT g.dst) AS moderators, count(*) AS posts FROM forum_hasModerator_person g
     JOIN forum_containerOf_post c ON c.src = g.src
     JOIN post_hasTag_tag x ON x.src = c.dst JOIN tag t ON t.id = x.dst GROUP BY t.id ORDER BY posts DESC, tag LIMIT 20`,
  ),
  pair(
    'four hops from a tag class to a continent',
    `MATCH (tc:TagClass {name: 'Monarch'})<-[:HAS_TYPE]-(:Tag)<-[:HAS_INTEREST]-(p:Person)
       -[:IS_LOCATED_IN]->(:City)-[:IS_PART_OF]->(c:Country)
     RETURN c.name AS country, count(DISTINCT p) AS people, count(*) AS interests`,
    `SELECT c.name AS country, count(DISTINCT i.src) AS people, count(*) AS interests FROM tagclass tc
     JOIN tag_hasType_tagclass h ON h.dst = tc.id
     JOIN person_hasInterest_tag i ON i.dst = h.src JOIN person_isLocatedIn_place l ON l.src = i.src
     JOIN place_isPartOf_place a ON a.src = l.dst
     JOIN place c ON c.id = a.dst WHERE tc.name = 'Monarch' GROUP BY c.id`,
  ),
  pair(
    'five hops: what people of a continent wrote about',
    `MATCH (k:Continent {name: 'Africa'})<-[:IS_PART_OF]-(:Country)<-[:IS_PART_OF]-(:City)<-[:IS_LOCATED_IN]-(p:Person)
       <-[:HAS_CREATOR]-(m:Comment)-[:HAS_TAG]->(t:Tag)
     RETURN t.name AS tag, count(*) AS n ORDER BY n DESC, tag LIMIT 15`,
    `SELECT t.name AS tag, count(*) AS n FROM place k JOIN place_isPartOf_place b ON b.dst = k.id
     JOIN place_isPartOf_place a ON a.dst = b.src
     JOIN person_isLocatedIn_place l ON l.dst = a.src JOIN comment_hasCreator_person h ON h.dst = l.src
     JOIN comment_hasTag_tag x ON x.src = h.src
     JOIN tag t ON t.id = x.dst WHERE k.name = 'Africa' AND k.type = 'continent' GROUP BY t.id ORDER BY n DESC, tag LIMIT 15`,
  ),
  pair(
    'six hops: from where comments reach the posts of a country',
    `MATCH (c1:Country)<-[:IS_PART_OF]-(:City)<-[:IS_LOCATED_IN]-(:Person)<-[:HAS_CREATOR]-(:Comment)
       -[:REPLY_OF]->(:Post)-[:HAS_CREATOR]->(p:Person)-[:IS_LOCATED_IN]->(city:City)
     RETURN c1.name AS from, city.name AS to, count(*) AS n ORDER BY n DESC, from, to LIMIT 30`,
    `SELECT c1.name AS "from", city.name AS "to", count(*) AS n FROM place c1 JOIN place_isPartOf_place a ON a.dst = c1.id
     JOIN person_isLocatedIn_place l ON l.dst = a.src JOIN comment_hasCreator_person h ON h.dst = l.src
     JOIN comment_replyOf_post r ON r.src = h.src
     JOIN post_hasCreator_person g ON g.src = r.dst AND g.dst <> l.src JOIN person_isLocatedIn_place m ON m.src = g.dst
     JOIN place city ON city.id = m.dst
     WHERE c1.type = 'country' GROUP BY c1.id, city.id ORDER BY n DESC, "from", "to" LIMIT 30`,
  ),
  pair(
    'six hops around a forum, grouped',
    `MATCH (t:TagClass)<-[:HAS_TYPE]-(:Tag)<-[:HAS_TAG]-(f:Forum)-[:CONTAINER_OF]->(:Post)
       <-[:REPLY_OF]-(:Comment)-[:HAS_CREATOR]->(p:Person)-[:STUDY_AT]->(u:University)
     RETURN t.name AS class, u.name AS university, count(*) AS n, count(DISTINCT f) AS forums ORDER BY n DESC, class, university LIMIT 30`,
    `SELECT t.name AS class, u.name AS university, count(*) AS n, count(DISTINCT ft.src) AS forums FROM tagclass t
     JOIN tag_hasType_tagclass h ON h.dst = t.id
     JOIN forum_hasTag_tag ft ON ft.dst = h.src JOIN forum_containerOf_post c ON c.src = ft.src JOIN comment_replyOf_post r ON r.dst = c.dst
     JOIN comment_hasCreator_person g ON g.src = r.src JOIN person_studyAt_organisation s ON s.src = g.dst
     JOIN organisation u ON u.id = s.dst
     GROUP BY t.id, u.id ORDER BY n DESC, class, university LIMIT 30`,
  ),
  pair(
    'six hops of mixed direction, averaged',
    `MATCH (a:Person)-[:KNOWS]->(b:Person)-[:WORK_AT]->(o:Company)-[:IS_LOCATED_IN]->(c:Country)
       <-[:IS_PART_OF]-(:City)<-[:IS_LOCATED_IN]-(d:Person)<-[:HAS_MODERATOR]-(f:Forum)
     WHERE a.gender = 'female'
     RETURN c.name AS country, count(*) AS n, avg(b.birthday) AS born, max(f.creationDate) AS latest ORDER BY n DESC, country LIMIT 20`,
    `SELECT c.name AS country, count(*) AS n, avg(b.birthday) AS born, max(f.creationDate) AS latest FROM knows k
     JOIN person a ON a.id = k.src AND a.gender = 'female'
     JOIN person b ON b.id = k.dst JOIN person_workAt_organisation w ON w.src = b.id JOIN organisation_isLocatedIn_place l ON l.src = w.dst
     JOIN organisation o ON o.id = w.dst AND o.type = 'company' JOIN place c ON c.id = l.dst AND c.type = 'country'
     JOIN place_isPartOf_place x ON x.dst = c.id
     JOIN person_isLocatedIn_place d ON d.dst = x.src JOIN forum_hasModerator_person g ON g.dst = d.src JOIN forum f ON f.id = g.src
     GROUP BY c.id ORDER BY n DESC, country LIMIT 20`,
  ),
  pair(
    'two patterns that meet in the middle',
    'MATCH (f:Forum)-[:HAS_MEMBER]->(p:Person), (f)-[:HAS_MODERATOR]->(m:Person)-[:KNOWS]-(p) RETURN f.id AS forum, count(p) AS ' +
      'friends ORDER BY friends DESC, forum LIMIT 25',
    `SELECT h.src AS forum, count(*) AS friends FROM forum_hasMember_person h JOIN forum_hasModerator_person m ON m.src = h.src
     JOIN knows_both k ON k.a = m.dst AND k.b = h.dst GROUP BY 1 ORDER BY friends DESC, forum LIMIT 25`,
  ),
  pair(
    'several types in one step',
    'MATCH (p:Person)-[r:STUDY_AT|WORK_AT]->(o:Organisation) RETURN type(r) AS type, count(*) AS n, min(coalesce(r.classYear, ' +
      'r.workFrom)) AS first',
    `SELECT 'STUDY_AT' AS type, count(*) AS n, min(classYear) AS first FROM person_studyAt_organisation
     UNION ALL SELECT 'WORK_AT', count(*), min(workFrom) FROM person_workAt_organisation`,
  ),
  pair(
    'any type, between labels',
    `MATCH (a:Person)-[r]->(b) RETURN type(r) AS type, count(*) AS n`,
    `SELECT 'KNOWS' AS type, count(*) AS n FROM knows UNION ALL SELECT 'LIKES', count(*) FROM likes UNION ALL
     SELECT 'STUDY_AT', count(*) FROM person_studyAt_organisation
     UNION ALL SELECT 'WORK_AT', count(*) FROM person_workAt_organisation UNION ALL SELECT 'HAS_INTEREST', count(*)
     FROM person_hasInterest_tag
     UNION ALL SELECT 'IS_LOCATED_IN', count(*) FROM person_isLocatedIn_place`,
  ),
  pair(
    'any type in either direction around one node',
    `MATCH (f:Forum {id: 274877906944})-[r]-(x) RETURN type(r) AS type, labels(x)[0] IS NOT NULL AS labelled, count(*) AS n`,
    `SELECT type, 1 AS labelled, n FROM (SELECT 'HAS_MEMBER' AS type, count(*) AS n FROM forum_hasMember_person WHERE src = 274877906944
     UNION ALL SELECT 'HAS_MODERATOR', count(*) FROM forum_hasModerator_person WHERE src = 274877906944
     UNION ALL SELECT 'HAS_TAG', count(*) FROM forum_hasTag_tag WHERE src = 274877906944
     UNION ALL SELECT 'CONTAINER_OF', count(*) FROM forum_containerOf_post WHERE src = 274877906944) WHERE n > 0`,
  ),
  pair(
    'a cross product',
    `MATCH (a:Continent), (b:Continent) WHERE a.name < b.name RETURN a.name AS a, b.name AS b`,
    `SELECT a.name AS a, b.name AS b FROM place a, place b WHERE a.type = 'continent' AND b.type = 'continent' AND a.name < b.name`,
  ),
  pair(
    'a join on values',
    `MATCH (t:Tag), (c:Country) WHERE t.name = c.name RETURN t.id AS tag, c.id AS country, c.name AS name`,
    `SELECT t.id AS tag, c.id AS country, c.name FROM tag t JOIN place c ON c.name = t.name AND c.type = 'country'`,
  ),
];
