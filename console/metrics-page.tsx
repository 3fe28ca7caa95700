/** The metrics of the server (`/v0/metrics`), drawn as they change. */
import { useEffect, useRef, useState } from 'preact/hooks';
import uPlot from 'uplot';
import { type Connection, headersOf } from './api.ts';

const EACH_MS = 2_000;
const KEPT = 300;

interface Chart {
  readonly title: string;
  /** Names of series of the metrics; a counter is drawn as its change in a second. */
  readonly series: readonly { readonly name: string; readonly label: string; readonly isCounter: boolean; readonly divisor: number }[];
}

const CHARTS: readonly Chart[] = [
  { title: 'Statements per second', series: [{ name: 'graphdb_queries_total', label: 'statements', isCounter: true, divisor: 1 }] },
  {
    title: 'Memory, MiB',
    series: [
      { name: 'graphdb_process_resident_memory_bytes', label: 'resident', isCounter: false, divisor: 2 ** 20 },
      { name: 'graphdb_nodejs_heap_size_used_bytes', label: 'heap', isCounter: false, divisor: 2 ** 20 },
    ],
  },
  {
    title: 'Event loop delay, ms',
    series: [{ name: 'graphdb_nodejs_eventloop_lag_p99_seconds', label: '99 of 100', isCounter: false, divisor: 0.001 }],
  },
  {
    title: 'Requests to the store per second',
    series: [{ name: 'graphdb_store_requests_total', label: 'requests', isCounter: true, divisor: 1 }],
  },
];

/** The sum of each series over its labels. */
export function sumsOf(text: string): Map<string, number> {
  const sums = new Map<string, number>();
  for (const line of text.split('\n')) {
    const match = /^([a-zA-Z_:][\w:]*)(?:\{[^}]*\})? ([^ ]+)/.exec(line);
    if (match !== null) sums.set(match[1]!, (sums.get(match[1]!) ?? 0) + Number(match[2]));
  }
  return sums;
}

export function MetricsPage({ connection, isDark }: { readonly connection: Connection; readonly isDark: boolean }) {
  const [samples, setSamples] = useState<readonly { readonly at: number; readonly sums: Map<string, number> }[]>([]);
  const [fault, setFault] = useState('');
  useEffect(() => {
    let isOver = false;
    const look = async (): Promise<void> => {
      try {
        const response = await fetch('/v0/metrics', { headers: headersOf(connection) });
        if (!response.ok) throw new Error(`The metrics cannot be read: the server answers ${response.status}.`);
        const sums = sumsOf(await response.text());
        if (!isOver) setSamples((before) => [...before, { at: Date.now() / 1_000, sums }].slice(-KEPT));
        setFault('');
      } catch (error) {
        setFault(error instanceof Error ? error.message : String(error));
      }
    };
    void look();
    const timer = setInterval(() => void look(), EACH_MS);
    return () => {
      isOver = true;
      clearInterval(timer);
    };
  }, [connection]);
  return (
    <main class="metrics" tabIndex={0}>
      {fault !== '' && <p class="error">{fault}</p>}
      {CHARTS.map((chart) => (
        <figure key={chart.title}>
          <figcaption>{chart.title}</figcaption>
          <Plot chart={chart} samples={samples} isDark={isDark} />
        </figure>
      ))}
    </main>
  );
}

type Samples = readonly { readonly at: number; readonly sums: Map<string, number> }[];

function Plot({ chart, samples, isDark }: { readonly chart: Chart; readonly samples: Samples; readonly isDark: boolean }) {
  const container = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  useEffect(() => {
    const axis = { stroke: isDark ? '#9aa3ad' : '#5d6670', grid: { stroke: isDark ? '#2a3138' : '#e4e7ea' } };
    const colors = ['#2f7ed8', '#d9793b'];
    const series = chart.series.map(({ label }, i) => ({ label, stroke: colors[i % 2]!, width: 1.5 }));
    const width = Math.min(560, container.current!.clientWidth || 320);
    plot.current = new uPlot(
      { width, height: 200, axes: [axis, axis], series: [{}, ...series] },
      dataOf(chart, samples),
      container.current!,
    );
    return () => plot.current?.destroy();
  }, [isDark]);
  useEffect(() => plot.current?.setData(dataOf(chart, samples)), [samples]);
  return <div ref={container} />;
}

function dataOf({ series }: Chart, samples: Samples): uPlot.AlignedData {
  const values = series.map(({ name, isCounter, divisor }) =>
    samples.map(({ at, sums }, i) => {
      const value = sums.get(name) ?? 0;
      if (!isCounter) return value / divisor;
      const before = samples[i - 1];
      return before === undefined ? null : (value - (before.sums.get(name) ?? 0)) / (at - before.at) / divisor;
    }),
  );
  return [samples.map(({ at }) => at), ...values];
}
