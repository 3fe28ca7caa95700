/**
 * For tests of this folder: the scenarios of the TCK's expression features that need no graph, or only values that are
 * stored and read back. The features are read from GRAPHDB_TEST_DATA, by default `../shared/data` beside the project.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PROJECT_ROOT = fileURLToPath(new URL('../../../..', import.meta.url));

/** A scenario of the TCK about an expression. */
export interface ExpressionScenario {
  readonly name: string;
  /** `CREATE (…)` statements that run first. */
  readonly setup: string;
  readonly query: string;
  /** Cells of the expected row by column, for scenarios with exactly one row; null if an error is expected. */
  readonly row: ReadonlyMap<string, string> | null;
}

/** Returns the folder of the features; undefined if the test data is missing. */
export function featuresFolder(): string | undefined {
  const data = process.env.GRAPHDB_TEST_DATA ?? join(PROJECT_ROOT, '../shared/data');
  const folder = join(data, 'tck/features');
  return existsSync(folder) ? folder : undefined;
}

export function readScenarios(path: string): ExpressionScenario[] {
  const text = readFileSync(path, 'utf8');
  return text
    .split(/^ {2}Scenario(?: Outline)?: /m)
    .slice(1)
    .flatMap(expand);
}

function expand(block: string): ExpressionScenario[] {
  const [body = '', examples] = block.split(/^ {4}Examples:/m);
  if (examples === undefined) return fromBlock(body);
  const [header = [], ...rows] = tableRows(examples);
  return rows.flatMap((row) =>
    fromBlock(header.reduce((result, name, index) => result.replaceAll(`<${name}>`, row[index] as string), body)),
  );
}

function fromBlock(block: string): ExpressionScenario[] {
  const name = block.slice(0, block.indexOf('\n'));
  const setup = [...block.matchAll(/having executed:\s*"""([\s\S]*?)"""/g)].map((match) => match[1]).join('\n');
  const queries = [...block.matchAll(/executing query:\s*"""([\s\S]*?)"""/g)].map((match) => (match[1] as string).trim());
  if (queries.length !== 1 || block.includes('parameters are')) return [];
  const query = queries[0] as string;
  if (/should be raised/.test(block)) return [{ name, setup, query, row: null }];
  const result = block.split(/Then the result should be[^\n]*:\n/)[1];
  const [columns = [], ...rows] = result === undefined ? [] : tableRows(result.split(/^ {4}And /m)[0] as string);
  if (rows.length !== 1) return [];
  return [{ name, setup, query, row: new Map(columns.map((column, index) => [column, rows[0]?.[index] as string])) }];
}

function tableRows(text: string): string[][] {
  const lines = text.split('\n').map((line) => line.trim());
  return lines
    .filter((line) => line.startsWith('|'))
    .map((line) =>
      line
        .slice(1, -1)
        .split(/(?<!\\)\|/)
        .map(cellText),
    );
}

/** Decodes the escapes of Gherkin in a cell: `\|`, `\\`, `\n`. */
function cellText(cell: string): string {
  return cell.trim().replace(/\\([\\|n])/g, (_, escaped: string) => (escaped === 'n' ? '\n' : escaped));
}
