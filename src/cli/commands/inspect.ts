/** `graphdb inspect`: what a store holds, without changing it. Exit status 1 when something in it is damaged or missing. */
import type { Command } from 'commander';
import type { CliContext } from '../context.ts';
import { reportFailure } from '../failure.ts';
import { formatInspection } from '../formats/inspection.ts';
import { storeUriOption, withObjectStore } from '../store.ts';

interface InspectCommandOptions {
  readonly store: string;
  readonly json?: boolean;
  readonly verify?: boolean;
}

const NOTES = `
Examples:
  graphdb inspect --store 'file:///data?ns=social'
  graphdb inspect --verify --json --store 's3://bucket/graphs?ns=social&region=eu-central-1'`;

export function registerInspect(program: Command, context: CliContext): void {
  program
    .command('inspect')
    .description('show manifest, write-ahead log, SSTs and catalog of a store, without changing it')
    .addOption(storeUriOption('--store <uri>', 'storage URI').makeOptionMandatory())
    .option('--json', 'everything, as one JSON object')
    .option('--verify', 'read every object and check its checksum')
    .addHelpText('after', NOTES)
    .action(async ({ store: uri, json, verify }: InspectCommandOptions) => {
      const { output, errors } = context.streams;
      try {
        const { inspectNamespace } = await import('../../storage/index.ts');
        const description = await withObjectStore(uri, (store) => inspectNamespace(store, { verify: verify === true }));
        output.write(json === true ? `${JSON.stringify(description, null, 2)}\n` : formatInspection(description));
        if (description.problems.length > 0) context.exitStatus = 1;
      } catch (error) {
        reportFailure(errors, error);
        context.exitStatus = 1;
      }
    });
}
