/** GET /v0/version: the release, and the platform that it runs on. Public. */
import type { FastifyInstance } from 'fastify';
import type { HttpContext } from '../context.ts';

/** Registers the endpoint of the version. */
export function registerVersion(app: FastifyInstance, context: HttpContext): void {
  const answer = Buffer.from(
    JSON.stringify({
      version: context.version,
      build_target: 'graphdb-server',
      node_version: process.versions.node,
      platform: `${process.platform}-${process.arch}`,
    }),
  );
  app.get('/v0/version', { config: { access: 'public' } }, (_request, reply) => {
    reply.header('content-type', 'application/json').send(answer);
  });
}
