/** The width and the colours of a terminal. Other output stays plain text; NO_COLOR turns colours off. */
import type { Writable } from 'node:stream';
import { styleText } from 'node:util';

/** A style of text on a terminal. */
export type Style = 'bold' | 'dim' | 'red' | 'yellow' | 'cyan';

/** Styles text where the output is a terminal. */
export function paint(output: Writable, style: Style, text: string): string {
  return isTerminal(output) && !process.env['NO_COLOR'] && process.env['TERM'] !== 'dumb'
    ? styleText(style, text, { validateStream: false })
    : text;
}

/** Replaces control characters, which could move the cursor and hide other output, by escapes; tabs and line ends stay. */
export function withoutControls(text: string): string {
  return text.replace(/(?!\r\n|[\n\t])\p{Cc}/gu, (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Tells whether the output is a terminal. */
export function isTerminal(output: Writable): boolean {
  return 'isTTY' in output && output.isTTY === true;
}

/** Returns the width in cells; infinite where the output is not a terminal. */
export function terminalWidth(output: Writable): number {
  return isTerminal(output) && 'columns' in output && typeof output.columns === 'number' && output.columns > 0
    ? output.columns
    : Number.POSITIVE_INFINITY;
}
