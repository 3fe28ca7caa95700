/**
 * `node bench/draw-chart.ts`: draws docs/pictures/social-network.svg from bench/results/social-scale-10.json: one line
 * for each question, its median times on a logarithmic scale. A filled dot is GraphDB, a ring the loop written by hand,
 * a tick each other database; an arrow at the right edge stands for those that gave no answer within their budget.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Median times of one question, in milliseconds, by engine; a text: it gave no answer within so long; null: it was not asked. */
interface Question {
  readonly name: string;
  readonly median: Readonly<Record<string, number | string | null>>;
}

interface Results {
  readonly scale: number;
  readonly questions: readonly Question[];
}

const ROOT = join(import.meta.dirname, '..');
const OURS = 'ours';
const BY_HAND = 'by hand';
const NAMES_WIDTH = 240;
const CHART_WIDTH = 560;
const LINE_HEIGHT = 22;
const TOP = 46;
const LEAST_MS = 0.001;
const MOST_MS = 10_000;

// as: the file of this folder
const { questions, scale } = JSON.parse(readFileSync(join(ROOT, 'bench/results/social-scale-10.json'), 'utf8')) as Results;
writeFileSync(join(ROOT, 'docs/pictures/social-network.svg'), drawing(questions.filter(({ name }) => name !== 'load everything from CSV')));

function xOf(milliseconds: number): number {
  const share = Math.log(Math.max(LEAST_MS, Math.min(MOST_MS, milliseconds)) / LEAST_MS) / Math.log(MOST_MS / LEAST_MS);
  return Math.round(10 * (NAMES_WIDTH + share * CHART_WIDTH)) / 10;
}

function drawing(shown: readonly Question[]): string {
  const height = TOP + shown.length * LINE_HEIGHT + 20;
  const width = NAMES_WIDTH + CHART_WIDTH + 40;
  const decades = Array.from({ length: 8 }, (_, i) => LEAST_MS * 10 ** i);
  const grid = decades.map(
    (ms) =>
      `<line x1="${xOf(ms)}" y1="${TOP - 8}" x2="${xOf(ms)}" y2="${height - 16}" stroke="#ddd"/>` +
      `<text x="${xOf(ms)}" y="${TOP - 14}" text-anchor="middle" fill="#666">${decadeText(ms)}</text>`,
  );
  const lines = shown.map((question, i) => line(question, TOP + i * LINE_HEIGHT + 8));
  const legend =
    `<circle cx="${NAMES_WIDTH}" cy="12" r="5" fill="#0a66c2"/><text x="${NAMES_WIDTH + 10}" y="16">GraphDB</text>` +
    `<circle cx="${NAMES_WIDTH + 90}" cy="12" r="4.5" fill="none" stroke="#0a66c2"/>` +
    `<text x="${NAMES_WIDTH + 100}" y="16">loop written by hand</text>` +
    `<rect x="${NAMES_WIDTH + 240}" y="6" width="2.5" height="12" fill="#999"/><text x="${NAMES_WIDTH + 250}" y="16">each other ` +
    'database</text>';
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="12">`,
    `<title>A social network at scale ${scale}: median times of each question, logarithmic</title>`,
    `<rect width="${width}" height="${height}" fill="white"/>`,
    legend,
    ...grid,
    ...lines,
    '</svg>',
    '',
  ].join('\n');
}

function line({ name, median }: Question, y: number): string {
  const others = Object.entries(median).filter(([engine]) => engine !== OURS && engine !== BY_HAND);
  const ticks = others.map(([, ms]) =>
    typeof ms === 'number' ? `<rect x="${xOf(ms) - 1.2}" y="${y - 6}" width="2.5" height="12" fill="#999"/>` : '',
  );
  const silent = others.filter(([, ms]) => typeof ms === 'string').length;
  const arrow = silent === 0 ? '' : `<text x="${NAMES_WIDTH + CHART_WIDTH + 8}" y="${y + 4}" fill="#999">${silent} →</text>`;
  const byHand = median[BY_HAND];
  const ring = typeof byHand === 'number' ? `<circle cx="${xOf(byHand)}" cy="${y}" r="4.5" fill="none" stroke="#0a66c2"/>` : '';
  const ours = median[OURS];
  const dot = typeof ours === 'number' ? `<circle cx="${xOf(ours)}" cy="${y}" r="5" fill="#0a66c2"/>` : '';
  return (
    `<text x="${NAMES_WIDTH - 12}" y="${y + 4}" text-anchor="end">${name.replace('&', '&amp;')}</text>` +
    `${ticks.join('')}${arrow}${ring}${dot}`
  );
}

function decadeText(ms: number): string {
  if (ms < 0.9) return `${Math.round(ms * 1_000)} µs`;
  return ms < 900 ? `${Math.round(ms)} ms` : `${Math.round(ms / 1_000)} s`;
}
