/**
 * Metrics by namespace, for Prometheus. Each namespace is counted by itself, so that the text of one is the same whatever
 * others there are. In the text of all of them the label takes the names of the first MOST_NAMES namespaces that are
 * asked; all others are added up under an empty one, so that the number of series is bounded.
 *
 *   graphdb_namespaces_open                                      namespaces that are open now; in the text of all alone
 *   graphdb_namespace_queries_total{namespace,status}            statements; status: ok or failed
 *   graphdb_namespace_query_seconds_total{namespace}             the time that they took
 *   graphdb_namespace_query_rows_total{namespace}                rows answered
 *   graphdb_namespace_unflushed_bytes{namespace}                 of those that are open
 *   graphdb_namespace_writer{namespace}                          1 while this process writes to it
 */
import { Counter, Gauge, Registry } from 'prom-client';
import type { Engine } from '../engine/index.ts';
import type { ObservedEngines } from './engine-metrics.ts';
import { StatementCounts } from './statement-metrics.ts';

const MOST_NAMES = 100;
const OTHERS = '';
/** The most namespaces whose counts are kept, some 5 MB. Beyond it closed ones begin anew at 0 when they are opened again. */
const MOST_COUNTED = 10_000;
/** The number of namespaces that stay when some are forgotten. */
const COUNTED_AFTER = 9_000;

/** The metrics by namespace. */
export interface NamespaceMetrics {
  /** Returns the counts to which the statements of a namespace add, while it is open. */
  countsOf(namespace: string): StatementCounts;
  observe(engines: ObservedEngines): void;
  /** Returns the text of all namespaces. */
  text(): Promise<string>;
  /** Returns the text of one namespace, which tells nothing of others. */
  textOf(namespace: string): Promise<string>;
}

/** The work of all statements of a namespace, or of several. */
interface Totals {
  succeeded: number;
  failed: number;
  seconds: number;
  rows: number;
}

/** The namespaces that a text is about. */
interface Scope {
  /** Returns the totals by label. */
  readonly totals: () => ReadonlyMap<string, Totals>;
  /** Returns the open engines with their labels. */
  readonly engines: () => readonly (readonly [label: string, engine: Engine])[];
}

/** Creates the metrics by namespace. */
export function createNamespaceMetrics(): NamespaceMetrics {
  const named = new Map<string, StatementCounts>();
  /** The counts of further namespaces; those that were opened last come last. */
  const others = new Map<string, StatementCounts>();
  /** The sum of the counts that are not kept by namespace any more. */
  const forgotten = noTotals();
  let engines: ObservedEngines['all'] = () => [];
  const forget = (): void => {
    const open = new Set(engines().map((engine) => engine.status().namespace));
    for (const [namespace, counts] of others) {
      if (named.size + others.size <= COUNTED_AFTER) return;
      if (open.has(namespace) || counts.inFlight > 0) continue;
      add(forgotten, counts);
      others.delete(namespace);
    }
  };
  const all: Scope = {
    totals() {
      const totals = new Map(Array.from(named, ([namespace, counts]) => [namespace, add(noTotals(), counts)]));
      const rest = { ...forgotten };
      for (const counts of others.values()) add(rest, counts);
      return totals.set(OTHERS, rest);
    },
    engines: () =>
      engines().map((engine) => {
        const { namespace } = engine.status();
        return [named.has(namespace) ? namespace : OTHERS, engine] as const;
      }),
  };
  const one = (namespace: string): Scope => ({
    totals() {
      const counts = named.get(namespace) ?? others.get(namespace);
      return counts === undefined ? new Map() : new Map([[namespace, add(noTotals(), counts)]]);
    },
    engines: () => engines().flatMap((engine) => (engine.status().namespace === namespace ? [[namespace, engine] as const] : [])),
  });
  const registry = registryOf(all);
  new Gauge({
    name: 'graphdb_namespaces_open',
    help: 'Namespaces that are open now',
    registers: [registry],
    collect() {
      this.set(engines().length);
    },
  });
  return {
    countsOf(namespace) {
      const isNamed = named.has(namespace) || named.size < MOST_NAMES;
      const kept = isNamed ? named : others;
      const counts = kept.get(namespace) ?? new StatementCounts();
      if (!isNamed) others.delete(namespace);
      kept.set(namespace, counts);
      if (named.size + others.size > MOST_COUNTED) forget();
      return counts;
    },
    observe({ all: observed }) {
      engines = observed;
    },
    text: () => registry.metrics(),
    textOf: (namespace) => registryOf(one(namespace)).metrics(),
  };
}

function noTotals(): Totals {
  return { succeeded: 0, failed: 0, seconds: 0, rows: 0 };
}

function add(totals: Totals, { succeeded, ended, seconds, rows }: StatementCounts): Totals {
  totals.succeeded += succeeded;
  totals.failed += ended - succeeded;
  totals.seconds += seconds;
  totals.rows += rows;
  return totals;
}

/** Creates a registry whose metrics read a scope when they are asked for. */
function registryOf({ totals, engines }: Scope): Registry {
  const registry = new Registry();
  const registers = [registry];
  const labelNames = ['namespace'] as const;
  new Counter({
    name: 'graphdb_namespace_queries_total',
    help: 'Statements',
    labelNames: ['namespace', 'status'],
    registers,
    collect() {
      this.reset();
      for (const [namespace, { succeeded, failed }] of totals()) {
        if (succeeded > 0) this.inc({ namespace, status: 'ok' }, succeeded);
        if (failed > 0) this.inc({ namespace, status: 'failed' }, failed);
      }
    },
  });
  const counter = (name: string, help: string, read: (totals: Totals) => number): void => {
    new Counter({
      name: `graphdb_namespace_${name}`,
      help,
      labelNames,
      registers,
      collect() {
        this.reset();
        for (const [namespace, counts] of totals()) if (counts.succeeded + counts.failed > 0) this.inc({ namespace }, read(counts));
      },
    });
  };
  counter('query_seconds_total', 'Time of statements', ({ seconds }) => seconds);
  counter('query_rows_total', 'Rows answered', ({ rows }) => rows);
  const gauge = (name: string, help: string, read: (engine: Engine) => number): void => {
    new Gauge({
      name: `graphdb_namespace_${name}`,
      help,
      labelNames,
      registers,
      collect() {
        this.reset();
        for (const [namespace, engine] of engines()) this.inc({ namespace }, read(engine));
      },
    });
  };
  gauge('unflushed_bytes', 'Bytes in the write-ahead log and in no SST', (engine) => engine.statistics().unflushedBytes);
  gauge('writer', '1 while this process writes to it', (engine) => (engine.status().role === 'writer' ? 1 : 0));
  return registry;
}
