/**
 * Gives traces and metrics to the SDK of OpenTelemetry that somebody has started in this process, if any
 * (docs/operations.md, "Traces"). Only the API package is known here, and it is loaded only if there is an SDK: one
 * that has registered with the API, under a symbol that all versions of the API share, before the server starts.
 */
import { type Logger, listenToSpans } from '../../base/index.ts';
import type { Metrics } from '../metrics.ts';

const API = Symbol.for('opentelemetry.js.api.1');

interface Registered {
  readonly trace?: unknown;
  readonly metrics?: unknown;
}

/** Reports spans and metrics to the SDK, if there is one. */
export async function startTelemetry(metrics: Pick<Metrics, 'text'>, logger: Logger): Promise<void> {
  const registered = (globalThis as { readonly [API]?: Registered })[API];
  if (registered?.trace === undefined && registered?.metrics === undefined) return;
  const api = await import('@opentelemetry/api');
  if (registered.trace !== undefined) listenToSpans((await import('./open-telemetry-spans.ts')).spansFor(api));
  if (registered.metrics !== undefined) await (await import('./open-telemetry-metrics.ts')).observeMetrics(api, metrics);
  logger.info({ traces: registered.trace !== undefined, metrics: registered.metrics !== undefined }, 'telling OpenTelemetry');
}
