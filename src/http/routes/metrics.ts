/** GET /v0/metrics: what the server counts, as Prometheus text, at most a second old. Public: it holds numbers, no names from data or statements. */
import type { FastifyInstance } from 'fastify';
import { cachedAnswer } from '../cached-answer.ts';

export function registerMetrics(app: FastifyInstance, metricsText: () => Promise<string>): void {
  const answer = cachedAnswer(metricsText);
  app.get('/v0/metrics', { config: { access: 'public' } }, async (_request, reply) => {
    return reply.header('content-type', 'text/plain; version=0.0.4; charset=utf-8').send(await answer());
  });
}
