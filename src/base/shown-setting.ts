/** Settings as users see them: SHOW SETTINGS lists them, and `dbms.checkConfigValue` asks whether one could have another value. */
import { GraphDBError } from './errors.ts';

/** A setting as SHOW SETTINGS lists it. */
export interface ShownSetting {
  /** Neo4j's name where Neo4j has the same setting, else a name that begins with `graphdb.` */
  readonly name: string;
  /** The value as users write it; null if it has none. Never a secret. */
  readonly value: string | null;
  readonly defaultValue: string | null;
  readonly description: string;
  /** The values that the setting accepts, described in words. */
  readonly validValues: string;
  /** True if the value was set explicitly. */
  readonly isExplicitlySet: boolean;
  /** Checks a value, by its text alone. @throws ARGUMENT_ERROR for a value that the setting cannot have */
  check(text: string): void;
}

/** Parses `on`, `off` and their synonyms `1`, `true`, `yes`, `0`, `false`, `no`. @throws ARGUMENT_ERROR for anything else */
export function parseSwitch(text: string): boolean {
  const word = text.toLowerCase();
  if (['1', 'on', 'true', 'yes'].includes(word)) return true;
  if (['0', 'off', 'false', 'no'].includes(word)) return false;
  throw new GraphDBError('ARGUMENT_ERROR', `"${text}" is neither on nor off`);
}

/** Checks that a text can be a path, whether or not the file exists. @throws ARGUMENT_ERROR */
export function checkPath(text: string): void {
  if (text === '' || text.includes('\0')) throw new GraphDBError('ARGUMENT_ERROR', `"${text}" is not a path`);
}
