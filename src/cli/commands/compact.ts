/** `graphdb compact`: merges the SSTs of a store while no server writes to it. */
import type { Command } from 'commander';
import { counted, size } from '../amounts.ts';
import type { CliContext } from '../context.ts';
import { reportFailure } from '../failure.ts';
import { storeUriOption, withEngine } from '../store.ts';

const NOTES = `
The store is opened for writing: a server that writes to it now is fenced, and only reads from then on.
Ask a running server instead: POST /v0/admin/compact.

Example:
  graphdb compact --store 'file:///data?ns=social'`;

/** Adds `graphdb compact` to the program. */
export function registerCompact(program: Command, context: CliContext): void {
  program
    .command('compact')
    .description('merge the SSTs of every table, and remove objects that nobody needs any more')
    .addOption(storeUriOption('--store <uri>', 'storage URI').makeOptionMandatory())
    .addHelpText('after', NOTES)
    .action(async ({ store }: { store: string }) => {
      const { output, errors } = context.streams;
      try {
        const outcome = await withEngine(store, { readOnly: false }, (engine) => engine.compact());
        const merged =
          `${counted(outcome.sstsRemoved, 'SST')} of ${counted(outcome.tablesMerged, 'table')} merged into ` + `${outcome.sstsAdded}`;
        const removed = `${counted(outcome.objectsRemoved, 'object')} removed (${size(outcome.bytesRemoved)})`;
        output.write(
          `${merged}, ${counted(outcome.rowsWritten, 'row')} written; ${removed}; manifest version ${outcome.manifestVersion}\n`,
        );
      } catch (error) {
        reportFailure(errors, error);
        context.exitStatus = 1;
      }
    });
}
