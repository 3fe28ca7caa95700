/** Follows requests from outside: counts and logs their answers, and makes a span for each. */
import type { ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { beginSpan, monotonicMs, onNextTurn } from '../base/index.ts';
import type { HttpContext } from './context.ts';

/** Counts and logs each answer that has left. Fastify's own hook for this takes more time of every request. */
export function followAnswers(app: FastifyInstance, context: HttpContext, onAnswered: ((status: number) => void) | undefined): void {
  function onFinish(this: ServerResponse): void {
    onAnswered?.(this.statusCode);
    // An answer that had begun before the stop has promised to keep its connection, which would hold the stop up.
    if (context.phase() === 'stopping') onNextTurn(() => app.server.closeIdleConnections());
  }
  app.addHook('onRequest', (request, { raw }, done) => {
    raw.on('finish', onFinish);
    if (context.logger.logsDebug) logWhenAnswered(context, request, raw);
    done();
  });
}

function logWhenAnswered({ logger }: HttpContext, request: FastifyRequest, response: ServerResponse): void {
  const { id: requestId, method, ip: remote } = request;
  const startMs = monotonicMs();
  response.on('finish', () => {
    const elapsedMs = Math.round((monotonicMs() - startMs) * 1_000) / 1_000;
    const { statusCode: status } = response;
    logger.debug({ requestId, method, path: pathOf(request), status, elapsedMs, remote, user: request.caller.name }, 'request');
  });
}

/** Makes a span for each request. The endpoint runs in it also where a body came first: Fastify keeps the context of its hooks. */
export function traceRequests(app: FastifyInstance): void {
  app.decorateRequest('span', null);
  app.addHook('onRequest', (request, reply, done) => {
    const { method, headers, routeOptions } = request;
    const span = beginSpan(() => ({
      name: `${method} ${routeOptions.url ?? 'unknown'}`,
      kind: 'server',
      attributes: { 'http.request.method': method, 'http.route': routeOptions.url ?? '', 'graphdb.request_id': request.id },
      carrier: headers,
    }));
    if (span === null) return done();
    request.span = span;
    reply.raw.once('close', () => {
      span.set({ 'http.response.status_code': reply.raw.statusCode });
      span.end();
    });
    span.run(done);
  });
}

/** Returns the path of a request without the query string, which may carry what no log should. */
export function pathOf({ originalUrl }: FastifyRequest): string {
  return originalUrl.split('?', 1)[0] ?? originalUrl;
}
