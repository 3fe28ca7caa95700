/**
 * Clocks, timers and randomness come from `src/base/` (ARCHITECTURE.md): elsewhere in `src/` nothing reads those of
 * the platform, so that a simulation can stand in for each of them. Tests, fixtures and the folders `testing/` are
 * free, and so are comments.
 */
import type { SourceModule } from './layers.ts';

const OWNERS: ReadonlySet<string> = new Set(['base/clock.ts', 'base/timers.ts', 'base/random.ts']);

/** Ambient sources that are refused, each with the module of `src/base/` that replaces it. */
const SOURCES: readonly { readonly pattern: RegExp; readonly owner: string }[] = [
  { pattern: /\bDate\.now\b|\bnew Date\(\)|(?<!\bnew )(?<![.\w])Date\(\)|\bTemporal\.Now\b/, owner: 'base/clock.ts' },
  { pattern: /\bperformance\.\w|\bprocess\.(?:hrtime|uptime)\b|['"](?:node:)?perf_hooks['"]/, owner: 'base/clock.ts' },
  { pattern: /(?<![.\w])(?:set|clear)(?:Timeout|Interval|Immediate)\s*\(/, owner: 'base/timers.ts' },
  { pattern: /\bAbortSignal\.timeout\b|\bglobalThis\.set\w|['"](?:node:)?timers(?:\/promises)?['"]/, owner: 'base/timers.ts' },
  { pattern: /\bMath\.random\b|\bcrypto\.(?:random|getRandomValues)/, owner: 'base/random.ts' },
  // Imported on one line, or as one of several lines.
  { pattern: /\b(?:random(?:Bytes|Int|UUID|Fill|FillSync)|getRandomValues)\b.*from ['"](?:node:)?crypto['"]/, owner: 'base/random.ts' },
  { pattern: /^\s*(?:random(?:Bytes|Int|UUID|Fill|FillSync)|getRandomValues)(?: as \w+)?,?$/, owner: 'base/random.ts' },
];

/** One line per use of the platform's clocks, timers and randomness, with file and line. */
export function findAmbientSources(modules: readonly SourceModule[]): string[] {
  return modules
    .filter(({ path }) => !isFree(path))
    .flatMap(({ path, text }) =>
      text.split('\n').flatMap((line, index) => {
        const code = withoutComment(line);
        return SOURCES.flatMap(({ pattern, owner }) => {
          const found = pattern.exec(code)?.[0];
          return found === undefined ? [] : [`src/${path}:${index + 1}: ${found.trim()} is for src/${owner} alone`];
        });
      }),
    );
}

function isFree(path: string): boolean {
  return OWNERS.has(path) || path.endsWith('.test.ts') || path.endsWith('.fixture.ts') || path.split('/').includes('testing');
}

/** Comments stand on lines of their own, each line begun by a star, or behind the code; the formatter sees to it. */
function withoutComment(line: string): string {
  return /^\s*(?:\/[/*]|\*(?:[\s/]|$))/.test(line) ? '' : line.replace(/\s\/\/ .*$/, '');
}
