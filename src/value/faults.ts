/** Errors that evaluating a value can raise, each with its classification by the openCypher TCK. */
import { GraphDBError } from '../base/index.ts';

const LONGEST_QUOTE = 100;

/** Quotes a user's text for a message; long text is cut and ends with `…`. */
export function quoted(text: string): string {
  return text.length <= LONGEST_QUOTE ? `"${text}"` : `"${text.slice(0, LONGEST_QUOTE).toWellFormed()}…"`;
}

/** Makes a TYPE_ERROR. `detail` is the TCK's: `InvalidArgumentType`, `InvalidArgumentValue`, `InvalidPropertyType`, … */
export function typeFault(message: string, detail = 'InvalidArgumentType'): GraphDBError {
  return new GraphDBError('TYPE_ERROR', message, { tck: { type: 'TypeError', phase: 'runtime', detail } });
}

/** Makes an ARGUMENT_ERROR, for a value of the right type outside of the allowed range. */
export function argumentFault(message: string, detail = 'InvalidArgumentValue', cause?: unknown): GraphDBError {
  return new GraphDBError('ARGUMENT_ERROR', message, { tck: { type: 'ArgumentError', phase: 'runtime', detail }, cause });
}

/** Makes an ARITHMETIC_ERROR. */
export function arithmeticFault(message: string, detail: string): GraphDBError {
  return new GraphDBError('ARITHMETIC_ERROR', message, { tck: { type: 'ArithmeticError', phase: 'runtime', detail } });
}

/** Makes the error of a result beyond 64 bits. */
export function overflowFault(operation: string): GraphDBError {
  return arithmeticFault(`${operation} leaves the range of a 64-bit integer`, 'IntegerOverflow');
}
