/**
 * Classes of characters by which texts are parted into words: the property Word_Break of UAX #29, with the three that
 * Lucene's StandardTokenizer adds to it (ideographs and Hiragana, each of which is a word, and scripts of South East
 * Asia, whose runs are not parted).
 */

/** The classes of characters. */
export const WordClass = {
  none: 0,
  letter: 1,
  hebrew: 2,
  digit: 3,
  katakana: 4,
  /** Joins letters and digits, such as `_`. */
  connector: 5,
  /** Joins two letters. */
  midLetter: 6,
  /** Joins two digits. */
  midDigit: 7,
  /** Joins two letters or two digits. */
  midBoth: 8,
  /** Joins as `midBoth` does, and may end a Hebrew word. */
  singleQuote: 9,
  /** Joins two Hebrew letters. */
  doubleQuote: 10,
  /** Belongs to the character before it. */
  extend: 11,
  ideograph: 12,
  hiragana: 13,
  southEastAsian: 14,
  hangul: 15,
  regionalIndicator: 16,
  pictograph: 17,
} as const;

/** A class of characters. */
export type WordClass = (typeof WordClass)[keyof typeof WordClass];

const UNKNOWN = 255;

/** The patterns of the classes; the first that matches decides. */
const CLASSES: readonly (readonly [RegExp, WordClass])[] = [
  [/^[\u{1f1e6}-\u{1f1ff}]$/u, WordClass.regionalIndicator],
  [/^[\u{1f3fb}-\u{1f3ff}]$/u, WordClass.extend],
  [/^(?:\p{Grapheme_Extend}|\p{Mc})$/u, WordClass.extend],
  [/^'$/, WordClass.singleQuote],
  [/^"$/, WordClass.doubleQuote],
  [/^[.\u2018\u2019\u2024\ufe52\uff07\uff0e]$/, WordClass.midBoth],
  [/^[:\u00b7\u0387\u055f\u05f4\u2027\ufe13\ufe55\uff1a]$/, WordClass.midLetter],
  [/^[,;\u037e\u0589\u060c\u060d\u066c\u07f8\u2044\ufe10\ufe14\ufe50\ufe54\uff0c\uff1b]$/, WordClass.midDigit],
  [/^[\p{Pc}\u202f]$/u, WordClass.connector],
  [/^(?!\u200b)\p{Cf}$/u, WordClass.extend],
  [/^[\p{Nd}\u066b]$/u, WordClass.digit],
  [/^[\u3031-\u3035\u309b\u309c\u30a0\u30fc\uff70]$/, WordClass.katakana],
  [/^\p{Script=Katakana}$/u, WordClass.katakana],
  [/^\p{Script=Hiragana}$/u, WordClass.hiragana],
  [/^(?!\u3006)\p{Script=Han}$/u, WordClass.ideograph],
  [/^(?=\p{Alphabetic})\p{Script=Hebrew}$/u, WordClass.hebrew],
  [
    /^(?=\p{Alphabetic})(?:\p{Script=Thai}|\p{Script=Lao}|\p{Script=Khmer}|\p{Script=Myanmar}|\p{Script=Tai_Le}|\p{Script=New_Tai_Lue}|\p{Script=Tai_Tham}|\p{Script=Tai_Viet}|\p{Script=Ahom})$/u,
    WordClass.southEastAsian,
  ],
  [/^(?=\p{Alphabetic})\p{Script=Hangul}$/u, WordClass.hangul],
  [
    /^(?!\u3006)[\p{Alphabetic}\u02c2-\u02c5\u02d2-\u02d7\u02de\u02df\u02e5-\u02eb\u02ed\u02ef-\u02ff\u055a-\u055c\u055e\u058a\u05f3\ua708-\ua716\ua720\ua721\ua789\ua78a\uab5b]$/u,
    WordClass.letter,
  ],
  [/^\p{Extended_Pictographic}$/u, WordClass.pictograph],
];

/** The class of each character of the basic plane, filled in as characters are met. */
const known = new Uint8Array(0x10000).fill(UNKNOWN);

/** Returns the class of a code point. */
export function wordClassOf(codePoint: number): WordClass {
  if (codePoint > 0xffff) return classify(codePoint);
  const found = known[codePoint] as number;
  if (found !== UNKNOWN) return found as WordClass; // as: only classes are kept
  const made = classify(codePoint);
  known[codePoint] = made;
  return made;
}

function classify(codePoint: number): WordClass {
  const character = String.fromCodePoint(codePoint);
  for (const [pattern, wordClass] of CLASSES) if (pattern.test(character)) return wordClass;
  return WordClass.none;
}
