/** Tokenizers: how a text is parted, before filters make terms of the parts. */
import { standardTokens } from './standard-tokenizer.ts';
import { TokenKind, type Tokens } from './tokens.ts';

/** Takes tokens out of a text. */
export type Tokenizer = (text: string, tokens: Tokens) => void;

const LETTERS = /\p{L}+/gu;
/** The characters that Java calls white space, which leaves out those that do not break. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: separators of files and records part words in Java
const NOT_SPACE = /[^\t-\r\x1c-\x20\u1680\u2000-\u2006\u2008-\u200a\u2028\u2029\u205f\u3000]+/gu;
const NOT_UNICODE_SPACE = /\P{White_Space}+/gu;
const LONGEST_TOKEN = 255;
/** Lucene's longest term, in bytes of UTF-8: a longer one is not indexed. */
const LONGEST_TERM_BYTES = 32_766;
const BYTES_PER_UNIT = 3;
/**
 * Addresses of mail, whose part before the @ has at most 255 characters, and addresses of the web with a scheme, or
 * with a name that ends in letters.
 */
const ADDRESSES =
  /(?<![\p{L}\p{N}])(?:(?=[^@\s]{1,255}@)[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,63}|(?:https?|ftp|file):\/\/[^\s"<>\\^`{|}]*[^\s"<>\\^`{|}.,;:!?')\]])(?![\p{L}\p{N}])/giu;

/** Tokens are what a pattern finds, parted where they are too long. */
function matching(pattern: RegExp): Tokenizer {
  return (text, tokens) => {
    for (const match of text.matchAll(pattern)) {
      const end = match.index + match[0].length;
      for (let from = match.index; from < end; ) {
        let to = Math.min(end, from + LONGEST_TOKEN);
        if (to < end && (text.charCodeAt(to) & 0xfc00) === 0xdc00) to--;
        tokens.add(text.slice(from, to), from, to);
        from = to;
      }
    }
  };
}

/** Takes out runs of letters. */
export const letterTokens: Tokenizer = matching(LETTERS);

/** Takes out what stands between white space of ASCII. */
export const whitespaceTokens: Tokenizer = matching(NOT_SPACE);

/** Takes out what stands between white space of Unicode. */
export const unicodeWhitespaceTokens: Tokenizer = matching(NOT_UNICODE_SPACE);

/** The whole text is one token, the empty one included, but for one that is too long for a term. */
export const keywordToken: Tokenizer = (text, tokens) => {
  const isShort = text.length * BYTES_PER_UNIT <= LONGEST_TERM_BYTES;
  if (isShort || (text.length <= LONGEST_TERM_BYTES && Buffer.byteLength(text) <= LONGEST_TERM_BYTES))
    tokens.add(text, 0, text.length, TokenKind.word);
};

/** Addresses stay whole; between them the text is parted as `standardTokens` does. */
export const addressTokens: Tokenizer = (text, tokens) => {
  let from = 0;
  for (const match of text.matchAll(ADDRESSES)) {
    standardTokens(text.slice(from, match.index), tokens);
    from = match.index + match[0].length;
    tokens.add(match[0], match.index, from);
  }
  standardTokens(text.slice(from), tokens);
};
