/**
 * The faults that evaluating a value can raise, each with the openCypher TCK's classification.
 */
import { GraphDBError } from '../base/index.ts';

const LONGEST_QUOTE = 100;

/** A text of the user as messages quote it: its beginning, where it is long. */
export function quoted(text: string): string {
  return text.length <= LONGEST_QUOTE ? `"${text}"` : `"${text.slice(0, LONGEST_QUOTE).toWellFormed()}…"`;
}

/** A value of the wrong type; `detail` is the TCK's (`InvalidArgumentType`, `InvalidArgumentValue`, `InvalidPropertyType`, …). */
export function typeFault(message: string, detail = 'InvalidArgumentType'): GraphDBError {
  return new GraphDBError('TYPE_ERROR', message, { tck: { type: 'TypeError', phase: 'runtime', detail } });
}

/** A value of the right type outside what is allowed. */
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
