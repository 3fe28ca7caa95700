/**
 * The command `graphdb`: its subcommands, and how it reports their failures. Exit status 0; 1 when the statement or the
 * store failed; 2 for wrong usage. Errors go to stderr.
 *
 * Each command is registered by a function of its own, which loads its code only when the command runs. Where a command
 * is named, only that one is registered; all are where none is named (help, completion). So every command starts fast.
 */
import { Command, CommanderError } from 'commander';
import { VERSION } from '../base/index.ts';
import type { CliContext, Streams } from './context.ts';
import { reportFailure } from './failure.ts';

type Register = (program: Command, context: CliContext) => void;

/** The subcommands, in the order in which help lists them. */
const COMMANDS: ReadonlyMap<string, () => Promise<Register>> = new Map([
  ['parse', async () => (await import('./commands/parse.ts')).registerParse],
  ['explain', async () => (await import('./commands/explain.ts')).registerExplain],
  ['sql', async () => (await import('./commands/sql.ts')).registerSql],
  ['run', async () => (await import('./commands/run.ts')).registerRun],
  ['shell', async () => (await import('./shell/shell-command.ts')).registerShell],
  ['import', async () => (await import('./import/import-command.ts')).registerImport],
  ['export', async () => (await import('./export/export-command.ts')).registerExport],
  ['inspect', async () => (await import('./commands/inspect.ts')).registerInspect],
  ['compact', async () => (await import('./commands/compact.ts')).registerCompact],
  ['mcp', async () => (await import('./commands/mcp.ts')).registerMcp],
  ['backup', async () => (await import('./commands/backup.ts')).registerBackup],
]);

const NOTES = `
Examples:
  graphdb run --store 'file://./data?ns=social' "CREATE (:Person {name: 'Ada'})"
  graphdb shell --store 'file://./data?ns=social'
  graphdb import --help

Exit status: 0; 1 when the statement or the store failed; 2 for wrong usage. docs/guides/cli.md tells more.`;

/** Runs the command line, and resolves to the exit status. @param argv the arguments after the program's name */
export async function runCli(argv: readonly string[], streams: Streams): Promise<number> {
  const context: CliContext = { streams, exitStatus: 0 };
  const program = new Command('graphdb')
    .description('A property-graph database that keeps its data in object storage and answers Cypher.')
    .version(VERSION)
    .addHelpText('after', NOTES)
    .exitOverride()
    .configureOutput({ writeOut: (text) => streams.output.write(text), writeErr: (text) => streams.errors.write(text) });
  for (const register of await commandsFor(argv)) register(program, context);
  // An output that is closed early (`graphdb run … | head`) is not a failure.
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

/** Loads the command that is named; all commands where none is, or where the answer is about all of them. */
async function commandsFor([name = '']: readonly string[]): Promise<readonly Register[]> {
  const named = COMMANDS.get(name);
  if (named !== undefined) return [await named()];
  if (name === '--version') return [];
  const { registerCompletion } = await import('./completion/completion-command.ts');
  return [...(await Promise.all(Array.from(COMMANDS.values(), (load) => load()))), registerCompletion];
}
