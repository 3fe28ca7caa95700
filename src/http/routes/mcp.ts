/**
 * POST /mcp: the Model Context Protocol for agents, as streamable HTTP: each message is a request, answered by JSON. No
 * state is kept between requests, and no stream is offered (GET is 405). POST /<namespace>/mcp addresses that
 * namespace.
 *
 * A web page cannot use the endpoint through the browser of somebody whose server is open: without a token, only pages
 * of this machine are answered.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { GraphDBError, may } from '../../base/index.ts';
import { McpServer } from '../../mcp/index.ts';
import { type HttpContext, holdNamespace } from '../context.ts';

/** The most bytes of a message, which is read in one piece. */
const MAX_MESSAGE_BYTES = 1_024 * 1_024;

/** Registers the endpoint of the Model Context Protocol. */
export function registerMcp(app: FastifyInstance, context: HttpContext, { mayWrite }: { readonly mayWrite: boolean }): void {
  const bodyLimit = Math.min(app.initialConfig.bodyLimit ?? MAX_MESSAGE_BYTES, MAX_MESSAGE_BYTES);
  app.post('/mcp', { bodyLimit }, async (request, reply) => {
    checkOrigin(request);
    checkVersion(request);
    const { body, caller } = request;
    if (!(body instanceof Uint8Array)) throw new GraphDBError('BAD_REQUEST', 'the body must be a message of JSON-RPC');
    const text = Buffer.from(body.buffer, body.byteOffset, body.length).toString('utf8');
    const { engine } = await holdNamespace(context, request, reply);
    const server = new McpServer({ graph: engine, mayWrite: mayWrite && may(caller, 'write') });
    const answer = await context.running.run({ raw: reply.raw, caller }, (signal) => server.answer(text, signal));
    return answered(reply, answer);
  });
}

function answered(reply: FastifyReply, answer: string | null): FastifyReply {
  if (answer === null) return reply.code(202).send();
  return reply.header('content-type', 'application/json').send(Buffer.from(answer));
}

const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Checks the origin of a request without a token. @throws FORBIDDEN for a page of another machine. */
function checkOrigin({ headers: { origin, authorization } }: FastifyRequest): void {
  if (origin === undefined || authorization !== undefined) return;
  if (!URL.canParse(origin) || !LOOPBACK.has(new URL(origin).hostname)) {
    throw new GraphDBError('FORBIDDEN', 'pages of other machines need a token to speak with this server');
  }
}

function checkVersion({ headers }: FastifyRequest): void {
  const version = headers['mcp-protocol-version'];
  if (version !== undefined && !(typeof version === 'string' && McpServer.speaks(version))) {
    throw new GraphDBError(
      'BAD_REQUEST',
      `the header MCP-Protocol-Version names a version that is not spoken here: ${String(version).slice(0, 40)}`,
    );
  }
}
