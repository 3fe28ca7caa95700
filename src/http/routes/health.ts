/**
 * GET /v0/health: whether reads can be served, and from where in the history of the default namespace. Public. With the
 * name of a namespace before it, the same of that one, for those who may see it. The engine says what a read would
 * find: it looks at the bucket once a second while it is asked, beside the answers, and before one where the last look
 * is older than three seconds. The answer is made anew only where it has changed.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { EngineStatus } from '../../engine/index.ts';
import { type HttpContext, wantedBy } from '../context.ts';

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

/** The status of the namespace that the request is about, and whether the server is starting or stopping. */
export async function statusOf(context: HttpContext, request: FastifyRequest): Promise<EngineStatus> {
  const status = (await context.namespaces()?.statusOf(wantedBy(request), request.caller)) ?? STARTING;
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
