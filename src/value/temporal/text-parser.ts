/**
 * The registry of the parser of temporal text. The classes of values need the parser, and the parser makes these
 * classes, so neither can import the other; the parser registers itself when its module is loaded.
 */

/** A kind of temporal value, or a duration. */
export type TextKind = 'date' | 'localtime' | 'time' | 'localdatetime' | 'datetime' | 'duration';

type Parser = (kind: TextKind, text: string) => unknown;

let parser: Parser | null = null;

/** Registers the parser of temporal text. */
export function registerTextParser(parse: Parser): void {
  parser = parse;
}

/** Parses a text to a value of its kind. @throws ARGUMENT_ERROR for text that is no value of this kind */
export function valueOfText<T>(kind: TextKind, text: string): T {
  return parser!(kind, text) as T; // as: a kind has one class
}
