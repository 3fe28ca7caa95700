/**
 * GET /v0/statements lists the transactions, and statements by themselves, that clients have open: the caller's own,
 * and those of others in namespaces that the caller governs. DELETE /v0/statements/<id> terminates one of them. With
 * /<namespace> in front both are about that namespace only, for callers that may see it.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { GraphDBError } from '../../base/index.ts';
import type { TransactionDescription, Transactions } from '../../engine/index.ts';
import { type HttpContext, requireNamespaces, senderOf, wantedBy } from '../context.ts';

/** Registers the endpoints of open statements. */
export function registerStatements(app: FastifyInstance, context: HttpContext, transactions: Transactions): void {
  const send = (reply: FastifyReply, answer: unknown) =>
    reply.header('content-type', 'application/json').send(Buffer.from(JSON.stringify(answer)));
  const listed = async (request: FastifyRequest): Promise<readonly TransactionDescription[]> => {
    const { namespace, caller } = request;
    if (namespace === null) return transactions.list(caller);
    await requireNamespaces(context).statusOf(wantedBy(request), caller, senderOf(request));
    return transactions.list(caller).filter((each) => each.namespace === namespace);
  };
  app.get('/v0/statements', async (request, reply) => send(reply, { statements: (await listed(request)).map(bodyOf) }));
  app.delete<{ Params: { id: string } }>('/v0/statements/:id', async (request, reply) => {
    const { id } = request.params;
    const isListed = (await listed(request)).some((each) => each.id === id);
    const [ended] = isListed ? transactions.terminate([id], request.caller) : [];
    if (ended === undefined || ended.username === null) throw new GraphDBError('NOT_FOUND', 'no statement of that id is running');
    return send(reply, { id, user: ended.username, status: 'terminated' });
  });
}

function bodyOf({
  id,
  namespace,
  username,
  protocol,
  clientAddress,
  startedAtMs,
  elapsedMs,
  terminated,
  statement,
}: TransactionDescription) {
  return {
    id,
    namespace,
    user: username,
    protocol,
    client_address: clientAddress,
    started_at: new Date(startedAtMs).toISOString(),
    elapsed_ms: elapsedMs,
    status: terminated === null ? 'running' : 'terminated',
    query: statement?.query ?? null,
  };
}
