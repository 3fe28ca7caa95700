/** Tokenizers: they split a text into tokens, before filters make terms of these. */
import { standardTokens } from './standard-tokenizer.ts';
import { TokenKind, type Tokens } from './tokens.ts';

/** Adds the tokens of a text to a list. */
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
 * Matches addresses of mail, whose part before the @ has at most 255 characters, and addresses of the web that begin
 * with a scheme.
 */
const ADDRESSES =
  /(?<![\p{L}\p{N}])(?:(?=[^@\s]{1,255}@)[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,63}|(?:https?|ftp|file):\/\/[^\s"<>\\^`{|}]*[^\s"<>\\^`{|}.,;:!?')\]])(?![\p{L}\p{N}])/giu;

/** Makes a tokenizer whose tokens are the matches of a pattern; long ones are cut. */
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

/** Takes runs of letters as tokens. */
export const letterTokens: Tokenizer = matching(LETTERS);

/** Takes everything between white space, as Java defines it, as a token. */
export const whitespaceTokens: Tokenizer = matching(NOT_SPACE);

/** Takes everything between white space, as Unicode defines it, as a token. */
export const unicodeWhitespaceTokens: Tokenizer = matching(NOT_UNICODE_SPACE);

/** Takes the whole text as one token, also when it is empty; a text that is too long for a term has none. */
export const keywordToken: Tokenizer = (text, tokens) => {
  const isShort = text.length * BYTES_PER_UNIT <= LONGEST_TERM_BYTES;
  if (isShort || (text.length <= LONGEST_TERM_BYTES && Buffer.byteLength(text) <= LONGEST_TERM_BYTES))
    tokens.add(text, 0, text.length, TokenKind.word);
};

/** Takes addresses as tokens, and the words between them as `standardTokens` does. */
export const addressTokens: Tokenizer = (text, tokens) => {
  let from = 0;
  for (const match of text.matchAll(ADDRESSES)) {
    standardTokens(text.slice(from, match.index), tokens);
    from = match.index + match[0].length;
    tokens.add(match[0], match.index, from);
  }
  standardTokens(text.slice(from), tokens);
};
