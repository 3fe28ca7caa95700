/**
 * Clients that ask at a steady pace. A time counts from when the request was due, not from when it could be sent, so
 * that a pause of the server is felt by all requests that were due in it.
 */
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Pace {
  readonly url: string;
  readonly clients: number;
  /** Requests of each client per second. */
  readonly perSecond: number;
  /** The body of the n-th request. */
  readonly body: (n: number) => string;
  readonly until: AbortSignal;
}

export interface PaceResult {
  readonly timesMs: number[];
  /** Answers of the server other than 200. */
  readonly failures: string[];
}

export async function askAtPace({ url, clients, perSecond, body, until }: Pace): Promise<PaceResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  const timesMs: number[] = [];
  const failures: string[] = [];
  const gapMs = 1_000 / perSecond;
  const start = performance.now();
  let sent = 0;
  const client = async (index: number): Promise<void> => {
    for (let turn = 0; !until.aborted; turn++) {
      const due = start + (turn + index / clients) * gapMs;
      const early = due - performance.now();
      if (early > 0) await sleep(early);
      const { status, text } = await post(agent, `${url}/v0/cypher`, body(sent++));
      timesMs.push(performance.now() - due);
      if (status !== 200) failures.push(text);
    }
  };
  await Promise.all(Array.from({ length: clients }, (_, index) => client(index)));
  agent.destroy();
  return { timesMs, failures };
}

/** The n-th of a hundred parts. */
export function percentile(times: readonly number[], share: number): number {
  const sorted = [...times].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * share) / 100))] ?? 0;
}

export function post(agent: Agent | undefined, url: string, body: string): Promise<{ status: number; text: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; text: string }>();
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  const sending = request(url, { method: 'POST', headers, ...(agent === undefined ? {} : { agent }) }, (answer) => {
    let text = '';
    answer.setEncoding('utf8').on('data', (piece: string) => {
      text += piece;
    });
    answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }));
    answer.on('error', reject);
  });
  sending.on('error', reject);
  sending.end(body);
  return promise;
}
