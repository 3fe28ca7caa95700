/**
 * The social network of the benchmark, the same each time: persons who know each other with degrees that follow a power
 * law, the messages that they write, what they like, and tags.
 *
 * Scale 1: 10,000 persons, 200,000 KNOWS, 150,000 messages (half of them replies), 300,000 likes, 200,000 tags on
 * messages. Everything grows with the scale, the tags by its root. KNOWS has neither loops nor parallel relationships,
 * so that engines which walk a relationship twice can be told not to by naming nodes.
 *
 * Ids are neither dense nor in order. Nobody's row number is his id.
 */
import { seededRandom } from '../../test/support/random.ts';
import { powerLawGraph } from '../power-law.ts';

export interface SocialGraph {
  readonly persons: number;
  readonly messages: number;
  readonly tags: number;
  readonly names: readonly string[];
  readonly ages: Int32Array;
  readonly cities: readonly string[];
  readonly knowsFrom: Uint32Array;
  readonly knowsTo: Uint32Array;
  readonly knowsSince: Int32Array;
  readonly creators: Uint32Array;
  readonly texts: readonly string[];
  /** Minutes since 2020. */
  readonly created: Int32Array;
  /** Message m answers `replyTo[m]`; `NONE`: it is a post. */
  readonly replyTo: Uint32Array;
  readonly likesFrom: Uint32Array;
  readonly likesTo: Uint32Array;
  readonly likesAt: Int32Array;
  readonly taggedMessage: Uint32Array;
  readonly taggedTag: Uint32Array;
}

export const NONE = 0xffff_ffff;
export const MINUTES = 5 * 365 * 1_440;
const CITIES = 300;
const NAMES = 2_000;
const WORDS = 3_000;

export function socialGraph(scale: number): SocialGraph {
  const random = seededRandom(4_711);
  const persons = 10_000 * scale;
  const messages = 150_000 * scale;
  const tags = Math.round(1_000 * Math.sqrt(scale));
  const knows = simple(powerLawGraph(persons, 200_000 * scale, 3));
  const skewed = (count: number): number => Math.floor(count * (random.between(0, 1_000_000) / 1_000_001) ** 2);
  const replyTo = Uint32Array.from({ length: messages }, (_, m) => (m > 100 && random.chance(0.5) ? random.between(0, m - 1) : NONE));
  const likes = 300_000 * scale;
  const tagged = distinctPairs(200_000 * scale, () => [random.between(0, messages - 1), skewed(tags)]);
  const liked = distinctPairs(likes, () => [random.between(0, persons - 1), random.between(0, messages - 1)]);
  return {
    persons,
    messages,
    tags,
    names: Array.from({ length: persons }, () => `${word(skewed(NAMES))} ${word(random.between(0, 200))}`),
    ages: Int32Array.from({ length: persons }, () => random.between(18, 90)),
    cities: Array.from({ length: persons }, () => `City ${skewed(CITIES)}`),
    knowsFrom: knows.sources,
    knowsTo: knows.targets,
    knowsSince: Int32Array.from(knows.sources, () => random.between(2_000, 2_024)),
    creators: Uint32Array.from({ length: messages }, () => skewed(persons)),
    texts: Array.from({ length: messages }, () => sentence(() => skewed(WORDS), random.between(4, 14))),
    created: Int32Array.from({ length: messages }, () => random.between(0, MINUTES - 1)),
    replyTo,
    likesFrom: liked.left,
    likesTo: liked.right,
    likesAt: Int32Array.from({ length: likes }, () => random.between(0, MINUTES - 1)),
    taggedMessage: tagged.left,
    taggedTag: tagged.right,
  };
}

/** Without loops and parallel relationships: a target that would make one is moved on. */
function simple({ nodes, sources, targets }: ReturnType<typeof powerLawGraph>): { sources: Uint32Array; targets: Uint32Array } {
  const seen = new Set<number>();
  for (let i = 0; i < sources.length; i++) {
    const source = sources[i]!;
    let target = targets[i]!;
    while (target === source || seen.has(source * nodes + target)) target = (target + 1) % nodes;
    targets[i] = target;
    seen.add(source * nodes + target);
  }
  return { sources, targets };
}

function distinctPairs(count: number, draw: () => readonly [number, number]): { left: Uint32Array; right: Uint32Array } {
  const seen = new Set<number>();
  const left = new Uint32Array(count);
  const right = new Uint32Array(count);
  for (let i = 0; i < count; ) {
    const [a, b] = draw();
    const key = a * 2 ** 26 + b;
    if (seen.has(key)) continue;
    seen.add(key);
    left[i] = a;
    right[i++] = b;
  }
  return { left, right };
}

const SYLLABLES = ['ka', 'lo', 'mi', 'ne', 'ru', 'sa', 'to', 'vi', 'wen', 'dar', 'el', 'fin', 'gor', 'hal', 'ish', 'jun'];

/** Returns a word that depends on the number alone. */
export function word(number: number): string {
  let text = '';
  for (let rest = number + 16; rest > 0; rest = Math.floor(rest / 16)) text += SYLLABLES[rest % 16]!;
  return text;
}

function sentence(draw: () => number, words: number): string {
  let text = word(draw());
  for (let i = 1; i < words; i++) text += ` ${word(draw())}`;
  return text;
}

/** Bijective over 31 bits, so ids are unique. */
export function idOf(kind: 'person' | 'message' | 'tag', index: number): number {
  const salt = kind === 'person' ? 17 : kind === 'message' ? 1_000_003 : 7;
  return Math.imul(index + salt, 0x9e3779b1) & 0x7fff_ffff;
}

export function dayOf(minute: number): string {
  return new Date(Date.UTC(2020, 0, 1) + minute * 60_000).toISOString().slice(0, 10);
}
