/** The history of the shell, in `~/.graphdb_history`, or in `graphdb/history` below XDG_STATE_HOME; one statement per line. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

/** The most entries that are kept. */
export const MOST_ENTRIES = 1000;

function historyPath(): string {
  const state = process.env['XDG_STATE_HOME'];
  return state === undefined || state === '' ? join(homedir(), '.graphdb_history') : join(state, 'graphdb', 'history');
}

/** Returns the entries, the newest first; none where the file cannot be read. */
export function readHistory(): string[] {
  try {
    return readFileSync(historyPath(), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .slice(0, MOST_ENTRIES);
  } catch {
    return [];
  }
}

/** Writes the entries to a file that only its owner can read. A file that cannot be written is not a failure. */
export function writeHistory(entries: readonly string[]): void {
  try {
    mkdirSync(dirname(historyPath()), { recursive: true });
    writeFileSync(
      historyPath(),
      entries
        .slice(0, MOST_ENTRIES)
        .map((entry) => `${entry}\n`)
        .join(''),
      { mode: 0o600 },
    );
  } catch {
    // The home cannot be written to.
  }
}
