/**
 * Words by UAX #29, as Lucene's StandardTokenizer takes them out of a text: runs of letters and digits, each ideograph,
 * each Hiragana, runs of South East Asian scripts, emoji.
 */
import { TokenKind, type Tokens } from './tokens.ts';
import { WordClass, wordClassOf } from './word-classes.ts';

/** The longest token, in code units; longer ones are cut, as Lucene does. */
const LONGEST_TOKEN = 255;
const KEYCAP = 0x20e3;
const VARIATION = 0xfe0f;
const JOINER = 0x200d;

/** Adds the words of a text to the tokens. */
export function standardTokens(text: string, tokens: Tokens): void {
  new Scanner(text, tokens).run();
}

class Scanner {
  readonly #text: string;
  readonly #tokens: Tokens;
  /** The place after the character that `#class` was asked for last, and after the characters that extend it. */
  #behind = 0;

  constructor(text: string, tokens: Tokens) {
    this.#text = text;
    this.#tokens = tokens;
  }

  run(): void {
    let at = 0;
    while (at < this.#text.length) at = this.#token(at);
  }

  /** Returns the class of the character at a place, and sets `#behind` to the next one, past the characters that extend it. */
  #class(at: number): WordClass {
    const text = this.#text;
    if (at >= text.length) {
      this.#behind = at;
      return WordClass.none;
    }
    const code = text.charCodeAt(at);
    let behind = at + 1;
    let found: WordClass;
    if (code < 0x80) {
      found = wordClassOf(code);
      if (behind >= text.length || text.charCodeAt(behind) < 0x80) {
        this.#behind = behind;
        return found;
      }
    } else {
      const codePoint = text.codePointAt(at) as number;
      if (codePoint > 0xffff) behind++;
      found = wordClassOf(codePoint);
    }
    while (behind < text.length) {
      const next = text.codePointAt(behind) as number;
      if (next < 0x80 || wordClassOf(next) !== WordClass.extend) break;
      behind += next > 0xffff ? 2 : 1;
    }
    this.#behind = behind;
    return found;
  }

  /** Adds the token that begins at a place, if one does. Returns the place after it, or after the character. */
  #token(start: number): number {
    const first = this.#class(start);
    const behind = this.#behind;
    switch (first) {
      case WordClass.ideograph:
        return this.#add(start, behind, TokenKind.ideograph);
      case WordClass.hiragana:
        return this.#add(start, behind, TokenKind.hiragana);
      case WordClass.southEastAsian: {
        let end = behind;
        while (this.#class(end) === WordClass.southEastAsian) end = this.#behind;
        return this.#add(start, end, TokenKind.word);
      }
      case WordClass.letter:
      case WordClass.hebrew:
      case WordClass.hangul:
      case WordClass.digit:
      case WordClass.katakana:
      case WordClass.connector:
        return this.#word(start, first, behind);
      case WordClass.regionalIndicator:
        return this.#class(behind) === WordClass.regionalIndicator ? this.#add(start, this.#behind, TokenKind.word) : behind;
      case WordClass.pictograph:
        return this.#emoji(start);
      default:
        return this.#keycap(start) ?? behind;
    }
  }

  #word(start: number, first: WordClass, behind: number): number {
    const keycap = first === WordClass.digit ? this.#keycap(start) : null;
    if (keycap !== null) return keycap;
    let [last, end] = [first, behind];
    let hasLetters = first !== WordClass.connector;
    let kind = kindOf(first);
    for (;;) {
      const next = this.#class(end);
      let nextEnd = this.#behind;
      let follows = next;
      if (!joins(last, next)) {
        if (!isMid(next)) break;
        // A sign between two letters or two digits belongs to the word, but for a quote behind Hebrew only where the word goes on.
        follows = this.#class(nextEnd);
        const isHebrewQuote = next === WordClass.singleQuote && last === WordClass.hebrew;
        if (bridges(next, last, follows)) nextEnd = this.#behind;
        else if (isHebrewQuote) follows = WordClass.hebrew;
        else break;
      }
      if (kindOf(follows) !== kind) kind = TokenKind.word;
      last = follows;
      end = nextEnd;
      hasLetters ||= follows !== WordClass.connector;
    }
    return hasLetters ? this.#add(start, end, kind) : end;
  }

  /** Adds a keycap, that is a digit, `#` or `*` in a box, and returns the place after it; null: there is none. */
  #keycap(start: number): number | null {
    const text = this.#text;
    const next = text.charCodeAt(start + 1);
    if (next !== VARIATION && next !== KEYCAP) return null;
    const end = start + (next === VARIATION ? 2 : 1);
    return text.charCodeAt(end) === KEYCAP && /[0-9#*]/.test(text[start] as string) ? this.#add(start, end + 1, TokenKind.word) : null;
  }

  /** Adds an emoji as one token, with those that joiners tie to it. Returns the place after it. */
  #emoji(start: number): number {
    const text = this.#text;
    let end = start;
    for (;;) {
      const isOne = this.#class(end) === WordClass.pictograph;
      if (!isOne) break;
      end = this.#behind;
      if (text.charCodeAt(end - 1) !== JOINER) break;
    }
    return this.#add(start, end, TokenKind.word);
  }

  #add(start: number, end: number, kind: TokenKind): number {
    for (let from = start; from < end; ) {
      let to = Math.min(end, from + LONGEST_TOKEN);
      // A pair of surrogates stays together.
      if (to < end && (this.#text.charCodeAt(to) & 0xfc00) === 0xdc00) to--;
      this.#tokens.add(this.#text.slice(from, to), from, to, kind);
      from = to;
    }
    return end;
  }
}

function isLetter(wordClass: WordClass): boolean {
  return wordClass === WordClass.letter || wordClass === WordClass.hebrew || wordClass === WordClass.hangul;
}

/** Tells whether two adjacent characters belong to one word. */
function joins(last: WordClass, next: WordClass): boolean {
  if (next === WordClass.connector) return true;
  if (last === WordClass.connector) return isLetter(next) || next === WordClass.digit || next === WordClass.katakana;
  if (last === WordClass.katakana) return next === WordClass.katakana;
  return isLetter(next) || next === WordClass.digit;
}

function isMid(wordClass: WordClass): boolean {
  return wordClass >= WordClass.midLetter && wordClass <= WordClass.doubleQuote;
}

function bridges(mid: WordClass, last: WordClass, next: WordClass): boolean {
  const betweenLetters = isLetter(last) && isLetter(next);
  const betweenDigits = last === WordClass.digit && next === WordClass.digit;
  if (mid === WordClass.midLetter) return betweenLetters;
  if (mid === WordClass.midDigit) return betweenDigits;
  if (mid === WordClass.doubleQuote) return last === WordClass.hebrew && next === WordClass.hebrew;
  return betweenLetters || betweenDigits;
}

function kindOf(wordClass: WordClass): TokenKind {
  if (wordClass === WordClass.hangul) return TokenKind.hangul;
  return wordClass === WordClass.katakana ? TokenKind.katakana : TokenKind.word;
}
