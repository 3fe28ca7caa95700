/** `graphdb inspect`: describes what a store holds, without changing it. Exit status 1 when something in it is damaged or missing. */
import { type Command, Option } from 'commander';
import type { CliContext } from '../context.ts';
import { reportFailure } from '../failure.ts';
import { formatInspection } from '../formats/inspection.ts';
import { namespacesAt, placeOf, placeUriOption, withObjectStore } from '../store.ts';
import { withoutControls } from '../terminal.ts';

interface InspectCommandOptions {
  readonly store: string;
  readonly json?: boolean;
  readonly verify?: boolean;
  readonly cacheDir?: string;
}

const NOTES = `
Examples:
  graphdb inspect --store 'file:///data?ns=social'
  graphdb inspect --store file:///data     # every namespace
  graphdb inspect --verify --json --store 's3://bucket/graphs?ns=social&region=eu-central-1'`;

/** Adds `graphdb inspect` to the program. */
export function registerInspect(program: Command, context: CliContext): void {
  program
    .command('inspect')
    .description('show manifest, write-ahead log, SSTs and catalog of a store, without changing it')
    .addOption(placeUriOption('--store <uri>', 'storage URI; without ns: every namespace there').makeOptionMandatory())
    .option('--json', 'everything, as one JSON object')
    .option('--verify', 'read every object and check its checksum')
    .addOption(
      new Option('--cache-dir <directory>', 'tell also what this cache directory of a server has of the store').env('GRAPHDB_CACHE_DIR'),
    )
    .addHelpText('after', NOTES)
    .action(async ({ store: uri, json, verify, cacheDir }: InspectCommandOptions) => {
      const { output, errors } = context.streams;
      try {
        const { inspectNamespace, usageOf } = await import('../../storage/index.ts');
        const isOne = placeOf(uri) === null;
        const descriptions: Record<string, unknown> = {};
        for (const { name, uri: each } of await namespacesAt(uri)) {
          const description = await withObjectStore(each, (store) => inspectNamespace(store, { verify: verify === true }));
          if (description.problems.length > 0) context.exitStatus = 1;
          const pageCache = cacheDir === undefined ? null : await usageOf(cacheDir, description.location);
          if (json === true) descriptions[name] = { ...description, ...(pageCache === null ? {} : { pageCache }) };
          else
            output.write(
              `${isOne ? '' : `namespace ${name}\n`}${withoutControls(formatInspection(description, pageCache))}${isOne ? '' : '\n'}`,
            );
        }
        if (json === true) output.write(`${JSON.stringify(isOne ? Object.values(descriptions)[0] : descriptions, null, 2)}\n`);
      } catch (error) {
        reportFailure(errors, error);
        context.exitStatus = 1;
      }
    });
}
