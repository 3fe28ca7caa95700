/** The progress of an import as a line of text. */
import type { ImportProgress } from '../../import/index.ts';
import { bar, timeLeft } from '../progress-line.ts';
import { formatCount } from './summary.ts';

/** Formats the progress of an import as a line. */
export function formatProgress(progress: ImportProgress, seconds: number): string {
  const { phase, nodes, nodesUpdated, relationships, badRows, bytesRead, bytesTotal } = progress;
  const share = bytesTotal === 0 ? 1 : Math.min(1, bytesRead / bytesTotal);
  const rows = nodes + nodesUpdated + relationships;
  const rate = seconds > 0 ? `, ${formatCount(rows / seconds)} rows/s` : '';
  const bad = badRows > 0 ? `, ${formatCount(badRows)} bad` : '';
  return `${bar(share)} ${phase}: ${formatCount(rows)} rows${bad}${rate}${timeLeft(share, seconds)}`;
}
