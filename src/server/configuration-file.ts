/**
 * The configuration file of the server: a setting a line, named like its flag.
 *
 *   # who may reach it
 *   listen = 127.0.0.1:8080
 *   store = "s3://bucket/graphs?ns=prod&region=eu-central-1"
 *   read-only = on
 *
 * What begins with `#` is a comment; quotes around a value are no part of it, and keep blanks at its ends and `#` in it.
 */
import { readFileSync } from 'node:fs';
import { GraphDBError } from '../base/index.ts';

/** The text given for a setting, and where it was given: a flag, a variable, or a line of a file. */
export interface GivenText {
  readonly by: string;
  readonly text: string;
}

const LINE = /^([a-z][a-z-]*)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^#"'][^#]*?)?)\s*(?:#.*)?$/;

/**
 * Reads the settings of the file, by their flags.
 *
 * @throws ARGUMENT_ERROR if the file cannot be read, or if a line is malformed, names a setting that is not known, or
 * repeats one.
 */
export function readConfigurationFile(path: string, flags: ReadonlySet<string>): ReadonlyMap<string, GivenText> {
  const settings = new Map<string, GivenText>();
  for (const [index, line] of textOf(path).split(/\r?\n/).entries()) {
    const text = line.trim();
    if (text === '' || text.startsWith('#')) continue;
    const place = `${path}:${index + 1}`;
    const [, flag, doubleQuoted, singleQuoted, bare] = LINE.exec(text) ?? [];
    if (flag === undefined) throw new GraphDBError('ARGUMENT_ERROR', `${place}: not of the form <setting> = <value>`);
    if (!flags.has(flag))
      throw new GraphDBError('ARGUMENT_ERROR', `${place}: there is no setting "${flag}"; they are named like the flags, without --`);
    if (settings.has(flag)) throw new GraphDBError('ARGUMENT_ERROR', `${place}: "${flag}" stands in the file already`);
    settings.set(flag, { by: `${flag} (${place})`, text: doubleQuoted ?? singleQuoted ?? bare ?? '' });
  }
  return settings;
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new GraphDBError('ARGUMENT_ERROR', `cannot read ${path}: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}
