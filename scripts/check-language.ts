/**
 * `node scripts/check-language.ts`: checks the language of sources and documents (language.ts), names each fault, and
 * exits with status 1 if there is one.
 *
 *   --draw <n>   instead: prints the headers and docstrings of so many files, drawn at random, without their code: each
 *                must say what the file is for
 *   --seed <n>   of the draw (the number of days since 1970)
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { fragments, homeMadeWords, type LanguageFault, longCells, longLines, undocumentedExports } from './language.ts';

const ROOT = join(import.meta.dirname, '..');
/** The least share of exported names of src/ with a docstring. */
const LEAST_DOCUMENTED = 0.95;
const DAY_MS = 86_400_000;
/** Notes of the laboratory are no documents for users. */
const NOTES = /^bench\/notes\//;

const { values } = parseArgs({
  options: { draw: { type: 'string' }, seed: { type: 'string', default: String(Math.floor(Date.now() / DAY_MS)) } },
});
const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: ROOT, encoding: 'utf8' }).split('\n');
const sources = files.filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.d.ts') && !file.startsWith('scripts/language'));
if (values.draw === undefined) process.exitCode = check();
else draw(Number(values.draw), Number(values.seed));

function read(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8');
}

function check(): number {
  const count = (name: string, of: readonly string[], faultsIn: (text: string) => readonly LanguageFault[]): number => {
    let found = 0;
    for (const file of of) {
      for (const { line, fault } of faultsIn(read(file))) {
        console.error(`${file}:${line}: ${fault}`);
        found++;
      }
    }
    console.log(`${name}: ${found}`);
    return found;
  };
  let faults = count('docstrings that are no sentences', sources, fragments);
  faults += count('lines that are too long', sources, longLines);
  faults += count('home-made words', sources, homeMadeWords);
  faults += count(
    'cells that are too long',
    files.filter((file) => file.endsWith('.md') && !NOTES.test(file)),
    longCells,
  );
  const exports = sources.filter((file) => file.startsWith('src/')).map((file) => undocumentedExports(read(file)));
  const exported = exports.reduce((sum, each) => sum + each.exported, 0);
  const share = 1 - exports.reduce((sum, each) => sum + each.undocumented.length, 0) / exported;
  console.log(`exported names with a docstring: ${(100 * share).toFixed(1)} % of ${exported}`);
  return faults > 0 || share < LEAST_DOCUMENTED ? 1 : 0;
}

/** Prints files without their code. */
function draw(count: number, seed: number): void {
  const drawn = sources.filter((file) => file.startsWith('src/') && !file.includes('.test.'));
  let state = seed;
  for (let i = 0; i < count; i++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const file = drawn[state % drawn.length]!;
    console.log(`\n## ${file}`);
    for (const [docstring] of read(file).matchAll(/^ *\/\*\*.*?\*\//gms)) console.log(docstring.replace(/^ +/gm, ' '));
  }
}
