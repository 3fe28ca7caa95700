/**
 * The counts of statements, for Prometheus. Each statement adds to plain numbers, by protocol and by namespace; a
 * scrape turns them into text. The counters and the histogram of the library look their labels up by a text that they
 * make for each addition, which would cost a short statement a tenth of its time.
 */
import { Counter, Gauge, type Registry } from 'prom-client';
import { GraphDBError, monotonicMs } from '../base/index.ts';
import type { RunningStatement } from './running-statement.ts';

/** Upper bounds of the buckets of histograms, in seconds. */
export const SECONDS = [0.000_25, 0.001, 0.004, 0.016, 0.064, 0.25, 1, 4, 16, 64];
const OK = 'ok';

/** The counts of the statements of one protocol, or of one namespace. */
export class StatementCounts {
  inFlight = 0;
  rows = 0;
  /** The time of the statements that have ended, in seconds. */
  seconds = 0;
  /** The number of statements that have ended, by `ok` or the code of their error. */
  readonly byStatus = new Map<string, number>();
  /** The number of statements that have ended, by the first bucket that they fit in; the last bucket has no bound. */
  readonly byBucket: number[] = Array.from({ length: SECONDS.length + 1 }, () => 0);

  get ended(): number {
    return sum(this.byStatus.values());
  }

  get succeeded(): number {
    return this.byStatus.get(OK) ?? 0;
  }

  end(status: string, seconds: number): void {
    this.inFlight--;
    this.seconds += seconds;
    this.byStatus.set(status, (this.byStatus.get(status) ?? 0) + 1);
    let bucket = 0;
    while (bucket < SECONDS.length && seconds > SECONDS[bucket]!) bucket++;
    this.byBucket[bucket]!++;
  }
}

/** A statement that counts for a protocol and for a namespace. */
export class CountedStatement implements RunningStatement {
  private readonly protocol: StatementCounts;
  private readonly namespace: StatementCounts;
  private readonly startMs = monotonicMs();

  constructor(protocol: StatementCounts, namespace: StatementCounts) {
    this.protocol = protocol;
    this.namespace = namespace;
    protocol.inFlight++;
    namespace.inFlight++;
  }

  rows(count: number): void {
    this.protocol.rows += count;
    this.namespace.rows += count;
  }

  end(error?: unknown): void {
    const seconds = (monotonicMs() - this.startMs) / 1_000;
    const status = statusOf(error);
    this.protocol.end(status, seconds);
    this.namespace.end(status, seconds);
  }
}

function statusOf(error: unknown): string {
  if (error === undefined) return OK;
  return error instanceof GraphDBError ? error.code : 'INTERNAL';
}

/** The counts of statements. */
export interface StatementMetrics {
  /** Returns the counts of a protocol, made when they are first asked for. */
  countsOf(protocol: string): StatementCounts;
  /** Prometheus text of the histogram; the rest is in the registry. */
  histogramText(): string;
}

/** Creates the counts of statements. */
export function createStatementMetrics(registry: Registry): StatementMetrics {
  const registers = [registry];
  const labelNames = ['protocol'] as const;
  const byProtocol = new Map<string, StatementCounts>();
  new Counter({
    name: 'graphdb_queries_total',
    help: 'Statements',
    labelNames: ['protocol', 'status'],
    registers,
    collect() {
      this.reset();
      for (const [protocol, { byStatus }] of byProtocol) for (const [status, count] of byStatus) this.inc({ protocol, status }, count);
    },
  });
  new Counter({
    name: 'graphdb_query_rows_total',
    help: 'Rows answered',
    labelNames,
    registers,
    collect() {
      this.reset();
      for (const [protocol, { rows }] of byProtocol) this.inc({ protocol }, rows);
    },
  });
  new Gauge({
    name: 'graphdb_queries_in_flight',
    help: 'Statements that run now',
    labelNames,
    registers,
    collect() {
      this.reset();
      for (const [protocol, { inFlight }] of byProtocol) this.set({ protocol }, inFlight);
    },
  });
  return {
    countsOf(protocol) {
      const known = byProtocol.get(protocol) ?? new StatementCounts();
      byProtocol.set(protocol, known);
      return known;
    },
    histogramText: () => histogramText('graphdb_query_duration_seconds', 'Time of statements', byProtocol),
  };
}

function histogramText(name: string, help: string, byProtocol: ReadonlyMap<string, StatementCounts>): string {
  const lines = [`# HELP ${name} ${help}`, `# TYPE ${name} histogram`];
  for (const [protocol, { byBucket, seconds }] of byProtocol) {
    let count = 0;
    for (const [at, inBucket] of byBucket.entries()) {
      count += inBucket;
      lines.push(`${name}_bucket{le="${SECONDS[at] ?? '+Inf'}",protocol="${protocol}"} ${count}`);
    }
    lines.push(`${name}_sum{protocol="${protocol}"} ${seconds}`, `${name}_count{protocol="${protocol}"} ${count}`);
  }
  return `${lines.join('\n')}\n`;
}

function sum(numbers: Iterable<number>): number {
  let total = 0;
  for (const number of numbers) total += number;
  return total;
}
