/**
 * Endless loops, planted by preload/planted-loop.ts. On the main thread: the watchdog ends the process with its own
 * status, a supervisor starts it again, and all that was answered is there. In a worker: the statement is answered
 * QUERY_TIMEOUT in time and the next one is answered.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { launchServer } from '../server/launched-server.ts';
import { type Answer, ask, jsonRequest } from './client.ts';
import { ANSWER_SLACK_MS, PATIENCE_MS } from './limits.ts';
import { machineFactor } from './machine.ts';
import { type Supervised, supervise } from './supervisor.ts';

const PLANTED_LOOP = pathToFileURL(join(import.meta.dirname, 'preload/planted-loop.ts')).href;
const TIMEOUT_MS = 1_000;
const WATCHDOG_MS = 2_000;
/** The exit status of a process that its watchdog ended. */
const WATCHDOG_STATUS = 70;
const WRITERS = 4;
/** For the loop to be reached, the watchdog to look, and the supervisor to see it. */
const ENDS_WITHIN_MS = WATCHDOG_MS + 3_000;

/** Asks a value whose type the compiler does not know: of two texts no operator is asked. */
const MAIN_LOOP = "CREATE (:Planted) WITH [$text, 1] AS values RETURN values[0] CONTAINS 'x' AS x";
/** Leaves the main thread for its many rows before it asks. */
const WORKER_LOOP = 'UNWIND range(1, 300000) AS i WITH i WHERE $text CONTAINS toString(i) RETURN count(*) AS n';

type Log = (line: string) => void;

/** Returns the faults, a sentence each. */
export async function checkLoops(log: Log): Promise<string[]> {
  return [...(await workerLoop(log)), ...(await mainLoop(log))];
}

async function workerLoop(log: Log): Promise<string[]> {
  const limits = ['--query-timeout', `${TIMEOUT_MS}ms`, '--read-workers', '2'];
  const server = await launchServer(['--store', 'memory://planted', ...limits], { env: { NODE_OPTIONS: `--import=${PLANTED_LOOP}` } });
  const faults: string[] = [];
  try {
    for (let i = 0; i < 3; i++) {
      const looped = await ask(server.url, jsonRequest(WORKER_LOOP, { text: 'loop in a worker' }), TIMEOUT_MS + PATIENCE_MS);
      log(`a loop in a worker: ${shown(looped)}`);
      if (looped.outcome !== 'QUERY_TIMEOUT') faults.push(`a loop in a worker is answered ${shown(looped)} instead of QUERY_TIMEOUT`);
      if (looped.milliseconds > TIMEOUT_MS + ANSWER_SLACK_MS * (await machineFactor(server.child.pid!)))
        faults.push(`a loop in a worker is answered late: ${shown(looped)}`);
      const next = await ask(server.url, jsonRequest(WORKER_LOOP, { text: 'no loop' }), PATIENCE_MS);
      log(`the next statement: ${shown(next)}`);
      if (next.outcome !== 'ok') faults.push(`behind a loop in a worker the next statement is answered ${shown(next)}`);
    }
  } finally {
    await server.end('SIGKILL');
  }
  return faults;
}

async function mainLoop(log: Log): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'graphdb-stop-watchdog-'));
  const limits = ['--query-timeout', `${TIMEOUT_MS}ms`, '--read-workers', '2', '--watchdog', `${WATCHDOG_MS}ms`];
  const env = { NODE_OPTIONS: `--import=${PLANTED_LOOP}` };
  try {
    await using server = await supervise(['--store', `file://${folder}?ns=planted`, ...limits], env, WATCHDOG_STATUS);
    return await loopWhileWriting(server, log);
  } catch (error) {
    return [`a loop on the main thread: ${error instanceof Error ? error.message : String(error)}`];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function loopWhileWriting(server: Supervised, log: Log): Promise<string[]> {
  const faults: string[] = [];
  const answered: number[] = [];
  let nextKey = 0;
  let isOver = false;
  const write = async (): Promise<void> => {
    while (!isOver) {
      const key = nextKey++;
      const { outcome } = await ask(server.url, jsonRequest('CREATE (:Entry {key: $key})', { key }), PATIENCE_MS);
      if (outcome === 'ok') answered.push(key);
      else return;
    }
  };
  const writers = Array.from({ length: WRITERS }, write);
  while (answered.length < 50) await ask(server.url, jsonRequest('RETURN 1', {}), PATIENCE_MS);
  const first = server.pid;
  const start = performance.now();
  const loop = ask(server.url, jsonRequest(MAIN_LOOP, { text: 'loop in the main thread' }), ENDS_WITHIN_MS);
  const status = await server.ended(ENDS_WITHIN_MS);
  log(`a loop on the main thread: the process ended with ${status} after ${(performance.now() - start).toFixed(0)} ms`);
  isOver = true;
  if (status !== WATCHDOG_STATUS) faults.push(`a loop on the main thread: the process ended with ${status} instead of ${WATCHDOG_STATUS}`);
  await server.serving();
  await Promise.all([...writers, loop]);
  log(`the supervisor replaced process ${first} by ${server.pid}`);
  const lost = await missing(server.url, answered);
  log(`${answered.length} writes were answered, ${lost} of them are lost`);
  if (lost > 0) faults.push(`${lost} of ${answered.length} answered writes are lost`);
  const planted = await ask(server.url, jsonRequest('MATCH (p:Planted) RETURN 1 / (1 - count(p)) AS x', {}), PATIENCE_MS);
  if (planted.outcome !== 'ok') faults.push('the write that looped, which nobody was answered, is there');
  return faults;
}

async function missing(url: string, keys: readonly number[]): Promise<number> {
  const response = await fetch(`${url}/v0/cypher`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: 'MATCH (e:Entry) RETURN e.key AS key' }),
  });
  const { rows } = (await response.json()) as { rows: { key: number }[] };
  const there = new Set(rows.map(({ key }) => key));
  return keys.filter((key) => !there.has(key)).length;
}

function shown({ outcome, milliseconds }: Answer): string {
  return `${outcome} after ${milliseconds.toFixed(0)} ms`;
}
