/** The answer to bytes that are no HTTP request, or came too slowly: the usual error shape, and the end of the connection. */
import type { Socket } from 'node:net';
import { GraphDBError } from '../base/index.ts';
import { errorAnswer } from './errors.ts';

export function rejectMalformedRequest(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const { body } = errorAnswer(new GraphDBError('BAD_REQUEST', messageFor(error.code)));
  const head = ['HTTP/1.1 400 Bad Request', 'content-type: application/json', `content-length: ${body.byteLength}`, 'connection: close'];
  socket.end(Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body]));
}

function messageFor(code: string | undefined): string {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'the request took too long to arrive';
  if (code === 'HPE_HEADER_OVERFLOW') return 'the headers of the request are too large';
  return 'this is not an HTTP/1.1 request';
}
