/** Where output is a terminal: its width and colours. Elsewhere text stays as it is; NO_COLOR turns colours off. */
import type { Writable } from 'node:stream';
import { styleText } from 'node:util';

export type Style = 'bold' | 'dim' | 'red' | 'yellow' | 'cyan';

export function paint(output: Writable, style: Style, text: string): string {
  return isTerminal(output) && !process.env['NO_COLOR'] && process.env['TERM'] !== 'dumb'
    ? styleText(style, text, { validateStream: false })
    : text;
}

export function isTerminal(output: Writable): boolean {
  return 'isTTY' in output && output.isTTY === true;
}

/** In cells; infinite where the output is no terminal. */
export function terminalWidth(output: Writable): number {
  return isTerminal(output) && 'columns' in output && typeof output.columns === 'number' && output.columns > 0
    ? output.columns
    : Number.POSITIVE_INFINITY;
}
