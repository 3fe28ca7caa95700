/**
 * Spans: pieces of work that a program tells a tracing system of. Who does the work says so here; where nobody listens
 * it costs a comparison. The listener is one for the process, as tracing systems are, and is set by the program at its
 * start (server/telemetry/).
 */

/** The attributes of a span. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

/** The options of a new span. */
export interface SpanStart {
  readonly name: string;
  readonly kind: 'server' | 'client' | 'internal';
  readonly attributes: SpanAttributes;
  /** Headers of the other side that say which span this one belongs to, by lower-case names: `traceparent`. */
  readonly carrier?: Readonly<Record<string, unknown>>;
}

/** A span that has begun. */
export interface Span {
  /** Runs the work as a part of the span: spans that begin in it belong to this one. */
  run<T>(work: () => T): T;
  set(attributes: SpanAttributes): void;
  /** To be called once. `error`: it has failed. */
  end(error?: unknown): void;
}

/** Begins spans in a tracing system. */
export type Tracing = (start: SpanStart) => Span;

let tracing: Tracing | null = null;

/** From now on spans are told to this listener; null: to none. */
export function listenToSpans(listener: Tracing | null): void {
  tracing = listener;
}

/** Begins a span; null: nobody listens. */
export function beginSpan(start: () => SpanStart): Span | null {
  return tracing === null ? null : tracing(start());
}

/** Does the work in a span, which ends when the work has. */
export function traced<T>(start: () => SpanStart, work: () => Promise<T>): Promise<T> {
  const span = beginSpan(start);
  if (span === null) return work();
  return span.run(work).then(
    (value) => {
      span.end();
      return value;
    },
    (error: unknown) => {
      span.end(error);
      throw error;
    },
  );
}
