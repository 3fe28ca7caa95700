/** The plan of an import, made from headers and options before the store is touched. */

import { GraphDBError } from '../base/index.ts';
import { type ImportDialect, parseDialect } from '../formats/index.ts';
import type { ImportOptions, NodeInput, RelationshipInput } from './api.ts';
import { withGuessedTypes } from './csv/guess-types.ts';
import {
  type NodeHeader,
  nodeHeader,
  parseNodeHeader,
  parseRelationshipHeader,
  type RelationshipHeader,
  relationshipHeader,
} from './csv/header.ts';
import { IdSpaces } from './ids/id-spaces.ts';
import { MergeKeys } from './ids/merge-keys.ts';
import { readHeader, totalBytes } from './input-group.ts';
import { firstFields, rowFormat } from './rows/row-files.ts';

/** An input with its header. `header` is null where the rows of the files name their columns themselves (NDJSON, Parquet). */
export interface Planned<I, H> {
  readonly input: I;
  readonly header: H | null;
}

/** The plan of an import. */
export interface ImportPlan {
  readonly dialect: ImportDialect;
  readonly nodes: readonly Planned<NodeInput, NodeHeader>[];
  readonly relationships: readonly Planned<RelationshipInput, RelationshipHeader>[];
  readonly spaces: IdSpaces;
  readonly bytesTotal: number;
  /** Total bytes of the CSV files. */
  readonly csvBytes: number;
}

/** Plans an import by the headers of its files. */
export async function planImport(options: ImportOptions): Promise<ImportPlan> {
  const dialect = parseDialect(options);
  const spaces = new IdSpaces(options.idType ?? 'string', new MergeKeys(options.mergeOn ?? []));
  const inputs = [...options.nodes, ...options.relationships];
  if (inputs.length === 0 && options.schema === undefined)
    throw new GraphDBError('ARGUMENT_ERROR', 'there is nothing to import: name files of nodes or relationships');
  checkNames(options);
  const bytesTotal = await totalBytes(inputs.flatMap(({ files }) => files));
  const csvBytes = await totalBytes(inputs.flatMap((input) => (rowFormat(input) === null ? input.files : [])));
  const { onGuess } = options;
  const typed = async ({ files }: { readonly files: readonly string[] }, fields: readonly string[]): Promise<readonly string[]> =>
    onGuess === undefined ? fields : withGuessedTypes(fields, { files, dialect, onGuess });
  const nodes: Planned<NodeInput, NodeHeader>[] = [];
  for (const input of options.nodes) {
    if (rowFormat(input) !== null) {
      const { id } = nodeHeader(await firstFields(input));
      if (id !== null) spaces.declare(id);
      nodes.push({ input, header: null });
      continue;
    }
    const header = await readHeader(firstFile(input), dialect, async (fields) => {
      const parsed = parseNodeHeader(await typed(input, fields));
      if (parsed.id !== null) spaces.declare(parsed.id);
      return parsed;
    });
    nodes.push({ input, header });
  }
  const relationships: Planned<RelationshipInput, RelationshipHeader>[] = [];
  for (const input of options.relationships) {
    if (rowFormat(input) !== null) {
      const fields = await firstFields(input);
      if (fields.length > 0) checkRelationships(relationshipHeader(fields), input, spaces);
      relationships.push({ input, header: null });
      continue;
    }
    const header = await readHeader(firstFile(input), dialect, async (fields) => {
      const parsed = parseRelationshipHeader(await typed(input, fields));
      checkRelationships(parsed, input, spaces);
      return parsed;
    });
    relationships.push({ input, header });
  }
  return { dialect, nodes, relationships, spaces, bytesTotal, csvBytes };
}

/** Checks that labels and types that the options give have characters. @throws ARGUMENT_ERROR */
function checkNames({ nodes, relationships }: ImportOptions): void {
  if (nodes.some(({ labels }) => labels.includes(''))) throw new GraphDBError('ARGUMENT_ERROR', 'a label has no characters');
  if (relationships.some(({ type }) => type === '')) throw new GraphDBError('ARGUMENT_ERROR', 'a relationship type has no characters');
}

/** Checks the header of a file of relationships against its options and the id spaces. @throws ARGUMENT_ERROR */
export function checkRelationships({ start, end, type }: RelationshipHeader, input: RelationshipInput, spaces: IdSpaces): void {
  spaces.require(start);
  spaces.require(end);
  if (type !== null || input.type !== undefined) return;
  throw new GraphDBError('ARGUMENT_ERROR', 'the relationships have no type: name one before the file (TYPE=file), or add a :TYPE column');
}

function firstFile({ files }: { readonly files: readonly string[] }): string {
  const [file] = files;
  if (file === undefined) throw new GraphDBError('ARGUMENT_ERROR', 'an input without files');
  return file;
}
