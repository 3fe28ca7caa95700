/** `graphdb run`: runs one statement on a store, and writes its answer in the requested format. */
import { type Command, Option } from 'commander';
import type { CliContext } from '../context.ts';
import { reportFailure } from '../failure.ts';
import { ANSWER_FORMATS, type AnswerFormat } from '../formats/index.ts';
import { readParams, readQueryText } from '../query-text.ts';
import { opensForReading } from '../read-intent.ts';
import { targetOption, versionOption, withTarget } from '../store.ts';
import { isServer, type StatementTarget } from '../target.ts';
import { paint, withoutControls } from '../terminal.ts';

interface RunOptions {
  readonly store: string;
  readonly atVersion?: number;
  readonly params?: string;
  readonly loadCsv?: string;
  readonly format: AnswerFormat;
}

const NOTES = `
Examples:
  graphdb run 'RETURN 1 + 1 AS two'
  graphdb run --store 'file:///data?ns=social' --params '{"name": "Ada"}' 'MATCH (p:Person {name: $name}) RETURN p.born'
  graphdb run --store http://127.0.0.1:8080 --format csv @report.cypher > report.csv     # the token: GRAPHDB_AUTH_TOKEN`;

/** Adds `graphdb run` to the program. */
export function registerRun(program: Command, context: CliContext): void {
  program
    .command('run')
    .description('run a statement')
    .argument('<query>', 'the statement, @file, or - for standard input')
    .addOption(targetOption())
    .addOption(versionOption('read a retained manifest version: what was in SSTs then'))
    .option('--params <json>', 'parameters: a JSON object, or @file')
    .option('--load-csv <directory>', 'let LOAD CSV read the files of this directory')
    .addOption(new Option('--format <format>', 'how the answer is written').choices(Object.keys(ANSWER_FORMATS)).default('table'))
    .addHelpText('after', NOTES)
    .action(async (argument: string, options: RunOptions, command: Command) => {
      const { output, errors } = context.streams;
      const query = await readQueryText(argument, command, context.streams);
      const params = await readParams(options.params, command);
      try {
        if (isServer(options.store) && (options.atVersion ?? options.loadCsv) !== undefined) {
          command.error('error: --at-version and --load-csv need a storage URI', { exitCode: 2 });
        }
        const warnings = await withTargetFor(query, options, (target) => ANSWER_FORMATS[options.format](target, { query, params }, output));
        for (const { title, description } of warnings)
          errors.write(`${paint(errors, 'yellow', withoutControls(`${title} ${description}`))}\n`);
      } catch (error) {
        reportFailure(errors, error, query);
        context.exitStatus = 1;
      }
    });
}

/** Runs `work` on the target. For a statement that only reads, the store is opened for reading, which fences no writer. */
async function withTargetFor<T>(
  query: string,
  { store, atVersion, loadCsv }: RunOptions,
  work: (target: StatementTarget) => Promise<T>,
): Promise<T> {
  const how = async () =>
    atVersion === undefined ? { readOnly: await opensForReading(query, store) } : { readOnly: true, version: atVersion };
  return withTarget(store, async () => ({ ...(await how()), csvDirectory: loadCsv }), work);
}
