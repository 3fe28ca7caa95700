/**
 * Full text over a corpus from a seed: indexing, 300 queries of 25 forms (best 20), and the memory of the index, on one
 * thread. With the jars of Lucene 9.12 (core, queryparser, queries, sandbox, analysis-common) in a folder and a JDK,
 * Lucene does the same beside it, and every list of hits is compared.
 *
 * npm run bench:fulltext -- [--documents 50000] [--lucene <folder of jars>]
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { analyzerNamed, TextSegment } from '../src/search/index.ts';
import { makeCorpus } from '../src/search/testing/corpus.ts';
import { type FoundDocument, runSearch } from '../src/search/testing/run-search.ts';

const FORMS = 25;
const options = parseArgs({ options: { documents: { type: 'string', default: '50000' }, lucene: { type: 'string' } } }).values;
const { documents, queries } = makeCorpus(Number(options.documents), 300, 7);

function indexed(): TextSegment {
  const segment = new TextSegment(analyzerNamed('standard-no-stop-words'), 2);
  for (const [title, body] of documents) segment.add([[title], [body]]);
  return segment;
}

function best(rounds: number, work: () => void): number {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round++) {
    const began = performance.now();
    work();
    least = Math.min(least, performance.now() - began);
  }
  return least;
}

const indexing = best(3, indexed);
const segment = indexed();
const searched = { fields: ['title', 'body'], segments: [{ segment, places: documents.map((_, i) => i) }] };
const found: FoundDocument[][] = [];
const byForm = new Float64Array(FORMS);
const searching = best(4, () => {
  byForm.fill(0);
  for (const [i, query] of queries.entries()) {
    const began = performance.now();
    found[i] = runSearch(searched, query, 20);
    byForm[i % FORMS]! += performance.now() - began;
  }
});
const bytes = documents.reduce((sum, [title, body]) => sum + title.length + body.length, 0);
console.log(
  `${documents.length} documents, ${(bytes / 1e6).toFixed(1)} MB of text; index in memory ${(segment.byteLength / 1e6).toFixed(1)} MB`,
);
console.log(`indexing ${indexing.toFixed(0)} ms, ${queries.length} queries ${searching.toFixed(0)} ms`);
for (const form of [...byForm.keys()].sort((a, b) => byForm[b]! - byForm[a]!).slice(0, 8)) {
  console.log(`  ${byForm[form]!.toFixed(1).padStart(8)} ms for ${queries.length / FORMS} like: ${queries[form]}`);
}

if (options.lucene === undefined) console.log('Lucene was not asked: --lucene names a folder with its jars');
else beside(options.lucene);

function beside(jars: string): void {
  const folder = mkdtempSync(join(tmpdir(), 'fulltext-'));
  try {
    writeFileSync(join(folder, 'docs.tsv'), `${documents.map((fields) => fields.join('\t')).join('\n')}\n`);
    writeFileSync(join(folder, 'queries.txt'), `${queries.join('\n')}\n`);
    execFileSync('javac', ['-cp', join(jars, '*'), '-d', folder, join(import.meta.dirname, 'fulltext', 'LuceneSearch.java')]);
    const told = execFileSync('java', ['-cp', `${join(jars, '*')}:${folder}`, 'LuceneSearch', folder], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const times = JSON.parse(told.toString()) as { indexing: number; searching: number };
    console.log(`Lucene: indexing ${times.indexing.toFixed(0)} ms, queries ${times.searching.toFixed(0)} ms`);
    compare(readFileSync(join(folder, 'hits.txt'), 'utf8').split('\n'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Scores agree to five digits; which of several documents of one score come last is left open. */
function compare(lists: readonly string[]): void {
  let differing = 0;
  for (const [i, hits] of found.entries()) {
    const scores = (lists[i] as string).split(' ').filter((hit) => hit !== '').map((hit) => Number(hit.split(':')[1])); // biome-ignore format: one line
    if (scores.length === hits.length && hits.every(({ score }, j) => Math.abs(score - scores[j]!) <= 1e-5 * Math.max(1, score))) continue;
    differing++;
    console.log(`  differs: ${queries[i]}`);
  }
  console.log(`${found.length - differing} of ${found.length} lists of hits have Lucene's scores in its order`);
}
