/** The shell on a terminal: prompts, history, completion, Ctrl-C and Ctrl-D. */
import { createInterface, type Interface } from 'node:readline';
import type { Streams } from '../context.ts';
import { paint } from '../terminal.ts';
import { type Catalog, readCatalog } from './catalog.ts';
import { COMMANDS } from './commands.ts';
import { complete } from './completion.ts';
import { MOST_ENTRIES, readHistory, writeHistory } from './history.ts';
import type { Session } from './session.ts';
import { StatementSplitter } from './statement-splitter.ts';

const EMPTY: Catalog = { labels: [], types: [], keys: [], functions: [] };

/** Runs the shell on a terminal until its input ends. */
export async function runInteractive(session: Session, { input, output }: Streams): Promise<void> {
  const splitter = new StatementSplitter();
  let catalog = EMPTY;
  const lines = createInterface({
    input,
    output,
    terminal: true,
    historySize: MOST_ENTRIES,
    removeHistoryDuplicates: true,
    history: readHistory(),
    completer: (line: string) =>
      complete(line, { ...catalog, parameters: [...session.params.keys()], commands: COMMANDS.flatMap(({ names }) => names) }),
  });
  const prompt = (): void => {
    const transaction = session.connection.inTransaction ? '*' : '';
    const text = splitter.isEmpty
      ? `${session.connection.name}${transaction}> `
      : `${' '.repeat(session.connection.name.length - 1 + transaction.length)}-> `;
    lines.setPrompt(paint(session.output, 'cyan', text));
    lines.prompt();
  };
  lines.on('SIGINT', () => {
    if (session.interrupt()) return;
    splitter.clear();
    output.write('^C\n');
    lines.write(null, { ctrl: true, name: 'e' });
    lines.write(null, { ctrl: true, name: 'u' });
    prompt();
  });
  catalog = await readCatalog(session).catch(() => EMPTY);
  const typed: string[] = [];
  await eachLine(lines, prompt, async (line) => {
    typed.push(line);
    const inputs = splitter.push(`${line}\n`);
    if (inputs.length > 0 || splitter.isEmpty) joinHistory(lines, typed.splice(0));
    for (const each of inputs) if (!session.isOver) await session.run(each);
    if (inputs.length > 0 && !session.connection.inTransaction) catalog = await readCatalog(session).catch(() => catalog);
    return !session.isOver;
  });
  writeHistory(historyOf(lines));
  lines.close();
}

/** Handles one line after the other: the next one when `work` for the last one is done. False from `work` ends the loop. */
async function eachLine(lines: Interface, prompt: () => void, work: (line: string) => Promise<boolean>): Promise<void> {
  const waiting: string[] = [];
  let isClosed = false;
  let wake = (): void => {};
  lines.on('line', (line) => {
    waiting.push(line);
    wake();
  });
  lines.once('close', () => {
    isClosed = true;
    wake();
  });
  prompt();
  for (;;) {
    const line = waiting.shift();
    if (line === undefined) {
      if (isClosed) return;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    } else {
      if (!(await work(line))) return;
      if (waiting.length === 0 && !isClosed) prompt();
    }
  }
}

/** Returns the history of readline, newest first: an array that its types do not declare. */
function historyOf(lines: Interface): string[] {
  return (lines as Interface & { history?: string[] }).history ?? [];
}

/** Joins the lines of a statement to one entry of the history. */
function joinHistory(lines: Interface, typed: readonly string[]): void {
  const history = historyOf(lines);
  const entries = typed.filter((line) => line.trim() !== '');
  // A comment to the end of a line would swallow the lines after it.
  if (entries.length < 2 || entries.some((line) => line.includes('//'))) return;
  if (!entries.every((line, index) => history[entries.length - 1 - index] === line)) return;
  history.splice(0, entries.length, entries.join(' '));
}
