/**
 * Classes of characters in Cypher text: white space, digits, and identifier characters (Unicode identifiers,
 * underscores, currency signs).
 */

const START = 1;
const PART = 2;
const SPACE = 4;

const ASCII = new Uint8Array(128);
for (let code = 0; code < 128; code++) {
  const letter = (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code === 95;
  const digit = code >= 48 && code <= 57;
  const space = (code >= 9 && code <= 13) || (code >= 28 && code <= 32);
  ASCII[code] = (letter ? START | PART : 0) | (digit ? PART : 0) | (space ? SPACE : 0);
}

const UNICODE_START = /^[\p{ID_Start}\p{Pc}\p{Sc}]$/u;
const UNICODE_PART = /^[\p{ID_Continue}\p{Pc}\p{Sc}]$/u;

/** Tells whether a code point may begin an identifier. */
export function isIdentifierStart(code: number): boolean {
  return code < 128 ? (ASCII[code]! & START) !== 0 : UNICODE_START.test(String.fromCodePoint(code));
}

/** Tells whether a code point may stand in an identifier. */
export function isIdentifierPart(code: number): boolean {
  return code < 128 ? (ASCII[code]! & PART) !== 0 : UNICODE_PART.test(String.fromCodePoint(code));
}

/** Tells whether a code point is white space. */
export function isSpace(code: number): boolean {
  if (code < 128) return (ASCII[code]! & SPACE) !== 0;
  return (
    code === 0xa0 ||
    code === 0x1680 ||
    code === 0x180e ||
    (code >= 0x2000 && code <= 0x200a) ||
    code === 0x2028 ||
    code === 0x2029 ||
    code === 0x202f ||
    code === 0x205f ||
    code === 0x3000 ||
    code === 0xfeff
  );
}

/** Tells whether a code unit is a digit. */
export function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/** Returns the offset after the run of identifier characters that starts at `offset`. */
export function identifierEnd(text: string, offset: number): number {
  let i = offset;
  while (i < text.length) {
    const code = text.codePointAt(i)!;
    if (!isIdentifierPart(code)) break;
    i += code > 0xffff ? 2 : 1;
  }
  return i;
}

/** Characters that openCypher accepts for `-`, `<` and `>` in patterns only. */
export const UNICODE_ARROWS: Readonly<Record<string, '-' | '<' | '>'>> = {
  '\u00ad': '-',
  '‐': '-',
  '‑': '-',
  '‒': '-',
  '–': '-',
  '—': '-',
  '―': '-',
  '−': '-',
  '﹘': '-',
  '﹣': '-',
  '－': '-',
  '⟨': '<',
  '〈': '<',
  '﹤': '<',
  '＜': '<',
  '⟩': '>',
  '〉': '>',
  '﹥': '>',
  '＞': '>',
};
