/**
 * A thread that looks at a server while another sends it statements: GET /v0/health each 10 ms over a connection of its
 * own, and the resident memory of the process as often. It shares its event loop with nobody, so what it measures is
 * the server. While an answer is late the looks that would have been taken meanwhile count too, each with the time that
 * was left to wait.
 */
import { connect, type Socket } from 'node:net';
import { parentPort } from 'node:worker_threads';
import { residentMiB } from './resident-memory.ts';

/** Starts a measurement, or ends it and asks for what was seen. */
export type ToProber = { readonly kind: 'watch'; readonly port: number; readonly pid: number } | { readonly kind: 'report' };

export interface ProberReport {
  /** Ascending, in milliseconds. */
  readonly healthMs: readonly number[];
  readonly startMiB: number;
  readonly highestMiB: number;
  /** How late this thread, which does next to nothing, was woken at worst: what the machine was too busy for, whatever the server did. */
  readonly machineMs: number;
}

const PERIOD_MS = 10;
const REQUEST = 'GET /v0/health HTTP/1.1\r\nhost: localhost\r\n\r\n';

class Watch {
  readonly #socket: Socket;
  readonly #pid: number;
  readonly #latencies: number[] = [];
  readonly #startMiB: number;
  readonly #timer: NodeJS.Timeout;
  #highestMiB: number;
  /** When the request under way was sent; null: none is. */
  #sent: number | null = null;
  #isOver = false;
  #machineMs = 0;
  #lookedAt = performance.now();

  constructor(port: number, pid: number) {
    this.#pid = pid;
    this.#startMiB = residentMiB(pid);
    this.#highestMiB = this.#startMiB;
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true });
    this.#socket.on('data', () => this.#answered());
    this.#socket.on('error', () => this.#socket.destroy());
    this.#timer = setInterval(() => this.#look(), PERIOD_MS);
    this.#look();
  }

  report(): ProberReport {
    this.#isOver = true;
    clearInterval(this.#timer);
    if (this.#sent !== null && !this.#socket.destroyed) this.#count(performance.now() - this.#sent);
    this.#socket.destroy();
    return {
      healthMs: this.#latencies.sort((a, b) => a - b),
      startMiB: this.#startMiB,
      highestMiB: this.#highestMiB,
      machineMs: this.#machineMs,
    };
  }

  #look(): void {
    const now = performance.now();
    this.#machineMs = Math.max(this.#machineMs, now - this.#lookedAt - PERIOD_MS);
    this.#lookedAt = now;
    this.#highestMiB = Math.max(this.#highestMiB, residentMiB(this.#pid));
    if (this.#sent !== null || this.#isOver || this.#socket.destroyed) return;
    this.#sent = performance.now();
    this.#socket.write(REQUEST);
  }

  #answered(): void {
    if (this.#sent === null) return;
    this.#count(performance.now() - this.#sent);
    this.#sent = null;
  }

  #count(latency: number): void {
    for (let left = latency; left > 0; left -= PERIOD_MS) {
      this.#latencies.push(left);
      if (left <= PERIOD_MS) break;
    }
  }
}

let watch: Watch | null = null;
parentPort?.on('message', (message: ToProber) => {
  if (message.kind === 'watch') watch = new Watch(message.port, message.pid);
  else if (watch !== null) parentPort?.postMessage(watch.report());
});
