/** Answers that are written to the connection past Fastify: what their heads have, and the shortest of them. */
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';
import type { HttpContext } from './context.ts';

/** The id of a request, in it and in its answer. */
export const REQUEST_ID_HEADER = 'x-request-id';

/** Sends status 200, the headers that the reply was given, and these. The answer is no longer Fastify's. */
export function beginAnswer(context: HttpContext, reply: FastifyReply, headers: OutgoingHttpHeaders): ServerResponse {
  reply.hijack();
  const all: OutgoingHttpHeaders = { ...(reply.getHeaders() as OutgoingHttpHeaders), ...headers }; // as: headers of an answer
  all[REQUEST_ID_HEADER] = reply.request.id;
  if (context.phase() === 'stopping') all.connection = 'close';
  return reply.raw.writeHead(200, all);
}

/** Answers with a text. Its head and a string leave in one write, where bytes would take two. */
export function sendText(context: HttpContext, reply: FastifyReply, { contentType, text }: { contentType: string; text: string }): void {
  beginAnswer(context, reply, { 'content-type': contentType, 'content-length': Buffer.byteLength(text) }).end(text);
}
