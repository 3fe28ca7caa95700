/**
 * The LDBC Social Network Benchmark files as an importer sees them: for each CSV its labels or its type, and its columns in the header
 * convention of neo4j-admin. Ids are numbers; each entity has an id space of its own.
 */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

interface CsvFile {
  /** Below the data set's folder, without `_0_0.csv`; its last part names the SQLite table. */
  readonly path: string;
  /** The importer's header line. */
  readonly header: string;
}

export interface NodeFile extends CsvFile {
  /** As `--nodes` takes them. */
  readonly labels: string;
  /** The column, by position, that holds a further label in lower case. */
  readonly labelColumn?: number;
}

export interface RelationshipFile extends CsvFile {
  readonly type: string;
}

const id = (space: string) => `id:ID(${space}){id-type: long}`;

export const NODE_FILES: readonly NodeFile[] = [
  { path: 'static/organisation', labels: 'Organisation', labelColumn: 1, header: `${id('Organisation')}|:LABEL|name:string|url:string` },
  { path: 'static/place', labels: 'Place', labelColumn: 3, header: `${id('Place')}|name:string|url:string|:LABEL` },
  { path: 'static/tagclass', labels: 'TagClass', header: `${id('TagClass')}|name:string|url:string` },
  { path: 'static/tag', labels: 'Tag', header: `${id('Tag')}|name:string|url:string` },
  {
    path: 'dynamic/comment',
    labels: 'Message:Comment',
    header: `${id('Comment')}|creationDate:long|locationIP:string|browserUsed:string|content:string|length:int`,
  },
  {
    path: 'dynamic/post',
    labels: 'Message:Post',
    header:
      `${id('Post')}|imageFile:string|creationDate:long|locationIP:string|browserUsed:string|` +
      'language:string|content:string|length:int',
  },
  { path: 'dynamic/forum', labels: 'Forum', header: `${id('Forum')}|title:string|creationDate:long` },
  {
    path: 'dynamic/person',
    labels: 'Person',
    header:
      `${id('Person')}|firstName:string|lastName:string|gender:string|birthday:long|` +
      'creationDate:long|locationIP:string|browserUsed:string|language:string[]|email:string[]',
  },
];

function relationship(path: string, type: string, from: string, to: string, property?: string): RelationshipFile {
  const header = [`:START_ID(${from})`, `:END_ID(${to})`, ...(property === undefined ? [] : [property])].join('|');
  return { path, type, header };
}

export const RELATIONSHIP_FILES: readonly RelationshipFile[] = [
  relationship('static/organisation_isLocatedIn_place', 'IS_LOCATED_IN', 'Organisation', 'Place'),
  relationship('static/place_isPartOf_place', 'IS_PART_OF', 'Place', 'Place'),
  relationship('static/tagclass_isSubclassOf_tagclass', 'IS_SUBCLASS_OF', 'TagClass', 'TagClass'),
  relationship('static/tag_hasType_tagclass', 'HAS_TYPE', 'Tag', 'TagClass'),
  relationship('dynamic/comment_hasCreator_person', 'HAS_CREATOR', 'Comment', 'Person'),
  relationship('dynamic/comment_hasTag_tag', 'HAS_TAG', 'Comment', 'Tag'),
  relationship('dynamic/comment_isLocatedIn_place', 'IS_LOCATED_IN', 'Comment', 'Place'),
  relationship('dynamic/comment_replyOf_comment', 'REPLY_OF', 'Comment', 'Comment'),
  relationship('dynamic/comment_replyOf_post', 'REPLY_OF', 'Comment', 'Post'),
  relationship('dynamic/forum_containerOf_post', 'CONTAINER_OF', 'Forum', 'Post'),
  relationship('dynamic/forum_hasMember_person', 'HAS_MEMBER', 'Forum', 'Person', 'joinDate:long'),
  relationship('dynamic/forum_hasModerator_person', 'HAS_MODERATOR', 'Forum', 'Person'),
  relationship('dynamic/forum_hasTag_tag', 'HAS_TAG', 'Forum', 'Tag'),
  relationship('dynamic/person_hasInterest_tag', 'HAS_INTEREST', 'Person', 'Tag'),
  relationship('dynamic/person_isLocatedIn_place', 'IS_LOCATED_IN', 'Person', 'Place'),
  relationship('dynamic/person_knows_person', 'KNOWS', 'Person', 'Person', 'creationDate:long'),
  relationship('dynamic/person_likes_comment', 'LIKES', 'Person', 'Comment', 'creationDate:long'),
  relationship('dynamic/person_likes_post', 'LIKES', 'Person', 'Post', 'creationDate:long'),
  relationship('dynamic/person_studyAt_organisation', 'STUDY_AT', 'Person', 'Organisation', 'classYear:int'),
  relationship('dynamic/person_workAt_organisation', 'WORK_AT', 'Person', 'Organisation', 'workFrom:int'),
  relationship('dynamic/post_hasCreator_person', 'HAS_CREATOR', 'Post', 'Person'),
  relationship('dynamic/post_hasTag_tag', 'HAS_TAG', 'Post', 'Tag'),
  relationship('dynamic/post_isLocatedIn_place', 'IS_LOCATED_IN', 'Post', 'Place'),
];

/** The folder of the data set; undefined where the test data are absent. */
export function datasetFolder(): string | undefined {
  const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
  const folder = join(process.env['GRAPHDB_TEST_DATA'] ?? resolve(root, '../shared/data'), 'ldbc-snb');
  return existsSync(join(folder, 'dynamic')) ? folder : undefined;
}

/** The rows of a file as arrays of fields, its header line left out. No field of this data set is quoted. */
export function readRows(folder: string, file: CsvFile): string[][] {
  const lines = readFileSync(join(folder, `${file.path}_0_0.csv`), 'utf8').split('\n');
  return lines
    .slice(1)
    .filter((line) => line !== '')
    .map((line) => line.split('|'));
}
