/** Options of the command, and its output. */
import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { ProgressLine } from '../progress-line.ts';
import { parseNodeInput, parseRelationshipInput } from './inputs.ts';
import { formatProgress } from './progress-bar.ts';
import { formatCount, formatSummary } from './summary.ts';

test('inputs: names before the first equals sign, unless it belongs to a path', () => {
  assert.deepEqual(parseNodeInput('A:B=x.csv,y.csv'), { labels: ['A', 'B'], files: ['x.csv', 'y.csv'] });
  assert.deepEqual(parseNodeInput('x.csv'), { labels: [], files: ['x.csv'] });
  assert.deepEqual(parseNodeInput('/data/day=1/x.csv'), { labels: [], files: ['/data/day=1/x.csv'] });
  assert.deepEqual(parseNodeInput('A=/data/day=1/x.csv'), { labels: ['A'], files: ['/data/day=1/x.csv'] });
  assert.deepEqual(parseRelationshipInput('T=x.csv'), { type: 'T', files: ['x.csv'] });
  assert.deepEqual(parseRelationshipInput('x.csv'), { files: ['x.csv'] });
  for (const text of ['A=', '', 'A:=x', 'a.csv,,b.csv', '=x.csv']) {
    assert.throws(() => parseNodeInput(text), { code: 'ARGUMENT_ERROR' }, text);
  }
  assert.throws(() => parseRelationshipInput('=x.csv'), { code: 'ARGUMENT_ERROR', message: /type is missing/ });
});

test('the summary has counts, time and rates, and the bad rows', () => {
  const badRowSamples = [{ file: 'a.csv', line: 3, reason: 'broken' }];
  const summary = {
    nodesUpdated: 0,
    nodes: 1_000_000,
    relationships: 1,
    elapsedMs: 2000,
    bytesRead: 5e7,
    bytesWritten: 3e7,
    files: 2,
    manifestVersion: 2,
  };
  assert.equal(
    formatSummary({ ...summary, badRows: 2, badRowSamples }),
    'imported 1,000,000 nodes and 1 relationship in 2.00 s (500 k rows/s, 25.0 MB/s); 30.0 MB written\n' +
      '2 bad rows left out; the first of them:\n  a.csv:3: broken\n',
  );
});

test('counts have three digits', () => {
  assert.deepEqual([0, 9_999, 10_000, 999_499, 999_500, 12_345_678].map(formatCount), [
    '0',
    '9,999',
    '10.0 k',
    '999 k',
    '1.00 M',
    '12.3 M',
  ]);
});

const PROGRESS = { phase: 'nodes', nodesUpdated: 0, nodes: 500_000, relationships: 0, badRows: 2, bytesRead: 25, bytesTotal: 100 } as const;

test('progress: share, rows, rate and the time left', () => {
  assert.equal(formatProgress(PROGRESS, 2), '[######..................]  25 % nodes: 500 k rows, 2 bad, 250 k rows/s, 6 s left');
  assert.match(formatProgress({ ...PROGRESS, bytesTotal: 0 }, 0), /100 %/);
});

test('the bar is shown on a terminal only, and erased at the end', () => {
  const terminal = Object.assign(new PassThrough(), { isTTY: true });
  const file = new PassThrough();
  for (const output of [terminal, file]) {
    const bar = new ProgressLine(output);
    bar.show((seconds) => formatProgress(PROGRESS, seconds));
    bar.show((seconds) => formatProgress(PROGRESS, seconds));
    bar.end();
  }
  const erase = '\r\u001b[K';
  const [before, shown, ...after] = terminal.read().toString().split(erase);
  assert.match(shown, /^\[######\.+\] {2}25 % nodes/);
  assert.deepEqual([before, ...after], ['', '']);
  assert.equal(file.read(), null);
});
