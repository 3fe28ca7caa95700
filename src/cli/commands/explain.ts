/** `graphdb explain`: shows the plan of a statement without running it. The store is opened for reading only. */
import type { Command } from 'commander';
import type { CliContext } from '../context.ts';
import { reportFailure } from '../failure.ts';
import { readQueryText } from '../query-text.ts';
import { canOpenForReading } from '../read-intent.ts';
import { targetOption, withTarget } from '../store.ts';
import { withoutControls } from '../terminal.ts';

const NOTES = `
Examples:
  graphdb explain --store 'file:///data?ns=social' 'MATCH (p:Person)-[:KNOWS]->(f) RETURN f.name, count(*)'
  graphdb explain --verbose --store http://127.0.0.1:8080 @query.cypher`;

/** Adds `graphdb explain` to the program. */
export function registerExplain(program: Command, context: CliContext): void {
  program
    .command('explain')
    .description('show the plan of a statement, without running it')
    .argument('<query>', 'the statement, @file, or - for standard input')
    .option('--verbose', 'with estimates, costs, applied rewrites and physical pipelines')
    .addOption(targetOption())
    .addHelpText('after', NOTES)
    .action(async (argument: string, options: { verbose?: boolean; store: string }, command: Command) => {
      const query = await readQueryText(argument, command, context.streams);
      try {
        const plan = await withTarget(
          options.store,
          async () => ({ readOnly: canOpenForReading(options.store) }),
          (target) => target.explain(query, { verbose: options.verbose === true }),
        );
        context.streams.output.write(withoutControls(plan.endsWith('\n') ? plan : `${plan}\n`));
      } catch (error) {
        reportFailure(context.streams.errors, error, query);
        context.exitStatus = 1;
      }
    });
}
