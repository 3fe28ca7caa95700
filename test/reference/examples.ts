/**
 * Examples of the reference pages: `name: expression`, or a statement, a line each; lines that begin with # are for
 * people. Each statement runs over a graph of its own, so that no example depends on another one: two persons, one of
 * whom knows the other, projected as `people`, with full-text indexes `names` and `notes` and vector indexes `places`
 * and `ways`.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openEngine } from '../../src/engine/index.ts';
import { literalText } from '../../src/value/index.ts';

const GRAPH = [
  'CREATE FULLTEXT INDEX names FOR (p:Person) ON EACH [p.name]',
  'CREATE VECTOR INDEX places FOR (p:Person) ON (p.place) OPTIONS {indexConfig: {`vector.dimensions`: 2, ' +
    "`vector.similarity_function`: 'cosine'}}",
  'CREATE FULLTEXT INDEX notes FOR ()-[r:KNOWS]-() ON EACH [r.note]',
  'CREATE VECTOR INDEX ways FOR ()-[r:KNOWS]-() ON (r.way) OPTIONS {indexConfig: {`vector.dimensions`: 2}}',
  `CREATE (:Person {name: 'Ada', born: 1815, north: 51.5, east: -0.1, place: [1.0, 0.0]})-[:KNOWS {since: 1833, note: 'met at a ` +
    `party', way: [0.6, 0.8]}]->(:Person {name: 'Charles', born: 1791, north: 51.5, east: 0.0, place: [0.0, 1.0]})`,
  `CALL gds.graph.project('people', {Person: {properties: ['born', 'north', 'east']}}, {KNOWS: {orientation: 'UNDIRECTED', ` +
    `properties: 'since'}}) YIELD nodeCount RETURN nodeCount`,
];

/** Rows of an answer beyond these are left out. */
const MOST_ROWS = 2;

/** The texts of a file of examples, by name. */
export function readExamples(file: string): ReadonlyMap<string, string> {
  const lines = readFileSync(join(import.meta.dirname, file), 'utf8').split('\n');
  return new Map(
    lines
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => {
        const at = line.indexOf(': ');
        return [line.slice(0, at), line.slice(at + 2)] as const;
      }),
  );
}

/** Runs an example over a new graph. Returns its answer: values as literals, rows with semicolons between them. */
export async function runExample(text: string): Promise<string> {
  const engine = await openEngine(`memory://reference-${++graphs}?ns=main`, { changeRetentionMs: 3_600_000 });
  try {
    for (const statement of GRAPH) await engine.execute(statement, new Map());
    const { columns, rows } = await engine.execute(statementOf(text), new Map());
    const shown = rows.slice(0, MOST_ROWS).map((row) => row.map(literalText).join(', '));
    const more = rows.length > MOST_ROWS ? `; … ${rows.length} rows` : '';
    return columns.length === 0 || rows.length === 0 ? 'no rows' : shown.join('; ') + more;
  } finally {
    await engine.close();
  }
}

let graphs = 0;

function statementOf(text: string): string {
  return /^(MATCH|UNWIND|CALL|CREATE|WITH|SHOW)\b/.test(text) ? text : `RETURN ${text} AS answer`;
}
