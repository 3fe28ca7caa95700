/** GET /v0/openapi.json: this API, described for programs. Public. */
import type { FastifyInstance } from 'fastify';
import type { HttpContext } from '../context.ts';
import { describeApi } from '../openapi.ts';

/** Registers the endpoint that describes the API. */
export function registerOpenApi(app: FastifyInstance, context: HttpContext): void {
  const answer = Buffer.from(JSON.stringify(describeApi(context.version)));
  app.get('/v0/openapi.json', { config: { access: 'public' } }, (_request, reply) => {
    reply.header('content-type', 'application/json').send(answer);
  });
}
