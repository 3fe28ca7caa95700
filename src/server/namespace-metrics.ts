/**
 * What is counted by namespace, for Prometheus. The label takes the names of the first MOST_NAMES namespaces that are asked; all others count together under an empty one, so that the number of series
 * is bounded.
 *
 *   graphdb_namespaces_open                                      namespaces that are open now
 *   graphdb_namespace_queries_total{namespace,status}            statements; status: ok or failed
 *   graphdb_namespace_query_seconds_total{namespace}             the time that they took
 *   graphdb_namespace_query_rows_total{namespace}                rows answered
 *   graphdb_namespace_unflushed_bytes{namespace}                 of those that are open
 *   graphdb_namespace_writer{namespace}                          1 while this process writes to it
 */
import { Counter, Gauge, Registry } from 'prom-client';
import { monotonicMs } from '../base/index.ts';
import type { ObservedEngines } from './engine-metrics.ts';
import type { RunningStatement } from './running-statement.ts';

const MOST_NAMES = 100;
const OTHERS = '';

export interface NamespaceMetrics {
  /** Counts the statements of a namespace; what comes back is called when one begins. */
  statementsOf(namespace: string): () => RunningStatement;
  observe(engines: ObservedEngines): void;
  text(): Promise<string>;
}

export function createNamespaceMetrics(): NamespaceMetrics {
  const registry = new Registry();
  const registers = [registry];
  const labelNames = ['namespace'] as const;
  const names = new Set<string>();
  const labelOf = (namespace: string): string => {
    if (names.size < MOST_NAMES) names.add(namespace);
    return names.has(namespace) ? namespace : OTHERS;
  };
  let engines: ObservedEngines['all'] = () => [];
  const counter = <L extends string>(name: string, help: string, labels: readonly L[]) =>
    new Counter({ name: `graphdb_namespace_${name}`, help, labelNames: labels, registers });
  const total = counter('queries_total', 'Statements', ['namespace', 'status'] as const);
  const seconds = counter('query_seconds_total', 'Time of statements', labelNames);
  const rows = counter('query_rows_total', 'Rows answered', labelNames);
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
    statementsOf(namespace) {
      const label = { namespace: labelOf(namespace) };
      return () => {
        const startMs = monotonicMs();
        return {
          rows: (count) => rows.inc(label, count),
          end(error) {
            seconds.inc(label, (monotonicMs() - startMs) / 1_000);
            total.inc({ ...label, status: error === undefined ? 'ok' : 'failed' });
          },
        };
      };
    },
    observe({ all }) {
      engines = all;
    },
    text: () => registry.metrics(),
  };
}
