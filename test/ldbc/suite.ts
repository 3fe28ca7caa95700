/**
 * The steps of the LDBC suite: import the data set with the command line, load the same files into SQLite, compare the counts, ask every
 * question of both. Used by `npm run ldbc` and by the test of `npm test`.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { type Engine, openEngine } from '../../src/engine/index.ts';
import { difference, fromSqlite } from './compare.ts';
import { NODE_FILES, RELATIONSHIP_FILES, readRows } from './dataset.ts';
import { importDataset } from './import.ts';
import type { QueryPair } from './queries/index.ts';
import { loadSqlite } from './sqlite.ts';

export interface Loaded {
  readonly engine: Engine;
  readonly sqlite: DatabaseSync;
  readonly importerOutput: string;
  readonly close: () => Promise<void>;
}

export async function load(folder: string): Promise<Loaded> {
  const scratch = mkdtempSync(join(tmpdir(), 'graphdb-ldbc-'));
  const store = join(scratch, 'store');
  mkdirSync(store);
  const uri = `file://${store}?ns=ldbc`;
  const importerOutput = await importDataset(folder, uri, join(scratch, 'csv'));
  const engine = await openEngine(uri, { readOnly: true });
  const sqlite = loadSqlite(folder);
  const close = async () => {
    sqlite.close();
    await engine.close();
    rmSync(scratch, { recursive: true });
  };
  return { engine, sqlite, importerOutput, close };
}

export interface Count {
  readonly what: string;
  readonly lines: number;
  readonly found: number;
}

/** For each label set and each type: the lines of its files (without the header lines) and what the graph holds; last the totals. */
export async function counts(folder: string, engine: Engine): Promise<Count[]> {
  const nodeLines = NODE_FILES.map((file) => ({ what: file.labels, lines: readRows(folder, file).length }));
  const relationshipLines = linesByType(folder);
  const found: Count[] = [];
  for (const { what, lines } of nodeLines) found.push({ what, lines, found: await count(engine, `MATCH (n:${what}) RETURN count(*)`) });
  for (const [what, lines] of relationshipLines)
    found.push({ what, lines, found: await count(engine, `MATCH ()-[r:${what}]->() RETURN count(r)`) });
  found.push({ what: 'nodes', lines: sum(nodeLines.map(({ lines }) => lines)), found: await count(engine, 'MATCH (n) RETURN count(n)') });
  found.push({
    what: 'relationships',
    lines: sum([...relationshipLines.values()]),
    found: await count(engine, 'MATCH ()-[r]->() RETURN count(r)'),
  });
  return found;
}

function linesByType(folder: string): Map<string, number> {
  const lines = new Map<string, number>();
  for (const file of RELATIONSHIP_FILES) lines.set(file.type, (lines.get(file.type) ?? 0) + readRows(folder, file).length);
  return lines;
}

async function count(engine: Engine, query: string): Promise<number> {
  const { rows } = await engine.execute(query, new Map());
  return Number(rows[0]?.[0]);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

export interface PairResult {
  readonly name: string;
  readonly rows: number;
  readonly cypherMs: number;
  readonly sqlMs: number;
  /** The difference or the failure; undefined when both agree. */
  readonly fault: string | undefined;
}

export async function ask({ engine, sqlite }: Loaded, pair: QueryPair): Promise<PairResult> {
  const inOrder = /\bORDER BY\b(?![\s\S]*\bRETURN\b)/i.test(pair.cypher);
  const sqlStart = performance.now();
  const statement = sqlite.prepare(pair.sql);
  statement.setReadBigInts(true);
  const columns = statement.columns().map(({ name }) => name);
  const sql = fromSqlite(columns, statement.all());
  const cypherStart = performance.now();
  const shared = { name: pair.name, rows: sql.rows.length, sqlMs: cypherStart - sqlStart };
  try {
    const cypher = await engine.execute(pair.cypher, new Map());
    const cypherMs = performance.now() - cypherStart;
    return { ...shared, cypherMs, fault: difference(cypher, sql, { inOrder }) };
  } catch (error) {
    return {
      ...shared,
      cypherMs: performance.now() - cypherStart,
      fault: error instanceof Error ? (error.stack ?? error.message) : String(error),
    };
  }
}
