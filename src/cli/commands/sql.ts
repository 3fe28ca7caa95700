/** `graphdb sql`: a read-only statement as SQL of Spark or DuckDB, over tables of the store's nodes and relationships. Nothing is run but a look at the schema. */
import { type Command, Option } from 'commander';
import { analyze, parse } from '../../cypher/index.ts';
import { type DialectName, lowerStatement, type SchemaRow, type SqlStatement, shapeOfSchema } from '../../sql/index.ts';
import type { CliContext } from '../context.ts';
import { reportFailure } from '../failure.ts';
import { readQueryText } from '../query-text.ts';
import { canOpenForReading } from '../read-intent.ts';
import { targetOption, withTarget } from '../store.ts';
import type { StatementTarget } from '../target.ts';

const NOTES = `
What has no form in SQL is refused with its name and place. Each table of the text is one that graphdb.to_arrow_dataset reads: the comments say which.

Example:
  graphdb sql --dialect duckdb --store 'file:///data?ns=social' 'MATCH (p:Person)-[:KNOWS]->(f) RETURN f.name, count(*)'`;

const NODES =
  'CALL db.schema.nodeTypeProperties() YIELD nodeLabels, propertyName, propertyTypes RETURN nodeLabels, propertyName, propertyTypes';
const RELATIONSHIPS =
  'CALL db.schema.relTypeProperties() YIELD relType, propertyName, propertyTypes RETURN relType, propertyName, propertyTypes';

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
        const statement = await withTarget(options.store, readOnly, (target) => translate(target, query, options.dialect));
        context.streams.output.write(options.json === true ? `${JSON.stringify(statement)}\n` : format(statement));
      } catch (error) {
        reportFailure(context.streams.errors, error, query);
        context.exitStatus = 1;
      }
    });
}

async function translate(target: StatementTarget, text: string, dialect: DialectName): Promise<SqlStatement> {
  const bound = analyze(parse(text), text);
  const shape = shapeOfSchema(await schemaRows(target, NODES), await schemaRows(target, RELATIONSHIPS));
  return lowerStatement(bound, { text, dialect, shape, parameters: new Map() });
}

async function schemaRows(target: StatementTarget, query: string): Promise<SchemaRow[]> {
  const { rows } = await target.execute(query, new Map());
  // As the procedures declare: names (quoted behind a colon for types), a key or null, names of types or null.
  return rows.map(([names, key, types]) => ({
    names: typeof names === 'string' ? [names.slice(2, -1)] : (names as string[]),
    key: (key ?? null) as string | null,
    types: (types ?? []) as string[],
  }));
}

function format({ sql, sources }: SqlStatement): string {
  const comments = sources.map(({ name, labels, type, columns }) => {
    const what = labels === null ? `relationships of type ${type}` : labels.length === 0 ? 'all nodes' : `nodes with ${labels.join(', ')}`;
    return `-- ${name}: ${what}; columns ${columns.join(', ')}\n`.replace(/[\r\n]+(?!$)/g, ' ');
  });
  return `${comments.join('')}${sql}\n`;
}
