/**
 * The invariants of safety, and where each is kept and tested: a module that keeps one quotes its number, and so does a
 * test that would fail without it.
 */

export const SAFETY: Readonly<Record<string, string>> = {
  S1: 'the thread that speaks the protocols runs only steps of constant cost',
  S2: 'work is counted before it is done, memory charged before it is taken',
  S3: 'deadlines and heaps are enforced from outside',
  S4: 'a connection may have asked for so much, and planning is bounded',
  S5: 'a transaction holds the writer for so long while others wait',
};

export interface Module {
  readonly path: string;
  readonly text: string;
}

export interface Pair {
  readonly sources: readonly string[];
  readonly tests: readonly string[];
}

/** Paths of the modules that quote an invariant. */
export function quotesOf(invariant: string, modules: readonly Module[]): Pair {
  const quote = new RegExp(`\\b${invariant}\\b`);
  const paths = modules.filter(({ text }) => quote.test(text)).map(({ path }) => path);
  return { sources: paths.filter((path) => !path.endsWith('.test.ts')), tests: paths.filter((path) => path.endsWith('.test.ts')) };
}
