/** The history of the shell: `~/.graphdb_history`, or `graphdb/history` below XDG_STATE_HOME. A statement is one line there. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

/** The most entries of the history. */
export const MOST_ENTRIES = 1000;

function historyPath(): string {
  const state = process.env['XDG_STATE_HOME'];
  return state === undefined || state === '' ? join(homedir(), '.graphdb_history') : join(state, 'graphdb', 'history');
}

/** The newest first; none where it cannot be read. */
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

/** For its owner only. A history that cannot be kept is no failure. */
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
    // A home that cannot be written to.
  }
}
