/** An HTTP server on loopback that gives scripted answers, and records the requests that it gets. */

import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ScriptedAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** How the answer ends early: the connection breaks before or in it, or nothing comes, at all or after its beginning. */
  readonly end?: 'break-before' | 'break-after' | 'silent-before' | 'silent-after';
}

export interface ScriptedServer extends AsyncDisposable {
  readonly endpoint: string;
  /** Method and path of each request, such as `PUT /bucket/key`, in the order of arrival. */
  readonly requests: string[];
  readonly headers: IncomingMessage['headers'][];
  /** The answers to come; the last one is repeated for ever. */
  script: ScriptedAnswer[];
}

export async function startScriptedServer(): Promise<ScriptedServer> {
  const scripted = { endpoint: '', requests: [] as string[], headers: [] as IncomingMessage['headers'][], script: [] as ScriptedAnswer[] };
  const server = createServer(async (request, response) => {
    scripted.requests.push(`${request.method} ${request.url}`);
    scripted.headers.push(request.headers);
    const answer = scripted.script.length > 1 ? scripted.script.shift()! : scripted.script[0]!;
    if (answer.end !== 'break-before') for await (const _ of request);
    give(answer, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  scripted.endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // as: it listens on TCP
  return Object.assign(scripted, {
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  });
}

function give({ status, headers = {}, body = '', end }: ScriptedAnswer, response: ServerResponse): void {
  if (end === 'break-before') {
    response.destroy();
    return;
  }
  if (end === 'silent-before') return;
  response.writeHead(status, headers);
  if (end === undefined) response.end(body);
  else response.write(body, () => end === 'break-after' && response.destroy());
}
