/**
 * The tools of the tests of the contract. They know the server only as its users do: the program, its flags and
 * variables, bytes on connections, its log, its exit status. Each row of the contract (settings, endpoints, codes,
 * values) has a test of its name.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type IncomingHttpHeaders, request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after } from 'node:test';
import { cleanEnvironment, type LaunchedServer, type LaunchOptions, launchServer } from '../server/launched-server.ts';
import { freePort } from '../support/free-port.ts';
import { SERVER } from '../support/programs.ts';

/** The body of an answer: of results, of errors, of health. */
export interface Body {
  readonly columns: string[];
  readonly rows: Record<string, unknown>[];
  readonly write_outcome?: Record<string, number>;
  readonly error: string;
  readonly code: string;
  readonly line?: number;
  readonly column?: number;
  readonly status: string;
  readonly namespace: string;
  readonly role: string;
  readonly epoch: number;
  readonly manifest_version: number;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** Empty unless the body is JSON. */
  readonly json: Body;
}

export interface Sent {
  readonly headers?: Readonly<Record<string, string>>;
  /** Text as it is; anything else as JSON, with its type. */
  readonly body?: unknown;
}

/** The folder of a store for a file of tests; gone after them. */
export function temporaryStore(namespace = 'contract'): string {
  const folder = mkdtempSync(join(tmpdir(), 'graphdb-contract-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  return `file://${folder}?ns=${namespace}`;
}

/** A server for a file of tests; ended after them. */
export async function serve(args: readonly string[], options: LaunchOptions = {}): Promise<LaunchedServer> {
  const server = await launchServer(args, options);
  after(() => server.child.kill('SIGKILL'));
  return server;
}

/** The program as it starts, at an address that is known before it serves; ended after the tests of a file. */
export async function serveLater(args: readonly string[], env: Readonly<Record<string, string>>): Promise<{ readonly url: string }> {
  const address = `127.0.0.1:${await freePort()}`;
  const child = spawn(SERVER, ['--listen', address, ...args], { env: cleanEnvironment(env), stdio: 'ignore' });
  after(() => child.kill('SIGKILL'));
  const server = { url: `http://${address}` };
  const isThere = () =>
    ask(server, 'GET', '/v0/version').then(
      () => true,
      () => false,
    );
  await until('the port is taken', isThere);
  return server;
}

/** The program to its end. */
export async function runToEnd(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<{ status: number; stdout: string; stderr: string }> {
  const child = spawn(SERVER, args, { env: cleanEnvironment(env), timeout: 60_000 });
  const [stdout, stderr, [status]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { status, stdout, stderr };
}

export async function ask({ url }: { readonly url: string }, method: string, path: string, sent: Sent = {}): Promise<Answer> {
  const isText = sent.body === undefined || typeof sent.body === 'string';
  const body = isText ? (sent.body as string | undefined) : JSON.stringify(sent.body); // as: see isText
  const headers = { ...(isText ? {} : { 'content-type': 'application/json' }), ...sent.headers };
  const asked = request(url + path, { method, agent: false, headers });
  asked.end(body);
  const [response] = await once(asked, 'response');
  const answered = await text(response);
  const isJson = response.headers['content-type'] === 'application/json' && answered !== '';
  return { status: response.statusCode, headers: response.headers, body: answered, json: isJson ? JSON.parse(answered) : {} };
}

export function cypher(server: { readonly url: string }, query: string, params?: unknown): Promise<Answer> {
  return ask(server, 'POST', '/v0/cypher', { body: params === undefined ? { query } : { query, params } });
}

/** These bytes, and all that comes back until the server closes the connection. */
export async function sendBytes({ url }: { readonly url: string }, bytes: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.write(bytes);
  return text(socket);
}

/** Reads a metric without labels, or with those of the name. */
export async function metric(server: { readonly url: string }, name: string): Promise<number> {
  const { body } = await ask(server, 'GET', '/v0/metrics');
  const line = body.split('\n').find((one) => one.startsWith(`${name} `));
  return line === undefined ? Number.NaN : Number(line.slice(name.length + 1));
}

/** Looks again until it holds. */
export async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 30_000;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`not within 30 s: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
