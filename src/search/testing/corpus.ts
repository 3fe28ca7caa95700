/**
 * Texts and queries made at random from a seed: words by Zipf's law, some of them in phrases that return, so that
 * phrases and slop find something.
 */

/** A seeded random source (mulberry32). */
export class RandomSource {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 0;
  }

  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  }

  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(choices: readonly T[]): T {
    return choices[this.below(choices.length)] as T;
  }
}

const SYLLABLES = (
  'ba be bi bo bu da de di do du ka ke ki ko ku la le li lo lu ma me mi mo mu na ne ni no nu ra re ri ro ru sa ' +
  'se si so su ta te ti to tu'
).split(' ');

interface Corpus {
  /** Title and body of each document. */
  readonly documents: readonly (readonly [title: string, body: string])[];
  readonly queries: readonly string[];
}

export function makeCorpus(documentCount: number, queryCount: number, seed: number): Corpus {
  const random = new RandomSource(seed);
  const words = Array.from({ length: 30_000 }, (_, i) => word(random, i));
  const anyWord = (): string => words[Math.min(words.length - 1, Math.floor(words.length ** random.next() - 1))]!;
  const phrases = Array.from({ length: 300 }, () => Array.from({ length: 2 + random.below(3) }, anyWord).join(' '));
  const text = (length: number): string => {
    const parts: string[] = [];
    while (parts.length < length) parts.push(random.chance(0.1) ? random.pick(phrases) : anyWord());
    return parts.join(random.chance(0.2) ? ', ' : ' ');
  };
  const documents = Array.from({ length: documentCount }, () => [text(3 + random.below(8)), text(20 + random.below(180))] as const);
  const queries = Array.from({ length: queryCount }, (_, i) => query(i, random, anyWord, phrases));
  return { documents, queries };
}

function word(random: RandomSource, i: number): string {
  let made = '';
  for (let n = 1 + Math.floor(Math.log10(i + 10)); n > 0; n--) made += random.pick(SYLLABLES);
  return made + (i % 7 === 0 ? String(i % 10) : '');
}

function query(i: number, random: RandomSource, anyWord: () => string, phrases: readonly string[]): string {
  const [a, b, c] = [anyWord(), anyWord(), anyWord()];
  const phrase = random.pick(phrases);
  const forms: readonly string[] = [
    a,
    `${a} ${b}`,
    `${a} ${b} ${c} ${anyWord()} ${anyWord()}`,
    `+${a} ${b}`,
    `${a} AND ${b}`,
    `${a} AND NOT ${b}`,
    `(${a} OR ${b}) AND ${c}`,
    `"${phrase}"`,
    `"${phrase}" ${a}`,
    `"${a} ${b}"~20`,
    `"${phrase.split(' ').reverse().join(' ')}"~6`,
    `title:${a} body:${b}`,
    `title:(${a} ${b})^2.5 ${c}`,
    `${a.slice(0, 4)}*`,
    `${a.slice(0, 3)}?${a.slice(4)}*`,
    `${a}~1`,
    `${a}~`,
    `title:[${a} TO ${b}]`,
    `+body:{${a} TO *} +${b}`,
    `/${a.slice(0, 4)}.*/ ${b}`,
    `${a}^3 ${b}^0.5`,
    `+${a} -${b} ${c}`,
    `title:* AND ${a}`,
    `${a} && !${b} || ${c}`,
    `NOT ${a} ${b}`,
  ];
  return forms[i % forms.length]!;
}
