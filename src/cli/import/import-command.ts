/** `graphdb import`: bulk load from files into an empty namespace. Ctrl-C stops it, and nothing is loaded. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { createEnvironmentLogger, GraphDBError } from '../../base/index.ts';
import type { ExportFolder, IdType, ImportOptions, NodeInput, RelationshipInput } from '../../import/index.ts';
import type { CliContext } from '../context.ts';
import { reportFailure } from '../failure.ts';
import { untilInterrupted } from '../interrupt.ts';
import { ProgressLine } from '../progress-line.ts';
import { storeUriOption, withEngine } from '../store.ts';
import { parseNodeInput, parseRelationshipInput } from './inputs.ts';
import { formatProgress } from './progress-bar.ts';
import { formatSummary } from './summary.ts';

interface CommandOptions {
  readonly store: string;
  readonly nodes: readonly NodeInput[];
  readonly relationships: readonly RelationshipInput[];
  readonly delimiter: string;
  readonly arrayDelimiter: string;
  readonly quote: string;
  readonly idType: IdType;
  readonly skipBadRows?: boolean;
  readonly dryRun?: boolean;
  readonly from?: string;
}

const NOTES = `
The first line of the first file of each --nodes and --relationships is its header, in the convention of neo4j-admin:
  nodes            id:ID(Person){id-type: long},name,born:date,tags:string[],:LABEL
  relationships    :START_ID(Person),:END_ID(Person),since:int,:TYPE

Files that end in .ndjson or .jsonl hold a JSON object per line, those in .parquet a table; their keys and columns are named as above, and
values have the types that they have there. Files that end in .gz or .zst are unpacked. The import is all or nothing.

Examples:
  graphdb import --store 'file:///data?ns=social' --nodes Person=persons.csv --relationships KNOWS=knows.csv
  graphdb import --store 'file:///data?ns=social' --delimiter '|' --nodes Message:Post=header.csv,posts-1.csv.gz,posts-2.csv.gz
  graphdb import --store 'file:///data?ns=social' --nodes Person=persons.parquet --relationships KNOWS=knows.ndjson.zst
  graphdb import --store 'file:///data?ns=copy' --from social/     # what "graphdb export" wrote`;

export function registerImport(program: Command, context: CliContext): void {
  program
    .command('import')
    .description('load CSV, NDJSON and Parquet files into an empty namespace')
    .addOption(storeUriOption('--store <uri>', 'storage URI').makeOptionMandatory())
    .addOption(repeated('--nodes <files>', 'files of nodes: [Label[:Label…]=]file[,file…]; may be repeated', parseNodeInput))
    .addOption(repeated('--relationships <files>', 'files of relationships: [TYPE=]file[,file…]; may be repeated', parseRelationshipInput))
    .option('--from <folder>', 'a folder that "graphdb export" wrote: its nodes, relationships, indexes and constraints')
    .option('--delimiter <character>', 'between fields (also \\t, TAB)', ',')
    .option('--array-delimiter <character>', 'between the elements of lists, and between labels', ';')
    .option('--quote <character>', 'around fields', '"')
    .addOption(new Option('--id-type <type>', 'of ids whose header names no type').choices(['string', 'integer']).default('string'))
    .option('--skip-bad-rows', 'leave out rows that cannot be loaded, and count them')
    .option('--dry-run', 'read and check everything, and write nothing')
    .addHelpText('after', NOTES)
    .action((options: CommandOptions) => run(options, context));
}

/** An option whose values gather. What `parse` refuses is wrong usage. */
function repeated<T>(flags: string, description: string, parse: (text: string) => T): Option {
  return new Option(flags, description).default([], 'none').argParser((text: string, before: readonly T[]) => {
    try {
      return [...before, parse(text)];
    } catch (error) {
      if (error instanceof GraphDBError) throw new InvalidArgumentError(error.message);
      throw error;
    }
  });
}

async function run(options: CommandOptions, context: CliContext): Promise<void> {
  const { output, errors } = context.streams;
  const progress = new ProgressLine(errors);
  try {
    const { importFiles } = await import('../../import/index.ts');
    const logger = await createEnvironmentLogger();
    const { nodes, relationships, schema } = await inputsOf(options);
    const summary = await untilInterrupted((signal) => {
      const request: ImportOptions = {
        ...options,
        nodes,
        relationships,
        signal,
        logger,
        onProgress: (state) => progress.show((seconds) => formatProgress(state, seconds), state.phase === 'writing'),
      };
      return importFiles(request);
    });
    progress.end();
    if (options.dryRun !== true) await runSchema(options.store, schema);
    output.write(formatSummary(summary));
  } catch (error) {
    progress.end();
    reportFailure(errors, error);
    context.exitStatus = 1;
  }
}

async function inputsOf({ nodes, relationships, from }: CommandOptions): Promise<ExportFolder> {
  if (from === undefined) return { nodes, relationships, schema: [] };
  const { readExportFolder } = await import('../../import/index.ts');
  const folder = await readExportFolder(from);
  return { ...folder, nodes: [...folder.nodes, ...nodes], relationships: [...folder.relationships, ...relationships] };
}

/** Constraints are checked against what is loaded, so one may fail: the data stay, and it is said which. */
async function runSchema(store: string, statements: readonly string[]): Promise<void> {
  if (statements.length === 0) return;
  await withEngine(store, { readOnly: false }, async (engine) => {
    for (const statement of statements) {
      await engine.execute(statement, new Map()).catch((error: unknown) => {
        if (!(error instanceof GraphDBError)) throw error;
        throw new GraphDBError(
          error.code,
          `${error.message}; the data are loaded, but this statement of schema.cypher and those after it did not run: ${statement}`,
          {
            cause: error,
          },
        );
      });
    }
  });
}
