/** `graphdb export`: writes a graph, or a query's result, to files for other tools and `graphdb import`. The store is only read. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { createEnvironmentLogger } from '../../base/index.ts';
import { DELIMITER_RULE, mayDelimit } from '../../formats/index.ts';
import { type ExportOptions, type ExportSummary, type ExportTarget, parseExportFormat } from '../../transfer/index.ts';
import { counted, grouped, size } from '../amounts.ts';
import type { CliContext } from '../context.ts';
import { reportFailure } from '../failure.ts';
import { untilInterrupted } from '../interrupt.ts';
import { bar, ProgressLine, timeLeft } from '../progress-line.ts';
import { readParams, readQueryText } from '../query-text.ts';
import { canOpenForReading } from '../read-intent.ts';
import { targetUriOption, versionOption, withTarget } from '../store.ts';
import { isServer } from '../target.ts';

interface CommandOptions {
  readonly store: string;
  readonly to: string;
  readonly format?: ExportTarget;
  readonly query?: string;
  readonly params?: string;
  readonly atVersion?: number;
  readonly delimiter: string;
  readonly arrayDelimiter: string;
}

const NOTES = `
A whole graph as parquet, csv or ndjson becomes a folder of files, which "graphdb import --from <folder>" reads back:
identifiers, labels, types, every value, indexes and constraints. As cypher, graphml, gexf (Gephi) or dot (Graphviz)
it becomes one file. With --query only the rows of its result are exported (as one of these: the nodes and relationships in
them). A server may go on writing to the store meanwhile.

Formats: parquet; csv, ndjson, cypher, graphml, gexf, dot, each also packed (csv.gz, ndjson.zst). Without --format the
ending of --to says which.

Examples:
  graphdb export --store 'file:///data?ns=social' --to social/ --format parquet
  graphdb export --store 'file:///data?ns=social' --to social.cypher.gz
  graphdb export --store 'file:///data?ns=social' --query 'MATCH (p:Person) RETURN p.name, p.age' --to people.csv
  graphdb export --store 'file:///data?ns=social' --format ndjson --query 'MATCH (p:Person) RETURN p' --to - | head`;

/** Adds `graphdb export` to the program. */
export function registerExport(program: Command, context: CliContext): void {
  program
    .command('export')
    .description('write a graph, or the result of a query, to files')
    .addOption(targetUriOption('storage URI; with --query also http(s):// URL of a server').makeOptionMandatory())
    .addOption(new Option('--to <path>', 'file or folder; - for standard output').makeOptionMandatory())
    .addOption(
      new Option('--format <format>', 'parquet, csv, ndjson, cypher, graphml, gexf or dot; with .gz or .zst packed').argParser(parseFormat),
    )
    .option('--query <query>', 'export its result instead of the graph: the statement, @file, or - for standard input')
    .option('--params <json>', 'parameters of the query: a JSON object, or @file')
    .addOption(versionOption('read a retained manifest version: what was in SSTs then'))
    .addOption(new Option('--delimiter <character>', 'of CSV, between fields').default(',').argParser(parseDelimiter))
    .addOption(
      new Option('--array-delimiter <character>', 'of CSV, between the elements of lists, and between labels')
        .default(';')
        .argParser(parseCharacter),
    )
    .addHelpText('after', NOTES)
    .action((options: CommandOptions, command: Command) => run(options, command, context));
}

function parseFormat(text: string): ExportTarget {
  const target = parseExportFormat(text);
  if (target === null)
    throw new InvalidArgumentError('one of parquet, csv, ndjson, cypher, graphml, gexf, dot; all but parquet also with .gz or .zst');
  return target;
}

