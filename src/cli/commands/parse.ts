/** `graphdb parse`: shows the canonical text of a statement, or its syntax tree. It opens no store. */
import type { Command } from 'commander';
import type { CliContext } from '../context.ts';
import { reportFailure } from '../failure.ts';
import { formatTree } from '../formats/tree.ts';
import { readQueryText } from '../query-text.ts';

const NOTES = `
Examples:
  graphdb parse 'match (a)-->(b) return a'
  graphdb parse --json @query.cypher`;

/** Adds `graphdb parse` to the program. */
export function registerParse(program: Command, context: CliContext): void {
  program
    .command('parse')
    .description('show a statement as the parser understands it')
    .argument('<query>', 'the statement, @file, or - for standard input')
    .option('--json', 'the syntax tree instead of the canonical text')
    .addHelpText('after', NOTES)
    .action(async (argument: string, options: { json?: boolean }, command: Command) => {
      const { formatStatement, parse } = await import('../../cypher/index.ts');
      const { output, errors } = context.streams;
      const query = await readQueryText(argument, command, context.streams);
      try {
        const statement = parse(query);
        output.write(`${options.json === true ? formatTree(statement) : formatStatement(statement)}\n`);
      } catch (error) {
        reportFailure(errors, error, query);
        context.exitStatus = 1;
      }
    });
}
