/**
 * Writes answers to the connection directly, past Fastify: the heads of all of them, and short texts as a whole. A header
 * that an endpoint adds to such an answer is set on the response itself.
 */
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { HttpContext } from './context.ts';

/** The header with the id of a request, in the request and in its answer. */
export const REQUEST_ID_HEADER = 'x-request-id';

/** Returns the headers that every answer has. */
export function headersOfAnswer(context: HttpContext, { id }: FastifyRequest, { shouldKeepAlive }: ServerResponse): Record<string, string> {
  if (context.phase() === 'stopping') return { [REQUEST_ID_HEADER]: id, connection: 'close' };
  if (!shouldKeepAlive) return { [REQUEST_ID_HEADER]: id };
  // A client that is not told leaves a connection idle for a few seconds only.
  return { [REQUEST_ID_HEADER]: id, 'keep-alive': `timeout=${Math.trunc(context.idleLimitMs / 1_000)}` };
}

/** Sends status 200, these headers, and those that every answer has. Fastify has nothing to do with the answer any more. */
export function beginAnswer(context: HttpContext, reply: FastifyReply, headers: OutgoingHttpHeaders): ServerResponse {
  const { raw, request } = reply;
  reply.hijack();
  return raw.writeHead(200, Object.assign(headersOfAnswer(context, request, raw), headers));
}

/** Answers with a text. It is written as a string, which leaves with the head in one write, where bytes would take two. */
export function sendText(context: HttpContext, reply: FastifyReply, { contentType, text }: { contentType: string; text: string }): void {
  beginAnswer(context, reply, { 'content-type': contentType, 'content-length': Buffer.byteLength(text) }).end(text);
}
