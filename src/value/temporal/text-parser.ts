/**
 * The reader of temporal texts, for the classes of values, which it makes: it registers itself when it is loaded, since
 * neither can import the other.
 */

/** A kind of temporal value, or a duration. */
export type TextKind = 'date' | 'localtime' | 'time' | 'localdatetime' | 'datetime' | 'duration';

type Parser = (kind: TextKind, text: string) => unknown;

let parser: Parser | null = null;

/** Registers the reader of temporal texts. */
export function registerTextParser(parse: Parser): void {
  parser = parse;
}

/** The value of a text, of the class of its kind. ARGUMENT_ERROR: it is none. */
export function valueOfText<T>(kind: TextKind, text: string): T {
  return parser!(kind, text) as T; // as: a kind has one class
}
