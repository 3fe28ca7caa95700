/** A server in a process of its own, on a free loopback port. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

export interface ServerCommand {
  readonly program: string;
  readonly parameters: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

export interface RunningServer {
  readonly port: number;
  stop(): Promise<void>;
}

const START_TIMEOUT_MS = 30_000;

export async function startServer(command: (port: number) => ServerCommand): Promise<RunningServer> {
  const port = await freePort();
  const { program, parameters, environment } = command(port);
  const child = spawn(program, parameters, { env: { ...process.env, ...environment }, stdio: ['ignore', 'ignore', 'pipe'] });
  let complaints = '';
  child.stderr.on('data', (chunk) => {
    complaints = (complaints + String(chunk)).slice(-4_000);
  });
  const exit = once(child, 'exit');
  const stop = async (): Promise<void> => {
    child.kill();
    await exit;
  };
  const deadlineMs = Date.now() + START_TIMEOUT_MS;
  while (!(await accepts(port))) {
    if (hasEnded(child) || Date.now() > deadlineMs) {
      if (!hasEnded(child)) await stop();
      throw new Error(`${program} did not start: ${complaints}`);
    }
    await delay(50);
  }
  return { port, stop };
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no free port');
  return address.port;
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
