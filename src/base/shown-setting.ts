/** A setting as users are shown it: SHOW SETTINGS lists them, `dbms.checkConfigValue` asks whether one could have another value. */
import { GraphDBError } from './errors.ts';

/** A setting as SHOW SETTINGS lists it. */
export interface ShownSetting {
  /** Neo4j's name where it has the same setting, else one that begins with `graphdb.` */
  readonly name: string;
  /** As people write it; null: it has none. Never a secret. */
  readonly value: string | null;
  readonly defaultValue: string | null;
  readonly description: string;
  /** The values that the setting accepts, described in words. */
  readonly validValues: string;
  /** Somebody has said what it is to be. */
  readonly isExplicitlySet: boolean;
  /** ARGUMENT_ERROR for what it cannot be. Looks at nothing but the text. */
  check(text: string): void;
}

/** `on`, `off` and the words that mean the same. */
export function parseSwitch(text: string): boolean {
  const word = text.toLowerCase();
  if (['1', 'on', 'true', 'yes'].includes(word)) return true;
  if (['0', 'off', 'false', 'no'].includes(word)) return false;
  throw new GraphDBError('ARGUMENT_ERROR', `"${text}" is neither on nor off`);
}

/** The check of a path: whether there is such a file is not told. */
export function checkPath(text: string): void {
  if (text === '' || text.includes('\0')) throw new GraphDBError('ARGUMENT_ERROR', `"${text}" is not a path`);
}
