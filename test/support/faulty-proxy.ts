/**
 * An HTTP proxy before a store on this machine, which makes it as slow as a distant one and as silent as a bad one: a
 * request takes a latency of its own, and of some nothing is ever heard. Of these one half was never made, the other
 * half was.
 */
import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from './random.ts';

export interface ProxyOptions {
  /** The port of the server behind it, on this machine. */
  readonly port: number;
  /** Half of it passes before a request is made, half before its answer. */
  readonly latencyMs: number;
  readonly random: Random;
}

export class FaultyProxy {
  /** The share of requests, 0 to 1, that are never answered. */
  silentRate = 0;
  requests = 0;
  neverMade = 0;
  answersLost = 0;
  readonly #options: ProxyOptions;
  readonly #agent = new Agent({ keepAlive: true });
  readonly #server: Server;

  private constructor(options: ProxyOptions) {
    this.#options = options;
    this.#server = createServer((incoming, answer) => {
      this.#pass(incoming, answer).catch(() => answer.destroy());
    });
  }

  static async start(options: ProxyOptions): Promise<FaultyProxy> {
    const proxy = new FaultyProxy(options);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port; // as: it listens on a port
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
    this.#agent.destroy();
  }

  async #pass(incoming: IncomingMessage, answer: ServerResponse): Promise<void> {
    const { port, latencyMs, random } = this.#options;
    this.requests++;
    const isSilent = random.chance(this.silentRate);
    const isMade = !isSilent || random.chance(0.5);
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer); // as: no encoding is set
    if (!isMade) {
      this.neverMade++;
      return;
    }
    await delay(latencyMs / 2);
    const { method, url, headers } = incoming;
    const onward = request({ host: '127.0.0.1', port, method, path: url, headers, agent: this.#agent });
    onward.end(Buffer.concat(chunks));
    const [reply] = (await once(onward, 'response')) as [IncomingMessage]; // as: what the event gives
    const body: Buffer[] = [];
    for await (const chunk of reply) body.push(chunk as Buffer); // as above
    if (isSilent) {
      this.answersLost++;
      return;
    }
    await delay(latencyMs / 2);
    answer.writeHead(reply.statusCode!, reply.rawHeaders);
    answer.end(Buffer.concat(body));
  }
}
