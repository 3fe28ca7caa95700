/** Where parameters come from: the data, by a seed. */
import type { Random } from '../../test/support/random.ts';
import { dayOf, idOf, MINUTES, type SocialGraph, word } from './graph.ts';

export interface Chooser {
  person(): number;
  day(): string;
  dayAfter(day: string, days: number): string;
  minute(): number;
  age(): number;
  tag(): string;
  word(): string;
  number(low: number, high: number): number;
}

export function chooser(random: Random, { persons, tags }: Pick<SocialGraph, 'persons' | 'tags'>): Chooser {
  return {
    person: () => idOf('person', random.between(0, persons - 1)),
    day: () => dayOf(random.between(0, MINUTES - 1)),
    dayAfter: (day, days) => new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10),
    minute: () => random.between(0, MINUTES - 1),
    age: () => random.between(30, 60),
    tag: () => `Tag ${random.between(0, Math.floor(tags / 4))}`,
    word: () => word(random.between(500, 2_999)),
    number: (low, high) => random.between(low, high),
  };
}
