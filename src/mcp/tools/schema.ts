/**
 * The contents of the graph, so that a model writes statements that fit: labels and relationship types with their
 * counts, properties with types and examples, which labels the types connect, indexes and constraints. Counts are
 * exact; properties, examples and connections are those of a sample.
 */
import { encodeKeys, encodeRow } from '../../formats/index.ts';
import type { Value } from '../../value/index.ts';
import { MOST_ANSWER_BYTES } from './bounded-rows.ts';
import { READ } from './cypher.ts';
import { parseExactly } from './exact-json.ts';
import { quotedName } from './quoted-name.ts';
import type { CallContext, Tool } from './tool.ts';

/** Labels, and likewise relationship types, that are described; further ones are only named. */
const MOST_DESCRIBED = 100;
/** Longest example value in characters; a longer one is cut. */
const LONGEST_EXAMPLE = 80;
/** Relationships that are read for the labels of their ends, per relationship that is sampled for its properties. */
const ENDS_PER_SAMPLE = 10;

/** The tool that shows the schema. */
export const getSchema: Tool = {
  name: 'get-schema',
  title: 'Describe the graph',
  description:
    'Describes the graph: labels and relationship types with counts, their properties with types and example values, which ' +
    'labels they connect, indexes and constraints. Call it before writing a statement.',
  arguments: {
    sample: {
      type: 'integer',
      description: 'Nodes or relationships of each label and type that are looked at for properties.',
      default: 100,
      min: 1,
      max: 10_000,
    },
  },
  writes: false,
  async call(given, context) {
    const sample = given.get('sample') as number; // as: an integer, checked
    const labels = (await rowsOf(context, 'CALL db.labels() YIELD label RETURN label ORDER BY label')).map(({ label }) => String(label));
    const types = (await rowsOf(context, 'CALL db.relationshipTypes() YIELD relationshipType AS type RETURN type ORDER BY type')).map(
      ({ type }) => String(type),
    );
    const described = {
      labels: await each(labels, (label) => describeLabel(context, label, sample)),
      relationship_types: await each(types, (type) => describeType(context, type, sample)),
      indexes: await rowsOf(context, "SHOW INDEXES YIELD name, type, entityType, labelsOrTypes, properties, state WHERE type <> 'LOOKUP'"),
      constraints: await rowsOf(context, 'SHOW CONSTRAINTS YIELD name, type, entityType, labelsOrTypes, properties'),
      ...namesOf('other_labels', labels),
      ...namesOf('other_relationship_types', types),
      sampled: sample,
    };
    return bounded(described);
  },
};

interface Described {
  readonly labels: unknown[];
  readonly relationship_types: unknown[];
}

/** Returns the description as JSON. Entries are left out from the end, of the longer list first, until the rest fits into an answer. */
function bounded(described: Described): string {
  let text = JSON.stringify(described);
  for (let left = 0; Buffer.byteLength(JSON.stringify(text)) > MOST_ANSWER_BYTES - 1_000; ) {
    const { labels, relationship_types: types } = described;
    const longer = labels.length >= types.length ? labels : types;
    if (longer.length === 0) return JSON.stringify({ truncated: true, note: 'the names in this graph are too long to be listed' });
    left += longer.splice(Math.floor(longer.length / 2)).length;
    text = JSON.stringify({
      ...described,
      truncated: true,
      note: `${left} labels and types are left out: ask db.labels() and db.relationshipTypes()`,
    });
  }
  return text;
}

async function each<T>(names: readonly string[], describe: (name: string) => Promise<T>): Promise<T[]> {
  const all: T[] = [];
  for (const name of names.slice(0, MOST_DESCRIBED)) all.push(await describe(name));
  return all;
}

function namesOf(key: string, names: readonly string[]): Readonly<Record<string, readonly string[]>> {
  return names.length > MOST_DESCRIBED ? { [key]: names.slice(MOST_DESCRIBED, 10 * MOST_DESCRIBED) } : {};
}

async function describeLabel(context: CallContext, label: string, sample: number): Promise<unknown> {
  const pattern = `(x:${quotedName(label)})`;
  const [counted] = await rowsOf(context, `MATCH ${pattern} RETURN count(x) AS count`);
  return { label, count: counted?.['count'] ?? 0, properties: await describeProperties(context, pattern, sample) };
}

async function describeType(context: CallContext, type: string, sample: number): Promise<unknown> {
  const pattern = `()-[x:${quotedName(type)}]->()`;
  const [counted] = await rowsOf(context, `MATCH ${pattern} RETURN count(x) AS count`);
  const ends =
    `MATCH (a)-[:${quotedName(type)}]->(b) WITH a, b LIMIT $sample RETURN labels(a) AS from, labels(b) AS to, ` +
    'count(*) AS seen ORDER BY seen DESC LIMIT 20';
  const connects = await rowsOf(context, ends, new Map([['sample', sample * ENDS_PER_SAMPLE]]));
  return { type, count: counted?.['count'] ?? 0, connects, properties: await describeProperties(context, pattern, sample) };
}

/** Describes each property of a sample: its name, how many entities have it, the types of its values, and up to three values. */
async function describeProperties(context: CallContext, pattern: string, sample: number): Promise<unknown> {
  const query =
    `MATCH ${pattern} WITH x LIMIT $sample UNWIND keys(x) AS key WITH key, x[key] AS value RETURN key, count(*) AS ` +
    'seen, collect(DISTINCT valueType(value))[0..4] AS types, collect(DISTINCT value)[0..3] AS examples ORDER BY key LIMIT 200';
  const rows = await rowsOf(context, query, new Map([['sample', sample]]));
  return rows.map(({ key, seen, types, examples }) => ({
    name: key,
    seen,
    types: (types as string[]).map((type) => type.replace(/ NOT NULL$/, '')), // as: texts, by the statement
    examples: (examples as unknown[]).map(shortExample), // as: a list, by the statement
  }));
}

function shortExample(value: unknown): unknown {
  if (Array.isArray(value)) return value.length > 5 ? `list of ${value.length}` : value.map(shortExample);
  if (typeof value === 'string') return value.length > LONGEST_EXAMPLE ? `${value.slice(0, LONGEST_EXAMPLE).toWellFormed()}…` : value;
  const text = JSON.stringify(value);
  return text !== undefined && text.length > LONGEST_EXAMPLE ? `${text.slice(0, LONGEST_EXAMPLE).toWellFormed()}…` : value;
}

const NONE: ReadonlyMap<string, Value> = new Map();

/** Runs a statement of this tool and returns its rows as plain JSON objects. */
async function rowsOf({ graph, signal }: CallContext, query: string, params = NONE): Promise<Record<string, unknown>[]> {
  const { columns, rows } = await graph.execute(query, params, { ...READ, signal });
  const keys = encodeKeys(columns);
  return rows.map((row) => parseExactly(encodeRow(keys, row, 'plain')) as Record<string, unknown>); // as: an object of the columns
}
