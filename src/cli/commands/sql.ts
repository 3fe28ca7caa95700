/**
 * `graphdb sql`: translates a read-only statement to SQL of Spark or DuckDB, over tables of the store's nodes and
 * relationships. It runs nothing except to read the schema and to compute constants.
 */
import { type Command, Option } from 'commander';
import { type DialectName, type SqlStatement, translate } from '../../sql/index.ts';
import type { CliContext } from '../context.ts';
import { reportFailure } from '../failure.ts';
import { readQueryText } from '../query-text.ts';
import { canOpenForReading } from '../read-intent.ts';
import { targetOption, withTarget } from '../store.ts';

const NOTES = `
What has no form in SQL is refused with its name and place. Each table of the text is one that
graphdb.to_arrow_dataset reads: the comments say which.

Example:
  graphdb sql --dialect duckdb --store 'file:///data?ns=social' 'MATCH (p:Person)-[:KNOWS]->(f) RETURN f.name, count(*)'`;

/** Adds `graphdb sql` to the program. */
export function registerSql(program: Command, context: CliContext): void {
  program
    .command('sql')
    .description('show a statement that reads as SQL of Spark or DuckDB')
    .argument('<query>', 'the statement, @file, or - for standard input')
    .addOption(new Option('--dialect <name>', 'whose SQL').choices(['spark', 'duckdb']).default('spark'))
    .option('--json', 'as an object: sql, and sources with name, labels or type, and columns')
    .addOption(targetOption())
    .addHelpText('after', NOTES)
    .action(async (argument: string, options: { dialect: DialectName; store: string; json?: boolean }, command: Command) => {
      const query = await readQueryText(argument, command, context.streams);
      try {
        const readOnly = async () => ({ readOnly: canOpenForReading(options.store) });
        const statement = await withTarget(options.store, readOnly, (target) =>
          translate((text) => target.execute(text, new Map()), { text: query, dialect: options.dialect, parameters: new Map() }),
        );
        context.streams.output.write(options.json === true ? `${JSON.stringify(statement)}\n` : format(statement));
      } catch (error) {
        reportFailure(context.streams.errors, error, query);
        context.exitStatus = 1;
      }
    });
}

function format({ sql, sources }: SqlStatement): string {
  const comments = sources.map(({ name, labels, type, columns }) => {
    const what = labels === null ? `relationships of type ${type}` : labels.length === 0 ? 'all nodes' : `nodes with ${labels.join(', ')}`;
    return `-- ${name}: ${what}; columns ${columns.join(', ')}\n`.replace(/[\r\n]+(?!$)/g, ' ');
  });
  return `${comments.join('')}${sql}\n`;
}
