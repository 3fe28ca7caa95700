/**
 * Spans: pieces of work that are reported to a tracing system. Code reports its work here, which costs one comparison
 * while no listener is set. There is one listener for the process, which the program sets at its start
 * (server/telemetry/).
 */

/** The attributes of a span. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

/** The options of a new span. */
export interface SpanStart {
  readonly name: string;
  readonly kind: 'server' | 'client' | 'internal';
  readonly attributes: SpanAttributes;
  /** Headers of the client that name the parent span (`traceparent`), by lower-case names. */
  readonly carrier?: Readonly<Record<string, unknown>>;
}

/** A span that has begun. */
export interface Span {
  /** Runs the work as a part of the span: spans that begin in it belong to this one. */
  run<T>(work: () => T): T;
  set(attributes: SpanAttributes): void;
  /** Ends the span; must be called once. `error` is what the work failed with. */
  end(error?: unknown): void;
}

/** Begins spans in a tracing system. */
export type Tracing = (start: SpanStart) => Span;

let tracing: Tracing | null = null;

/** Sets the listener that all further spans are reported to; null for none. */
export function listenToSpans(listener: Tracing | null): void {
  tracing = listener;
}

/** Begins a span. Returns null while no listener is set. */
export function beginSpan(start: () => SpanStart): Span | null {
  return tracing === null ? null : tracing(start());
}

/** Does the work in a span, which ends with the work. */
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
