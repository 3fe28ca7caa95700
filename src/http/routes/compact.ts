/**
 * POST /v0/admin/compact: merges SSTs now, then removes objects that are no longer needed and past their grace time.
 * The body of the request is ignored.
 */
import type { FastifyInstance } from 'fastify';
import { type HttpContext, holdNamespace } from '../context.ts';

/** Registers the endpoint that compacts. */
export function registerCompact(app: FastifyInstance, context: HttpContext): void {
  app.post('/v0/admin/compact', async (request, reply) => {
    const outcome = await (await holdNamespace(context, request, reply)).engine.compact();
    const answer = {
      ssts_written: outcome.sstsWritten,
      tables_merged: outcome.tablesMerged,
      ssts_removed: outcome.sstsRemoved,
      ssts_added: outcome.sstsAdded,
      rows_written: outcome.rowsWritten,
      objects_removed: outcome.objectsRemoved,
      bytes_removed: outcome.bytesRemoved,
      manifest_version: outcome.manifestVersion,
    };
    return reply.header('content-type', 'application/json').send(Buffer.from(JSON.stringify(answer)));
  });
}
