/** Token filters: they change the tokens between the tokenizer and the index, in the order in which an analyzer names them. */
import { TokenKind, Tokens } from './tokens.ts';

/** Returns the given tokens after a change in place, or new ones. */
export type TokenFilter = (tokens: Tokens) => Tokens;

function each(change: (term: string) => string): TokenFilter {
  return (tokens) => {
    tokens.replace(change);
    return tokens;
  };
}

/**
 * Turns a term into lower case character by character, whatever stands around each: a sigma at the end of a word
 * becomes the ordinary small sigma, and a dotted capital I a plain i.
 */
export function lowerCased(term: string): string {
  if (!/[\u0130\u03a3]/.test(term)) return term.toLowerCase();
  return term.replaceAll('\u0130', 'i').replaceAll('\u03a3', '\u03c3').toLowerCase();
}

/** Turns terms into lower case. */
export const lowerCase: TokenFilter = each(lowerCased);

/** Turns terms into lower case as Turkish does, which has an i with and one without a dot. */
export const turkishLowerCase: TokenFilter = each((term) => lowerCased(term.replaceAll('I', '\u0131').replaceAll('\u0131\u0307', 'i')));

/** Removes the ending that follows an apostrophe in Turkish. */
export const withoutApostrophe: TokenFilter = each((term) => /^[^'\u2019]*/.exec(term)?.[0] ?? term);

/** Removes words; their positions stay empty. */
export function stop(words: ReadonlySet<string>): TokenFilter {
  return each((term) => (words.has(term) ? '' : term));
}

/** Removes articles that stand before an apostrophe. */
export function elision(articles: readonly string[]): TokenFilter {
  const pattern = new RegExp(`^(?:${articles.join('|')})['\u2019]`, 'i');
  return each((term) => term.replace(pattern, ''));
}

/** Removes the `'s` of English. */
export const withoutPossessive: TokenFilter = each((term) => term.replace(/['\u2019\uff07][sS]$/, ''));

/** Letters with a mark and the letters without it, and ligatures with the two letters that they stand for. */
const FOLDED: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ß: 'ss',
    ẞ: 'SS',
    æ: 'ae',
    Æ: 'AE',
    œ: 'oe',
    Œ: 'OE',
    ø: 'o',
    Ø: 'O',
    đ: 'd',
    Đ: 'D',
    ð: 'd',
    Ð: 'D',
    ł: 'l',
    Ł: 'L',
    þ: 'th',
    Þ: 'TH',
  }).concat(
    Object.entries({ ħ: 'h', Ħ: 'H', ı: 'i', ŋ: 'n', Ŋ: 'N', ŧ: 't', Ŧ: 'T', ƒ: 'f', ĸ: 'q', ŉ: 'n', ſ: 's', ə: 'a', Ə: 'A' }),
    Object.entries({
      '\u2018': "'",
      '\u2019': "'",
      '\u201c': '"',
      '\u201d': '"',
      '\u2010': '-',
      '\u2011': '-',
      '\u2012': '-',
      '\u2013': '-',
      '\u2014': '-',
    }),
  ),
);

const NOT_ASCII = /[^\0-\x7f]/;
/** Latin letters with the combining marks that decomposition leaves behind them; those of other scripts stay. */
const LATIN_WITH_SIGNS = /(\p{Script=Latin})\p{Mn}+/gu;

/** Returns a term with the ASCII letters nearest to its own. */
export function foldedToAscii(term: string): string {
  if (!NOT_ASCII.test(term)) return term;
  let folded = '';
  for (const character of term) {
    const direct = FOLDED.get(character);
    if (direct !== undefined) {
      folded += direct;
      continue;
    }
    const decomposed = character.normalize('NFKD').replace(LATIN_WITH_SIGNS, '$1');
    const isPlain = !NOT_ASCII.test(decomposed);
    folded += isPlain ? decomposed : character;
  }
  return folded;
}

/** Replaces letters by the nearest ones of ASCII. */
export const asciiFolding: TokenFilter = each(foldedToAscii);

/** Turns characters of full width into ordinary ones, and Katakana of half width into full width. */
export const normalWidth: TokenFilter = each((term) => term.replace(/[\uff01-\uff5e\uff65-\uff9f]+/g, (found) => found.normalize('NFKC')));

const CJK_KINDS: ReadonlySet<TokenKind> = new Set([TokenKind.ideograph, TokenKind.hiragana, TokenKind.katakana, TokenKind.hangul]);

/**
 * Replaces words of Chinese, Japanese and Korean by pairs of characters that are adjacent in the text. A character that
 * stands alone is a term.
 */
export const bigrams: TokenFilter = (tokens) => {
  const made = new Tokens();
  for (let i = 0; i < tokens.length; ) {
    if (!CJK_KINDS.has(tokens.kinds[i] as TokenKind)) {
      made.add(tokens.terms[i] as string, tokens.starts[i] as number, tokens.ends[i] as number);
      i++;
      continue;
    }
    let end = i + 1;
    while (end < tokens.length && CJK_KINDS.has(tokens.kinds[end] as TokenKind) && tokens.starts[end] === tokens.ends[end - 1]) end++;
    const characters = [...tokens.terms.slice(i, end).join('')];
    const start = tokens.starts[i] as number;
    if (characters.length === 1) made.add(characters[0] as string, start, tokens.ends[i] as number);
    for (let at = 0; at + 1 < characters.length; at++) made.add(`${characters[at]}${characters[at + 1]}`, start + at, start + at + 2);
    i = end;
  }
  return made;
};
