/** GET /v0/health: whether reads can be served, and from where in the history of the namespace. Public. */
import type { FastifyInstance } from 'fastify';
import type { EngineStatus } from '../../engine/index.ts';
import type { HttpContext } from '../context.ts';

export function registerHealth(app: FastifyInstance, context: HttpContext): void {
  app.get('/v0/health', { config: { access: 'public' } }, async (_request, reply) => {
    const status = await statusOf(context);
    const answer = {
      status: status.status,
      namespace: status.namespace,
      manifest_version: status.manifestVersion,
      epoch: status.epoch,
      role: status.role,
    };
    if (status.status !== 'ok') reply.code(503).header('retry-after', '1');
    return reply.header('content-type', 'application/json').send(Buffer.from(JSON.stringify(answer)));
  });
}

async function statusOf(context: HttpContext): Promise<EngineStatus> {
  const engine = context.engine();
  const status = (await engine?.freshStatus()) ?? {
    status: 'starting',
    namespace: '',
    manifestVersion: 0,
    epoch: 0,
    role: 'reader',
    sequence: 0,
  };
  return context.phase() === 'stopping' ? { ...status, status: 'stopping' } : status;
}
