/** Cuts long texts into pieces that are analysed one by one, so that other statements can run in between. */
import type { Analyzer } from './analyzers.ts';

/** The longest piece, in code units: some milliseconds of analysis at most. */
const LONGEST_PIECE = 8_192;
/** How many code units before its longest end a piece may end at white space, where no word goes on. */
const LOOKED_BACK = 1_024;

/**
 * Yields where the pieces of a text end, ascending; the last end is the length of the text. A piece ends before white
 * space wherever there is some, so that the words of the pieces are those of the text. A run of 1,024 code units
 * without white space is cut between two characters.
 */
export function* pieceEnds(text: string, analyzer: Analyzer): Generator<number, void, void> {
  const isWhole = analyzer.takesWhole;
  for (let from = 0; from < text.length; ) {
    const end = isWhole || text.length - from <= LONGEST_PIECE ? text.length : endBefore(text, from + LONGEST_PIECE);
    yield end;
    from = end;
  }
}

function endBefore(text: string, most: number): number {
  for (let at = most; at > most - LOOKED_BACK; at--) {
    const code = text.charCodeAt(at);
    if (code === 0x20 || code === 0x0a) return at;
  }
  // A pair of surrogates stays together, and so do a letter and the marks that follow it.
  let end = most;
  while (end > most - LOOKED_BACK && ((text.charCodeAt(end) & 0xfc00) === 0xdc00 || /\p{M}|\u200d/u.test(text[end] as string))) end--;
  return end;
}
