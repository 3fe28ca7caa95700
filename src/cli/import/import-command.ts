/** `graphdb import`: bulk load from files. Ctrl-C stops it, and then nothing is loaded. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { createEnvironmentLogger, GraphDBError } from '../../base/index.ts';
import type { ExportFolder, GuessedColumn, IdType, ImportOptions, MergeKey, NodeInput, RelationshipInput } from '../../import/index.ts';
import type { CliContext } from '../context.ts';
import { reportFailure } from '../failure.ts';
import { untilInterrupted } from '../interrupt.ts';
import { ProgressLine } from '../progress-line.ts';
import { storeUriOption } from '../store.ts';
import { parseMergeKey, parseNodeInput, parseRelationshipInput } from './inputs.ts';
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
  readonly guessTypes?: boolean;
  readonly from?: string;
  readonly mergeOn: readonly MergeKey[];
}

const NOTES = `
The first line of the first file of each --nodes and --relationships is its header, in the convention of neo4j-admin:
  nodes            id:ID(Person){id-type: long},name,born:date,tags:string[],:LABEL
  relationships    :START_ID(Person),:END_ID(Person),since:int,:TYPE

Files that end in .ndjson or .jsonl hold a JSON object per line, those in .parquet a table; their keys and columns are named as above, and
values have the types that they have there. Files that end in .gz or .zst are unpacked. The import is all or nothing.

With --merge-on the namespace may hold data. The ids of a space (here Person) are values of an indexed property of nodes that may be
there already: rows of
such nodes update them, rows of others create nodes, and relationships may name both. --merge-on _id matches by internal identifier.

Examples:
  graphdb import --store 'file:///data?ns=social' --nodes Person=persons.csv --relationships KNOWS=knows.csv
  graphdb import --store 'file:///data?ns=social' --delimiter '|' --nodes Message:Post=header.csv,posts-1.csv.gz,posts-2.csv.gz
  graphdb import --store 'file:///data?ns=social' --nodes Person=persons.parquet --relationships KNOWS=knows.ndjson.zst
  graphdb import --store 'file:///data?ns=social' --merge-on Person.id --nodes Person=more.csv --relationships KNOWS=more-knows.csv
  graphdb import --store 'file:///data?ns=copy' --from social/     # what "graphdb export" wrote`;

/** Adds `graphdb import` to the program. */
export function registerImport(program: Command, context: CliContext): void {
  program
    .command('import')
    .description('load CSV, NDJSON and Parquet files')
    .addOption(storeUriOption('--store <uri>', 'storage URI').makeOptionMandatory())
    .addOption(repeated('--nodes <files>', 'files of nodes: [Label[:Label…]=]file[,file…]; may be repeated', parseNodeInput))
    .addOption(repeated('--relationships <files>', 'files of relationships: [TYPE=]file[,file…]; may be repeated', parseRelationshipInput))
    .option('--from <folder>', 'a folder that "graphdb export" wrote: its nodes, relationships, indexes and constraints')
    .addOption(
      repeated(
        '--merge-on <key>',
        'add to what is there: [Space=]Label.key by which rows match nodes, or _id; may be repeated',
        parseMergeKey,
      ),
    )
    .option('--delimiter <character>', 'between fields (also \\t, TAB)', ',')
    .option('--array-delimiter <character>', 'between the elements of lists, and between labels', ';')
    .option('--quote <character>', 'around fields', '"')
    .addOption(new Option('--id-type <type>', 'of ids whose header names no type').choices(['string', 'integer']).default('string'))
    .option('--skip-bad-rows', 'leave out rows that cannot be loaded, and count them')
    .option('--guess-types', 'give columns whose header names no type the type of their first 10,000 values, and say which')
    .option('--dry-run', 'read and check everything, tell of all bad rows at once, and write nothing')
    .addHelpText('after', NOTES)
    .action((options: CommandOptions, command: Command) => {
      if (options.nodes.length + options.relationships.length === 0 && options.from === undefined)
        command.error('error: there is nothing to import: name files with --nodes and --relationships, or a folder with --from', {
          exitCode: 2,
        });
      return run(options, context);
    });
}

/** Returns an option that may be repeated; its values are collected. A value that `parse` rejects is wrong usage. */
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
    const guesses = new Map<string, string[]>();
    const onGuess = ({ file, column, type }: GuessedColumn): void => {
      guesses.set(file, [...(guesses.get(file) ?? []), `${column} ${type}`]);
    };
    const summary = await untilInterrupted((signal) => {
      const request: ImportOptions = {
        ...options,
        ...(options.guessTypes === true ? { onGuess } : {}),
        nodes,
        relationships,
        schema,
        signal,
        logger,
        onProgress: (state) => progress.show((seconds) => formatProgress(state, seconds), state.phase === 'writing'),
      };
      return importFiles(request);
    });
    progress.end();
    for (const [file, columns] of guesses)
      errors.write(`${file}: guessed ${[...new Set(columns)].join(', ')}; a header that names types is not guessed\n`);
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
