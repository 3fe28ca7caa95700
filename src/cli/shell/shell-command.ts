/**
 * `graphdb shell`: runs statements one after the other, on a store or a server: on a terminal with history and
 * completion, else from standard input until the first failure.
 */
import type { Command } from 'commander';
import type { CliContext, Streams } from '../context.ts';
import { reportFailure } from '../failure.ts';
import { targetOption } from '../store.ts';
import { isTerminal } from '../terminal.ts';
import { COMMANDS } from './commands.ts';
import { connect } from './connection.ts';
import { Session } from './session.ts';
import { StatementSplitter } from './statement-splitter.ts';

interface ShellOptions {
  readonly store: string;
  readonly readOnly?: boolean;
}

const NOTES = `
Statements end with a semicolon; lines that begin with a colon are commands (:help lists them). A store is opened for reading until
the first statement that
writes: from then on a server that writes to it now only reads. A server is asked with the token of GRAPHDB_AUTH_TOKEN.

Examples:
  graphdb shell --store 'file:///data?ns=social'
  graphdb shell --store http://127.0.0.1:8080
  graphdb shell --store 'file:///data?ns=copy' < social.cypher`;

/** Adds `graphdb shell` to the program. */
export function registerShell(program: Command, context: CliContext): void {
  program
    .command('shell')
    .description('run statements one after the other')
    .addOption(targetOption())
    .option('--read-only', 'never open the store for writing')
    .addHelpText('after', NOTES)
    .action(async ({ store, readOnly = false }: ShellOptions) => {
      const { streams } = context;
      try {
        if (!(await runShell(store, readOnly, streams))) context.exitStatus = 1;
      } catch (error) {
        reportFailure(streams.errors, error);
        context.exitStatus = 1;
      }
    });
}

async function runShell(store: string, readOnly: boolean, streams: Streams): Promise<boolean> {
  const isInteractive = isTerminal(streams.output) && 'isTTY' in streams.input && streams.input.isTTY === true;
  const connection = await connect(store, {
    readOnly,
    onWriter: () => {
      if (isInteractive) streams.errors.write('opened for writing\n');
    },
  });
  const session = new Session(connection, streams, { commands: COMMANDS, timing: isInteractive });
  try {
    if (!isInteractive) return (await runAll(session, streams)) && !abandonsTransaction(session);
    const { runInteractive } = await import('./interactive.ts');
    streams.output.write('Statements end with a semicolon. :help shows commands, :exit leaves.\n');
    await runInteractive(session, streams);
    return true;
  } finally {
    await session.connection.close();
  }
}

/** Reports a transaction that is open at the end of the input, and is rolled back. False: there is none. */
function abandonsTransaction({ connection, errors }: Session): boolean {
  if (!connection.inTransaction) return false;
  errors.write('graphdb: the input ended within a transaction, which is rolled back; end it with :commit\n');
  return true;
}

/** Runs all statements of the input. False: one has failed, and the rest was not run. */
async function runAll(session: Session, { input }: Streams): Promise<boolean> {
  const splitter = new StatementSplitter();
  input.setEncoding('utf8');
  for await (const piece of input) {
    for (const each of splitter.push(String(piece))) {
      if (session.isOver) return true;
      if (!(await session.run(each))) return false;
    }
  }
  for (const each of splitter.finish()) if (!session.isOver && !(await session.run(each))) return false;
  return true;
}
