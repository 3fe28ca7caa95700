/**
 * GET /v0/health: whether reads can be served, and the manifest version, epoch and role of the default namespace.
 * Public. With the name of a namespace in front, the health of that one, for callers that may see it. The engine
 * reports what a read would find: while it is asked it checks the bucket once a second, beside the answers, and before
 * an answer if the last check is older than three seconds. The answer is encoded anew only if it has changed.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { EngineStatus } from '../../engine/index.ts';
import { type HttpContext, senderOf, wantedBy } from '../context.ts';

const STARTING: EngineStatus = { status: 'starting', namespace: '', manifestVersion: 0, epoch: 0, role: 'reader', sequence: 0 };

/** Registers the endpoint of health. */
export function registerHealth(app: FastifyInstance, context: HttpContext): void {
  let told = STARTING;
  let answer = answerOf(STARTING);
  app.get('/v0/health', { config: { access: 'public unless named' } }, async (request, reply) => {
    const status = await statusOf(context, request);
    if (!isSame(status, told)) {
      told = status;
      answer = answerOf(status);
    }
    if (status.status !== 'ok') reply.code(503).header('retry-after', '1');
    return reply.header('content-type', 'application/json').send(answer);
  });
}

/**
 * Returns the status of the namespace that the request is about; its `status` is `starting` or `stopping` in those
 * phases of the server.
 */
export async function statusOf(context: HttpContext, request: FastifyRequest): Promise<EngineStatus> {
  const status = (await context.namespaces()?.statusOf(wantedBy(request), request.caller, senderOf(request))) ?? STARTING;
  return context.phase() === 'stopping' ? { ...status, status: 'stopping' } : status;
}

function answerOf({ status, namespace, manifestVersion, epoch, role }: EngineStatus): Buffer {
  return Buffer.from(JSON.stringify({ status, namespace, manifest_version: manifestVersion, epoch, role }));
}

function isSame(one: EngineStatus, other: EngineStatus): boolean {
  return (
    one.status === other.status &&
    one.namespace === other.namespace &&
    one.manifestVersion === other.manifestVersion &&
    one.epoch === other.epoch &&
    one.role === other.role
  );
}
