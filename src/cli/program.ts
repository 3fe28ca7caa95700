/**
 * The command `graphdb`: its subcommands, and what their failures look like. Exit status 0; 1 when the statement or the store failed; 2 for
 * wrong usage. Errors go to stderr.
 *
 * A command is registered by a function of its own, which loads what it needs only when it runs, so that every command starts fast.
 */
import { Command, CommanderError } from 'commander';
import { VERSION } from '../base/index.ts';
import { registerBackup } from './commands/backup.ts';
import { registerCompact } from './commands/compact.ts';
import { registerExplain } from './commands/explain.ts';
import { registerInspect } from './commands/inspect.ts';
import { registerParse } from './commands/parse.ts';
import { registerRun } from './commands/run.ts';
import { registerCompletion } from './completion/completion-command.ts';
import type { CliContext, Streams } from './context.ts';
import { registerExport } from './export/export-command.ts';
import { reportFailure } from './failure.ts';
import { registerImport } from './import/import-command.ts';
import { registerShell } from './shell/shell-command.ts';

const COMMANDS = [
  registerParse,
  registerExplain,
  registerRun,
  registerShell,
  registerImport,
  registerExport,
  registerInspect,
  registerCompact,
  registerBackup,
  registerCompletion,
];

const NOTES = `
Examples:
  graphdb run --store 'file://./data?ns=social' "CREATE (:Person {name: 'Ada'})"
  graphdb shell --store 'file://./data?ns=social'
  graphdb import --help

Exit status: 0; 1 when the statement or the store failed; 2 for wrong usage. docs/guides/cli.md tells more.`;

/** Answers the exit status. `argv`: what follows the program's name. */
export async function runCli(argv: readonly string[], streams: Streams): Promise<number> {
  const context: CliContext = { streams, exitStatus: 0 };
  const program = new Command('graphdb')
    .description('A property-graph database that keeps its data in object storage and answers Cypher.')
    .version(VERSION)
    .addHelpText('after', NOTES)
    .exitOverride()
    .configureOutput({ writeOut: (text) => streams.output.write(text), writeErr: (text) => streams.errors.write(text) });
  for (const register of COMMANDS) register(program, context);
  // A reader that stops reading (`graphdb run … | head`) is no failure.
  streams.output.on('error', () => {});
  try {
    await program.parseAsync(argv, { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    reportFailure(streams.errors, error);
    return 1;
  }
  return context.exitStatus;
}
