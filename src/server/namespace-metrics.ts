/**
 * Metrics by namespace, for Prometheus. The label takes the names of the first MOST_NAMES namespaces that are asked;
 * all others count together under an empty one, so that the number of series is bounded.
 *
 *   graphdb_namespaces_open                                      namespaces that are open now
 *   graphdb_namespace_queries_total{namespace,status}            statements; status: ok or failed
 *   graphdb_namespace_query_seconds_total{namespace}             the time that they took
 *   graphdb_namespace_query_rows_total{namespace}                rows answered
 *   graphdb_namespace_unflushed_bytes{namespace}                 of those that are open
 *   graphdb_namespace_writer{namespace}                          1 while this process writes to it
 */
import { Counter, Gauge, Registry } from 'prom-client';
import type { ObservedEngines } from './engine-metrics.ts';
import { StatementCounts } from './statement-metrics.ts';

const MOST_NAMES = 100;
const OTHERS = '';

/** The metrics by namespace. */
export interface NamespaceMetrics {
  /** Returns the counts to which the statements of a namespace add. */
  countsOf(namespace: string): StatementCounts;
  observe(engines: ObservedEngines): void;
  text(): Promise<string>;
}

/** Creates the metrics by namespace. */
export function createNamespaceMetrics(): NamespaceMetrics {
  const registry = new Registry();
  const registers = [registry];
  const labelNames = ['namespace'] as const;
  const byName = new Map<string, StatementCounts>();
  const labelOf = (namespace: string): string => {
    const label = byName.has(namespace) || byName.size < MOST_NAMES ? namespace : OTHERS;
    if (!byName.has(label)) byName.set(label, new StatementCounts());
    return label;
  };
  let engines: ObservedEngines['all'] = () => [];
  new Counter({
    name: 'graphdb_namespace_queries_total',
    help: 'Statements',
    labelNames: ['namespace', 'status'],
    registers,
    collect() {
      this.reset();
      for (const [namespace, { succeeded, ended }] of byName) {
        if (succeeded > 0) this.inc({ namespace, status: 'ok' }, succeeded);
        if (ended > succeeded) this.inc({ namespace, status: 'failed' }, ended - succeeded);
      }
    },
  });
  const counter = (name: string, help: string, read: (counts: StatementCounts) => number): void => {
    new Counter({
      name: `graphdb_namespace_${name}`,
      help,
      labelNames,
      registers,
      collect() {
        this.reset();
        for (const [namespace, counts] of byName) if (counts.ended > 0) this.inc({ namespace }, read(counts));
      },
    });
  };
  counter('query_seconds_total', 'Time of statements', ({ seconds }) => seconds);
  counter('query_rows_total', 'Rows answered', ({ rows }) => rows);
  new Gauge({
    name: 'graphdb_namespaces_open',
    help: 'Namespaces that are open now',
    registers,
    collect() {
      this.set(engines().length);
    },
  });
  const gauge = (name: string, help: string, read: (engine: ReturnType<typeof engines>[number]) => number): void => {
    new Gauge({
      name: `graphdb_namespace_${name}`,
      help,
      labelNames,
      registers,
      collect() {
        this.reset();
        for (const engine of engines()) this.inc({ namespace: labelOf(engine.status().namespace) }, read(engine));
      },
    });
  };
  gauge('unflushed_bytes', 'Bytes in the write-ahead log and in no SST', (engine) => engine.statistics().unflushedBytes);
  gauge('writer', '1 while this process writes to it', (engine) => (engine.status().role === 'writer' ? 1 : 0));
  return {
    countsOf(namespace) {
      return byName.get(labelOf(namespace))!;
    },
    observe({ all }) {
      engines = all;
    },
    text: () => registry.metrics(),
  };
}
