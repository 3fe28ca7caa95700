/**
 * Keeps a server running, as systemd or an orchestrator does: one that ends with the status of the watchdog is started
 * again on the same port.
 */
import { once } from 'node:events';
import { type LaunchedServer, launchServer } from '../server/launched-server.ts';
import { freePort } from '../support/free-port.ts';

export interface Supervised extends AsyncDisposable {
  readonly url: string;
  /** The process that runs at present. */
  readonly pid: number;
  /** The status or signal that the running process ends with; one that has not ended in time is killed, which is told as SIGKILL. */
  ended(withinMs: number): Promise<number | NodeJS.Signals>;
  /** Resolves when a process serves behind the last end. */
  serving(): Promise<void>;
}

/**
 * @param restartsAt the exit status behind which it starts the server again; behind any other end it does so too when
 * asked for one that serves
 */
export async function supervise(args: readonly string[], env: Readonly<Record<string, string>>, restartsAt: number): Promise<Supervised> {
  const listen = `127.0.0.1:${await freePort()}`;
  const launch = (): Promise<LaunchedServer> => launchServer(args, { env, listen });
  let server = await launch();
  let next: Promise<LaunchedServer> | null = null;
  return {
    url: server.url,
    get pid() {
      return server.child.pid!;
    },
    async ended(withinMs) {
      const { child } = server;
      const timer = setTimeout(() => child.kill('SIGKILL'), withinMs);
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      clearTimeout(timer);
      const end = child.exitCode ?? child.signalCode ?? 'SIGKILL';
      if (end === restartsAt) next = launch();
      return end;
    },
    async serving() {
      server = await (next ?? launch());
    },
    async [Symbol.asyncDispose]() {
      await server.end('SIGKILL');
    },
  };
}
