/**
 * Fuzzing of the HTTP surface: a real engine in memory, the whole of HTTP but the network, random requests from a seed. No answer may be a
 * 500, none may be silent, and each error must have the shape of errors.
 */

import { accessToken, identifyBy, silentLogger } from '../../src/base/index.ts';
import { openEngine } from '../../src/engine/index.ts';
import { createHttpServer, type HttpServer } from '../../src/http/index.ts';
import { oneNamespace } from '../../src/namespaces/index.ts';
import { createMetrics } from '../../src/server/metrics.ts';
import { applyPolicy } from '../../src/server/statement-policy.ts';
import { seededRandom } from '../support/random.ts';
import { type FuzzRequest, randomRequest } from './requests.ts';

export interface FuzzReport {
  /** Answers by status. */
  readonly statuses: ReadonlyMap<number, number>;
  /** Requests that were answered as none may be, with the answer. */
  readonly faults: readonly string[];
}

const MAX_REQUEST_BYTES = 20_000;

export async function fuzzHttp(options: { seed: number; requests: number }): Promise<FuzzReport> {
  const random = seededRandom(options.seed);
  const opened = await openEngine(`memory://http-fuzz-${options.seed}`, { flushIntervalMs: 0 });
  const policy = { timeoutMs: 5_000, memoryBytes: 64 * 1024 ** 2, slowMs: 0, logger: silentLogger };
  const engine = createMetrics().measureEngine(applyPolicy(opened, policy), { protocol: 'http', namespace: 'default' });
  const server = await createHttpServer({
    version: 'x',
    logger: silentLogger,
    maxRequestBytes: MAX_REQUEST_BYTES,
    identify: identifyBy(() => [accessToken('token', 'write')]),
  });
  server.serve(oneNamespace(engine));
  const statuses = new Map<number, number>();
  const faults: string[] = [];
  for (let i = 0; i < options.requests; i++) {
    const request = randomRequest(random);
    const { status, fault } = await send(server, request);
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    if (fault !== undefined) faults.push(`${fault}\n  ${describe(request)}`);
  }
  if ('polluted' in {}) faults.push('Object.prototype was changed');
  await server.stop({ graceMs: 0 });
  await opened.close();
  return { statuses, faults };
}

async function send(server: HttpServer, request: FuzzRequest): Promise<{ status: number; fault?: string }> {
  const { method, path, headers, body } = request;
  try {
    const reply = await server.inject({ method: method as 'POST', url: path, headers, ...(body === undefined ? {} : { payload: body }) });
    const status = reply.statusCode;
    if (status >= 500) return { status, fault: `${status}: ${reply.body.slice(0, 500)}` };
    if (status >= 400 && method !== 'HEAD' && !isError(reply.body)) return { status, fault: `${status} with ${reply.body.slice(0, 500)}` };
    if (reply.body.includes('"code":"INTERNAL"')) return { status, fault: reply.body.slice(-500) };
    return { status };
  } catch (error) {
    const isBrokenOff = error instanceof Error && 'code' in error && error.code === 'LIGHT_ECONNRESET';
    // An Arrow stream that fails after its schema cannot say so otherwise.
    return isBrokenOff && path.startsWith('/v0/cypher/arrow') ? { status: 0 } : { status: 0, fault: String(error) };
  }
}

function isError(body: string): boolean {
  const { error, code } = JSON.parse(body) as { error?: unknown; code?: unknown };
  return typeof error === 'string' && typeof code === 'string';
}

function describe({ method, path, headers, body }: FuzzRequest): string {
  return `${method} ${path} ${JSON.stringify(headers)} ${JSON.stringify(String(body)).slice(0, 2_000)}`;
}
