/**
 * The invariants that ARCHITECTURE.md lists, and where each is kept and tested: a module that keeps one quotes its
 * number, and so does a test that would fail without it.
 */

export interface Module {
  readonly path: string;
  readonly text: string;
}

export interface Pair {
  readonly sources: readonly string[];
  readonly tests: readonly string[];
}

/** The invariants of the tables of a document, by number (`B1`), each with its sentence. */
export function invariantsOf(document: string): ReadonlyMap<string, string> {
  return new Map(Array.from(document.matchAll(/^\| ((?:B|M|Q|S)\d+) \| (.+) \|$/gm), ([, number, sentence]) => [number!, sentence!]));
}

/** Paths of the modules that quote an invariant. */
export function quotesOf(invariant: string, modules: readonly Module[]): Pair {
  const quote = new RegExp(`\\b${invariant}\\b`);
  const paths = modules.filter(({ text }) => quote.test(text)).map(({ path }) => path);
  return { sources: paths.filter((path) => !path.endsWith('.test.ts')), tests: paths.filter((path) => path.endsWith('.test.ts')) };
}

/** Numbers that modules quote as invariants, `B4` or `B3–B5` in parentheses or before a colon, each once. */
export function quotedNumbers(modules: readonly Module[]): ReadonlySet<string> {
  const quoted = new Set<string>();
  for (const { text } of modules)
    for (const [, numbers] of text.matchAll(/(?<=\(|^ \* - |['`]|^ \* )((?:(?:B|M|Q|S)\d+(?:, |–| and )?)+)(?=\)|:)/gm))
      for (const [number] of numbers!.matchAll(/(?:B|M|Q|S)\d+/g)) quoted.add(number);
  return quoted;
}
