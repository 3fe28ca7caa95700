/**
 * The metrics of `/v0/metrics` as instruments of OpenTelemetry, under equal names. Their values are read off the text
 * for Prometheus, so that there is only one list of metrics. Buckets of histograms are left out; sums and counts are
 * kept.
 */
import type * as OpenTelemetry from '@opentelemetry/api';
import { VERSION } from '../../base/index.ts';
import type { Metrics } from '../metrics.ts';

type Api = typeof OpenTelemetry;

interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const LINE = /^([a-z_][a-z0-9_]*)(?:\{(.*)\})? (\S+)/i;
const LABEL = /([a-z_][a-z0-9_]*)="((?:[^"\\]|\\.)*)"/gi;

/** Registers the metrics as instruments of OpenTelemetry. */
export async function observeMetrics(api: Api, metrics: Pick<Metrics, 'text'>): Promise<void> {
  const meter = api.metrics.getMeter('graphdb', VERSION);
  const instruments = new Map<string, OpenTelemetry.Observable>();
  for (const [, name, type] of (await metrics.text()).matchAll(/^# TYPE (\S+) (\S+)$/gm)) {
    if (type === 'histogram' || type === 'summary')
      for (const part of ['_sum', '_count']) instruments.set(name! + part, meter.createObservableCounter(name! + part));
    else instruments.set(name!, type === 'counter' ? meter.createObservableCounter(name!) : meter.createObservableGauge(name!));
  }
  meter.addBatchObservableCallback(
    async (result) => {
      for (const { name, labels, value } of samplesOf(await metrics.text())) {
        const instrument = instruments.get(name);
        if (instrument !== undefined) result.observe(instrument, value, labels);
      }
    },
    [...instruments.values()],
  );
}

function samplesOf(text: string): Sample[] {
  return text.split('\n').flatMap((line): Sample[] => {
    const [, name, labels = '', number] = LINE.exec(line) ?? [];
    if (name === undefined || name.endsWith('_bucket') || /\bquantile="/.test(labels)) return [];
    const value = Number(number);
    if (!Number.isFinite(value)) return [];
    return [{ name, labels: Object.fromEntries(Array.from(labels.matchAll(LABEL), ([, key, each]) => [key, each])), value }];
  });
}
