/** Writes answers to the connection directly, past Fastify: the heads of all of them, and short texts as a whole. */
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';
import type { HttpContext } from './context.ts';

/** The header with the id of a request, in the request and in its answer. */
export const REQUEST_ID_HEADER = 'x-request-id';

/** Sends status 200, the headers of the reply, and these. Fastify has nothing to do with the answer any more. */
export function beginAnswer(context: HttpContext, reply: FastifyReply, headers: OutgoingHttpHeaders): ServerResponse {
  reply.hijack();
  const all: OutgoingHttpHeaders = { ...(reply.getHeaders() as OutgoingHttpHeaders), ...headers }; // as: headers of an answer
  all[REQUEST_ID_HEADER] = reply.request.id;
  if (context.phase() === 'stopping') all.connection = 'close';
  return reply.raw.writeHead(200, all);
}

/** Answers with a text. It is written as a string, which leaves with the head in one write, where bytes would take two. */
export function sendText(context: HttpContext, reply: FastifyReply, { contentType, text }: { contentType: string; text: string }): void {
  beginAnswer(context, reply, { 'content-type': contentType, 'content-length': Buffer.byteLength(text) }).end(text);
}
