/** The summary that an import prints at its end. */
import type { ImportSummary } from '../../import/index.ts';
import { counted, grouped } from '../amounts.ts';

/** How many bad rows are shown; further ones are only counted. */
const SHOWN_ROWS = 10;

/** Formats the summary in one line, and adds one line for each bad row that is shown. */
export function formatSummary(summary: ImportSummary): string {
  const { nodes, nodesUpdated, relationships, badRows, badRowSamples, elapsedMs, bytesRead, bytesWritten } = summary;
  const seconds = elapsedMs / 1000;
  const updated = nodesUpdated === 0 ? '' : `, ${counted(nodesUpdated, 'node')} updated`;
  const counts = `${counted(nodes, 'node')} and ${counted(relationships, 'relationship')}${updated}`;
  const rates = `${formatCount((nodes + nodesUpdated + relationships) / seconds)} rows/s, ${megabytes(bytesRead / seconds)}/s`;
  const verb = summary.manifestVersion === null ? 'checked' : 'imported';
  const written = summary.manifestVersion === null ? 'nothing was written (dry run)' : `${megabytes(bytesWritten)} written`;
  const lines = [`${verb} ${counts} in ${seconds.toFixed(2)} s (${rates}); ${written}`];
  const shown = badRowSamples.slice(0, SHOWN_ROWS);
  if (badRows > 0) lines.push(`${counted(badRows, 'bad row')} left out${badRows > shown.length ? '; the first of them:' : ':'}`);
  for (const { file, line, reason } of shown) lines.push(`  ${file}:${line}: ${reason}`);
  return `${lines.join('\n')}\n`;
}

/** Formats a count with three digits: `950`, `1.25 M`. */
export function formatCount(count: number): string {
  if (count < 10_000) return grouped(Math.round(count));
  return count < 999_500 ? `${(count / 1e3).toPrecision(3)} k` : `${(count / 1e6).toPrecision(3)} M`;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
