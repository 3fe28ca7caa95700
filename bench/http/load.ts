/** A client that keeps a number of connections busy: each sends its next request when its last one was answered. */
import { Agent, request } from 'node:http';

export interface Load {
  readonly url: string;
  readonly connections: number;
  readonly durationMs: number;
  /** The body of the n-th request. */
  readonly body: (n: number) => string;
}

export interface LoadResult {
  readonly perSecond: number;
  readonly medianMs: number;
  readonly p99Ms: number;
  /** Answers that were not 200. */
  readonly failures: number;
}

export async function runLoad(load: Load): Promise<LoadResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: load.connections });
  const times: number[] = [];
  let sent = 0;
  let failures = 0;
  const start = performance.now();
  const end = start + load.durationMs;
  const connection = async (): Promise<void> => {
    while (performance.now() < end) {
      const begun = performance.now();
      const status = await post(agent, load.url, load.body(sent++));
      times.push(performance.now() - begun);
      if (status !== 200) failures++;
    }
  };
  await Promise.all(Array.from({ length: load.connections }, connection));
  const seconds = (performance.now() - start) / 1_000;
  agent.destroy();
  times.sort((a, b) => a - b);
  const at = (share: number): number => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  return { perSecond: times.length / seconds, medianMs: at(0.5), p99Ms: at(0.99), failures };
}

function post(agent: Agent, url: string, body: string): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  const sending = request(`${url}/v0/cypher`, { method: 'POST', agent, headers }, (answer) => {
    answer.resume();
    answer.on('end', () => resolve(answer.statusCode ?? 0));
    answer.on('error', reject);
  });
  sending.on('error', reject);
  sending.end(body);
  return promise;
}
