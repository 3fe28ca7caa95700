/**
 * A small SDK of OpenTelemetry for tests, loaded before the server: it writes each span that ends, and the metrics when
 * it is asked by a signal, as lines of JSON to the file that `SPANS` names.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { appendFileSync } from 'node:fs';
import { context, metrics, propagation, ROOT_CONTEXT, trace } from '@opentelemetry/api';

const file = process.env.SPANS;
const write = (line) => appendFileSync(file, `${JSON.stringify(line)}\n`);
const storage = new AsyncLocalStorage();
let spans = 0;

context.setGlobalContextManager({
  active: () => storage.getStore() ?? ROOT_CONTEXT,
  with: (of, work, self, ...given) => storage.run(of, () => work.call(self, ...given)),
  bind: (_of, target) => target,
  enable() {
    return this;
  },
  disable() {
    return this;
  },
});

propagation.setGlobalPropagator({
  inject() {},
  fields: () => ['traceparent'],
  extract(of, carrier) {
    const [, traceId, spanId] = /^00-([0-9a-f]{32})-([0-9a-f]{16})-/.exec(carrier.traceparent ?? '') ?? [];
    return traceId === undefined ? of : trace.setSpanContext(of, { traceId, spanId, traceFlags: 1, isRemote: true });
  },
});

class RecordedSpan {
  constructor(name, options, of) {
    const parent = trace.getSpanContext(of);
    const spanId = String(++spans).padStart(16, '0');
    this.context = { traceId: parent?.traceId ?? spanId.padStart(32, '0'), spanId, traceFlags: 1 };
    this.record = { name, kind: options.kind, parent: parent?.spanId ?? null, ...this.context, attributes: { ...options.attributes }, status: null };
  }
  spanContext() {
    return this.context;
  }
  setAttribute(name, value) {
    this.record.attributes[name] = value;
    return this;
  }
  setAttributes(more) {
    Object.assign(this.record.attributes, more);
    return this;
  }
  setStatus(status) {
    this.record.status = status.code;
    return this;
  }
  isRecording() {
    return true;
  }
  end() {
    write(this.record);
  }
}

trace.setGlobalTracerProvider({ getTracer: () => ({ startSpan: (name, options = {}, of = context.active()) => new RecordedSpan(name, options, of) }) });

const callbacks = [];
metrics.setGlobalMeterProvider({
  getMeter: () => ({
    createObservableCounter: (name) => ({ name, type: 'counter' }),
    createObservableGauge: (name) => ({ name, type: 'gauge' }),
    addBatchObservableCallback: (callback) => callbacks.push(callback),
  }),
});
process.on('SIGUSR2', async () => {
  for (const callback of callbacks) await callback({ observe: ({ name, type }, value, attributes) => write({ metric: name, type, value, attributes }) });
  write({ collected: true });
});
