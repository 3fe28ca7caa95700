/** Settings that the browser keeps for the user: history, saved statements, how labels look, the theme. Never a token. */

export interface LabelStyle {
  readonly color?: string;
  readonly caption?: string;
  readonly size?: number;
}

export interface SavedStatement {
  readonly name: string;
  readonly text: string;
}

const MOST_HISTORY = 200;

function read<T>(key: string, fallback: T): T {
  try {
    const text = localStorage.getItem(`graphdb:${key}`);
    return text === null ? fallback : (JSON.parse(text) as T);
  } catch {
    return fallback;
  }
}

function write(key: string, value: unknown): void {
  try {
    localStorage.setItem(`graphdb:${key}`, JSON.stringify(value));
  } catch {
    // A browser that keeps nothing, or has no room, does without.
  }
}

export const readStyles = (): Readonly<Record<string, LabelStyle>> => read('styles', {});
export const writeStyles = (styles: Readonly<Record<string, LabelStyle>>): void => write('styles', styles);
export const readSaved = (): readonly SavedStatement[] => read('saved', []);
export const writeSaved = (saved: readonly SavedStatement[]): void => write('saved', saved);
export const readHistory = (): readonly string[] => read('history', []);
export const readTheme = (): 'dark' | 'light' | 'system' => read('theme', 'system');
export const writeTheme = (theme: 'dark' | 'light' | 'system'): void => write('theme', theme);

/** The newest first; a statement that is run again moves there. */
export function addToHistory(text: string): readonly string[] {
  const next = [text, ...readHistory().filter((other) => other !== text)].slice(0, MOST_HISTORY);
  write('history', next);
  return next;
}
