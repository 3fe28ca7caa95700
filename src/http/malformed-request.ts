/**
 * Answers input that never becomes a request of the endpoints, on the connection itself: an error of the usual shape,
 * and the end of the connection.
 */
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { GraphDBError } from '../base/index.ts';
import { errorAnswer } from './errors.ts';

/** Answers bytes that are no HTTP request, or came too slowly. */
export function rejectMalformedRequest(error: Error & { code?: string }, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
  else endWith(socket, new GraphDBError('BAD_REQUEST', messageFor(error.code)));
}

/** Answers CONNECT, which asks for a tunnel to another server. */
export function rejectTunnel(_request: unknown, socket: Duplex): void {
  endWith(socket, new GraphDBError('METHOD_NOT_ALLOWED', 'this server is no proxy: it does not answer CONNECT'));
}

function endWith(socket: Duplex, error: GraphDBError): void {
  const { status, body } = errorAnswer(error);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'content-type: application/json',
    `content-length: ${body.byteLength}`,
    'connection: close',
  ];
  socket.on('error', () => socket.destroy());
  socket.end(Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body]));
}

function messageFor(code: string | undefined): string {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'the request took too long to arrive';
  if (code === 'HPE_HEADER_OVERFLOW') return 'the headers of the request are too large';
  return 'this is not an HTTP/1.1 request';
}
