/**
 * A proxy before a server on this machine that makes it as far away as a store in a cloud: each answer begins after a
 * time, and all of them share a bandwidth. It counts requests, bytes, and rounds: a request is one round behind the
 * deepest of those that had been answered when it came.
 */
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Traffic {
  readonly requests: number;
  readonly bytes: number;
  readonly rounds: number;
  /** The requests, as METHOD path range. */
  readonly log: readonly string[];
}

export interface SlowProxy {
  readonly port: number;
  /** Returns the traffic since the last call. */
  take(): Traffic;
  close(): Promise<void>;
}

export interface Distance {
  readonly firstByteMs: number;
  readonly bytesPerSecond: number;
}

export async function startSlowProxy(target: number, { firstByteMs, bytesPerSecond }: Distance): Promise<SlowProxy> {
  let requests = 0;
  let bytes = 0;
  let deepest = 0;
  let rounds = 0;
  let log: string[] = [];
  /** When the line is free again, in milliseconds. */
  let freeAt = 0;
  const server = createServer((incoming, outgoing) => {
    requests++;
    const depth = deepest + 1;
    rounds = Math.max(rounds, depth);
    log.push(`${incoming.method} ${incoming.url} ${incoming.headers.range ?? ''}`);
    const begin = sleep(firstByteMs);
    const onward = request(
      { port: target, host: '127.0.0.1', method: incoming.method, path: incoming.url, headers: incoming.headers },
      async (answer) => {
        const chunks: Buffer[] = [];
        for await (const chunk of answer) chunks.push(chunk as Buffer);
        const body = Buffer.concat(chunks);
        await begin;
        bytes += body.length;
        freeAt = Math.max(freeAt, performance.now()) + (body.length / bytesPerSecond) * 1_000;
        await sleep(Math.max(0, freeAt - performance.now()));
        outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
        outgoing.end(body);
        deepest = Math.max(deepest, depth);
      },
    );
    onward.on('error', () => outgoing.destroy());
    incoming.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    take() {
      const taken = { requests, bytes, rounds, log };
      [requests, bytes, deepest, rounds, log] = [0, 0, 0, 0, []];
      return taken;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
