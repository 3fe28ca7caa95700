/**
 * Makes spans through the API of OpenTelemetry. The parent of a span comes from what the other side has sent, or from
 * the work in which the span begins.
 */
import type * as OpenTelemetry from '@opentelemetry/api';
import { fromForeignError, type Span, type SpanStart, type Tracing, VERSION } from '../../base/index.ts';

type Api = typeof OpenTelemetry;

/** Returns tracing through the API of OpenTelemetry. */
export function spansFor({ trace, context, propagation, SpanKind, SpanStatusCode }: Api): Tracing {
  const tracer = trace.getTracer('graphdb', VERSION);
  const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL };
  return ({ name, kind, attributes, carrier }: SpanStart): Span => {
    const parent = carrier === undefined ? context.active() : propagation.extract(context.active(), carrier);
    const span = tracer.startSpan(name, { kind: kinds[kind], attributes }, parent);
    const within = trace.setSpan(parent, span);
    return {
      run: (work) => context.with(within, work),
      set: (more) => void span.setAttributes(more),
      end(error) {
        if (error !== undefined) {
          const { code, message } = fromForeignError(error);
          span.setAttribute('error.type', code);
          span.setStatus({ code: SpanStatusCode.ERROR, message });
        }
        span.end();
      },
    };
  };
}
