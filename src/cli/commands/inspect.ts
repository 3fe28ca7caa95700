/** `graphdb inspect`: what a store holds, without changing it. Exit status 1 when something in it is damaged or missing. */
import type { Command } from 'commander';
import type { CliContext } from '../context.ts';
import { reportFailure } from '../failure.ts';
import { formatInspection } from '../formats/inspection.ts';
import { namespacesAt, placeOf, placeUriOption, withObjectStore } from '../store.ts';

interface InspectCommandOptions {
  readonly store: string;
  readonly json?: boolean;
  readonly verify?: boolean;
}

const NOTES = `
Examples:
  graphdb inspect --store 'file:///data?ns=social'
  graphdb inspect --store file:///data     # every namespace
  graphdb inspect --verify --json --store 's3://bucket/graphs?ns=social&region=eu-central-1'`;

export function registerInspect(program: Command, context: CliContext): void {
  program
    .command('inspect')
    .description('show manifest, write-ahead log, SSTs and catalog of a store, without changing it')
    .addOption(placeUriOption('--store <uri>', 'storage URI; without ns: every namespace there').makeOptionMandatory())
    .option('--json', 'everything, as one JSON object')
    .option('--verify', 'read every object and check its checksum')
    .addHelpText('after', NOTES)
    .action(async ({ store: uri, json, verify }: InspectCommandOptions) => {
      const { output, errors } = context.streams;
      try {
        const { inspectNamespace } = await import('../../storage/index.ts');
        const isOne = placeOf(uri) === null;
        const descriptions: Record<string, unknown> = {};
        for (const { name, uri: each } of await namespacesAt(uri)) {
          const description = await withObjectStore(each, (store) => inspectNamespace(store, { verify: verify === true }));
          if (description.problems.length > 0) context.exitStatus = 1;
          if (json === true) descriptions[name] = description;
          else output.write(`${isOne ? '' : `namespace ${name}\n`}${formatInspection(description)}${isOne ? '' : '\n'}`);
        }
        if (json === true) output.write(`${JSON.stringify(isOne ? Object.values(descriptions)[0] : descriptions, null, 2)}\n`);
      } catch (error) {
        reportFailure(errors, error);
        context.exitStatus = 1;
      }
    });
}
