/**
 * Reads a folder that `graphdb export` has written: files of nodes, files of relationships, and the statements that
 * make the graph's indexes and constraints.
 */

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { GraphDBError } from '../base/index.ts';
import { unreadable } from '../formats/index.ts';
import type { NodeInput, RelationshipInput } from './api.ts';

const TABLE = /^(?<kind>nodes|relationships)(?:-.*)?\.(?:csv|ndjson|jsonl|parquet)(?:\.gz|\.zst)?$/;
const SCHEMA = 'schema.cypher';

/** The files of an exported folder. */
export interface ExportFolder {
  readonly nodes: readonly NodeInput[];
  readonly relationships: readonly RelationshipInput[];
  /** Statements that create indexes and constraints, for `ImportOptions.schema`. */
  readonly schema: readonly string[];
}

/** Finds the files of a folder; files of other kinds are ignored. @throws ARGUMENT_ERROR when it cannot be read, or has none */
export async function readExportFolder(folder: string): Promise<ExportFolder> {
  const names = await readdir(folder).catch((error: unknown) => {
    throw unreadable(folder, error);
  });
  const part = names.find((name) => name.endsWith('.part'));
  if (part !== undefined) {
    throw new GraphDBError(
      'ARGUMENT_ERROR',
      `${join(folder, part)} belongs to an export that did not end, so the folder does not hold the whole graph: export it ` +
        'again, into an empty folder',
    );
  }
  const inputs = (kind: string) =>
    names
      .filter((name) => TABLE.exec(name)?.groups?.['kind'] === kind)
      .sort()
      .map((name) => ({ files: [join(folder, name)] }));
  const nodes = inputs('nodes').map((input) => ({ ...input, labels: [] }));
  if (nodes.length === 0 && !names.includes(SCHEMA)) {
    throw new GraphDBError(
      'ARGUMENT_ERROR',
      `${folder} holds neither files of nodes (nodes….csv, .ndjson or .parquet) nor schema.cypher, as "graphdb export" writes them`,
    );
  }
  const schema = names.includes(SCHEMA) ? await readFile(join(folder, SCHEMA), 'utf8') : '';
  return { nodes, relationships: inputs('relationships'), schema: statementsOf(schema) };
}

/** Splits a script into statements. Quoted names may hold semicolons. */
function statementsOf(script: string): string[] {
  const statements = script.match(/(?:[^;`]|`[^`]*`)+/g) ?? [];
  return statements.map((statement) => statement.trim()).filter((statement) => statement !== '');
}
