/** One statement over HTTP whose answer is counted and not decoded: the client must not be what is slow. */
import { request } from 'node:http';
import type { Protocol } from './shapes/index.ts';

export interface Answer {
  /** 0: the connection ended without one. */
  readonly status: number;
  /** `ok`, a code of errors, `stuck` when patience ended, `no answer` when the connection did. */
  readonly outcome: string;
  /** From the last byte of the request to the last byte of the answer. */
  readonly milliseconds: number;
  readonly bytes: number;
}

/** A message that is sent: the body of a request, or messages of Bolt. */
export interface Statement {
  readonly over: Protocol;
  readonly body: Buffer;
}

const PATHS: Readonly<Record<Exclude<Protocol, 'bolt'>, string>> = {
  json: '/v0/cypher',
  ndjson: '/v0/cypher/stream',
  arrow: '/v0/cypher/arrow',
};
const KEPT_BYTES = 4096;

export function ask(url: string, { over, body }: Statement, patienceMs: number): Promise<Answer> {
  return new Promise((resolve) => {
    let start = performance.now();
    let status = 0;
    let bytes = 0;
    let head = '';
    const finish = (outcome: string): void => {
      clearTimeout(timer);
      resolve({ status, outcome, milliseconds: performance.now() - start, bytes });
    };
    const sent = request(`${url}${PATHS[over as Exclude<Protocol, 'bolt'>]}`, {
      method: 'POST',
      agent: false,
      headers: { 'content-type': 'application/json', 'content-length': body.length },
    });
    const timer = setTimeout(() => {
      finish('stuck');
      sent.destroy();
    }, patienceMs);
    sent.on('finish', () => {
      start = performance.now();
    });
    sent.on('error', () => finish('no answer'));
    sent.on('response', (response) => {
      status = response.statusCode ?? 0;
      response.on('data', (part: Buffer) => {
        bytes += part.length;
        if (head.length < KEPT_BYTES) head += part.toString('latin1', 0, KEPT_BYTES);
      });
      response.on('error', () => finish('no answer'));
      response.on('end', () => finish(status === 200 ? 'ok' : (/"code":"([A-Z_]+)"/.exec(head)?.[1] ?? `status ${status}`)));
    });
    sent.end(body);
  });
}

/** The request of a statement over HTTP, answered as JSON. */
export function jsonRequest(query: string, params: Readonly<Record<string, unknown>>): Statement {
  return { over: 'json', body: Buffer.from(JSON.stringify({ query, params })) };
}
