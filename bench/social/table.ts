/** The output of the benchmark: Markdown, ready for docs/performance.md. In bold: what misses the goals. */
import type { PeerName } from './peer.ts';

export interface Row {
  readonly name: string;
  readonly unit: 'ms' | 'MB';
  /** How many times ahead of the best peer is the goal. */
  readonly goal: number;
  /** Looks at all of the graph: within twice of by hand is the goal. */
  readonly heavy: boolean;
  readonly medians: { readonly [peer in PeerName]?: number };
  /** The text in place of a number, for engines that gave none. */
  readonly faults: { readonly [peer in PeerName]?: string };
}

/** One measurement of the benchmark. */
export interface Setting {
  readonly scale: number;
  /** Read workers of the library; 0: a statement runs on one thread. */
  readonly readWorkers: number;
  readonly peers: readonly PeerName[];
}

export interface Results extends Setting {
  readonly rows: readonly Row[];
}

const TITLES: Readonly<Record<PeerName, string>> = {
  hand: 'by hand',
  graphdb: 'ours',
  sqlite: 'SQLite',
  duckdb: 'DuckDB',
  kuzu: 'Kùzu',
  ladybug: 'LadybugDB',
  grafeo: 'Grafeo',
  falkordb: 'FalkorDB',
};
const HEAVY_GOAL = 2;

export function heading({ scale, readWorkers, peers }: Setting): string {
  const titles = ['median ms', ...peers.map((name) => TITLES[name]), 'ahead of best', 'of by hand'];
  const threads = readWorkers === 0 ? 'one thread' : `${readWorkers} read workers`;
  return `Scale ${scale}, ours with ${threads}:\n\n${line(titles)}\n${line(titles.map(() => '---'))}`;
}

export function rowLine({ name, unit, goal, heavy, medians, faults }: Row, peers: readonly PeerName[]): string {
  const cells = peers.map((peer) => faults[peer] ?? (medians[peer] === undefined ? '–' : show(medians[peer])));
  const { hand, graphdb: ours } = medians;
  const best = bestPeer(medians);
  const ahead = ours === undefined || best === null ? '' : marked(best / ours, best / ours < goal);
  const limit = ours === undefined || hand === undefined ? '' : marked(ours / hand, heavy && ours / hand > HEAVY_GOAL);
  return line([unit === 'MB' ? `${name}, MB` : name, ...cells, ahead, limit]);
}

/** How many times more everything takes at the larger of two scales. */
export function growthTable(a: Results, b: Results): string {
  const [small, large] = a.scale <= b.scale ? [a, b] : [b, a];
  const titles = [`from scale ${small.scale} to ${large.scale}`, 'by hand', 'ours', 'best peer', 'ours beside by hand'];
  const lines = [line(titles), line(titles.map(() => '---'))];
  for (const row of large.rows) {
    const before = small.rows.find(({ name }) => name === row.name);
    if (before === undefined) continue;
    const times = (from: number | null | undefined, to: number | null | undefined): number | null => (from && to ? to / from : null);
    const hand = times(before.medians.hand, row.medians.hand);
    const ours = times(before.medians.graphdb, row.medians.graphdb);
    const peer = times(bestPeer(before.medians), bestPeer(row.medians));
    const beside = times(hand, ours);
    lines.push(
      line([row.name, ...[hand, ours, peer].map((each) => each?.toFixed(1) ?? '–'), beside === null ? '' : marked(beside, beside > 1)]),
    );
  }
  return lines.join('\n');
}

export function median(values: readonly number[]): number | undefined {
  return values.toSorted((a, b) => a - b)[values.length >> 1];
}

function bestPeer({ hand, graphdb, ...peers }: Row['medians']): number | null {
  const values = Object.values(peers);
  return values.length === 0 ? null : Math.min(...values);
}

function marked(ratio: number, missed: boolean): string {
  const text = ratio < 10 ? ratio.toFixed(2) : ratio.toFixed(0);
  return missed ? `**${text}**` : text;
}

function show(value: number): string {
  return value < 1 ? value.toPrecision(2) : value < 100 ? value.toPrecision(3) : value.toFixed(0);
}

function line(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}