function parseCharacter(text: string): string {
  const character = text === 'TAB' || text === '\\t' ? '\t' : text;
  if (character.length !== 1 || character > '\u007f' || /["\r\n]/.test(character))
    throw new InvalidArgumentError('one ASCII character, \\t or TAB');
  return character;
}

function parseDelimiter(text: string): string {
  const character = parseCharacter(text);
  if (!mayDelimit(character)) throw new InvalidArgumentError(`It ${DELIMITER_RULE}.`);
  return character;
}

async function run(options: CommandOptions, command: Command, context: CliContext): Promise<void> {
  const { output, errors } = context.streams;
  const target = options.format ?? parseExportFormat(options.to);
  if (target === null) usage(command, '--format is missing, and the ending of --to names none');
  if (options.delimiter === options.arrayDelimiter) usage(command, 'delimiter and array delimiter must differ');
  const isFolder = options.query === undefined && (target.format === 'parquet' || target.format === 'csv' || target.format === 'ndjson');
  if (options.to === '-' && (isFolder || target.format === 'parquet'))
    usage(command, `a graph as ${target.format} is several files: name a folder`);
  if (isServer(options.store) && options.atVersion !== undefined) usage(command, '--at-version needs a storage URI');
  if (isServer(options.store) && options.query === undefined)
    usage(command, 'a graph is exported from its store: a reader beside the server disturbs nobody; give its storage URI, or a --query');
  const query = options.query === undefined ? null : await readQueryText(options.query, command, context.streams);
  const params = await readParams(options.params, command);
  const progress = new ProgressLine(errors);
  try {
    const summary = await untilInterrupted((signal) => {
      const request: ExportOptions = {
        ...options,
        ...target,
        output,
        signal,
        onProgress: ({ phase, rows, rowsTotal }) => progress.show((seconds) => formatProgress(phase, rows, rowsTotal, seconds)),
      };
      return exportFrom(options, query === null ? null : { query, params }, request);
    });
    progress.end();
    (options.to === '-' ? errors : output).write(formatSummary(summary, options.to));
  } catch (error) {
    progress.end();
    reportFailure(errors, error, query ?? undefined);
    context.exitStatus = 1;
  }
}

function usage(command: Command, message: string): never {
  command.error(`error: ${message}`, { exitCode: 2 });
}

async function exportFrom(
  { store, atVersion }: CommandOptions,
  statement: { readonly query: string; readonly params: Awaited<ReturnType<typeof readParams>> } | null,
  request: ExportOptions,
): Promise<ExportSummary> {
  const { exportGraph, exportRows } = await import('../../transfer/index.ts');
  if (statement === null) return exportGraph({ store, version: atVersion, logger: await createEnvironmentLogger() }, request);
  const how = atVersion === undefined ? { readOnly: !isServer(store) && canOpenForReading(store) } : { readOnly: true, version: atVersion };
  return withTarget(
    store,
    async () => how,
    async (target) => exportRows(await target.stream(statement.query, statement.params, { signal: request.signal }), request),
  );
}

function formatProgress(phase: 'looking' | 'writing', rows: number, rowsTotal: number, seconds: number): string {
  const share = rowsTotal === 0 ? 0 : Math.min(1, rows / rowsTotal);
  const what = phase === 'looking' ? 'looking at types' : 'writing';
  if (rowsTotal === 0) return `${what}: ${counted(rows, 'row')}`;
  return `${bar(share)} ${what}: ${grouped(rows)} of ${grouped(rowsTotal)}${timeLeft(share, seconds)}`;
}

function formatSummary({ nodes, relationships, rows, files, notes, elapsedMs }: ExportSummary, to: string): string {
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const what =
    nodes + relationships > 0 || rows === 0
      ? `${counted(nodes, 'node')} and ${counted(relationships, 'relationship')}`
      : counted(rows, 'row');
  const where = to === '-' ? '' : ` to ${counted(files.length, 'file')} (${size(bytes)})`;
  return [`exported ${what}${where} in ${(elapsedMs / 1000).toFixed(2)} s`, ...notes.map((note) => `note: ${note}`)]
    .map((line) => `${line}\n`)
    .join('');
}
