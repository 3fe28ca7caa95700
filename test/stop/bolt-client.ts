/** One statement over Bolt whose answer is counted and not decoded, as client.ts does over HTTP. */
import { ERROR_CODES } from '../../src/base/index.ts';
import { RawClient } from '../../src/bolt/raw-client.fixture.ts';
import type { Answer } from './client.ts';

const SUCCESS = 0x70;
const FAILURE = 0x7f;
const KEPT_BYTES = 4096;

/** @param messages RUN and PULL */
export async function askOverBolt(url: string, messages: Buffer, patienceMs: number): Promise<Answer> {
  const { socket } = await RawClient.ready(url);
  socket.removeAllListeners('data');
  return await new Promise((resolve) => {
    let start = performance.now();
    const counter = new AnswerCounter();
    const finish = (outcome: string): void => {
      clearTimeout(timer);
      resolve({ status: outcome === 'ok' ? 200 : 0, outcome, milliseconds: performance.now() - start, bytes: counter.bytes });
      socket.destroy();
    };
    const timer = setTimeout(() => finish('stuck'), patienceMs);
    socket.on('close', () => finish('no answer'));
    socket.on('data', (bytes) => {
      counter.take(bytes);
      if (counter.failure !== null) finish(codeOf(counter.failure));
      else if (counter.successes === 2) finish('ok');
    });
    socket.write(messages, () => {
      start = performance.now();
    });
  });
}

/** Follows the lengths of chunks and looks at the first bytes of each message. */
class AnswerCounter {
  bytes = 0;
  successes = 0;
  failure: string | null = null;
  /** Bytes of the chunk that are to come; 0: its length is. */
  #left = 0;
  /** The first byte of a length whose second is to come. */
  #high: number | null = null;
  #head = Buffer.alloc(0);

  take(bytes: Buffer): void {
    this.bytes += bytes.length;
    for (let at = 0; at < bytes.length; ) {
      if (this.#left > 0) {
        const taken = Math.min(this.#left, bytes.length - at);
        if (this.#head.length < KEPT_BYTES) this.#head = Buffer.concat([this.#head, bytes.subarray(at, at + Math.min(taken, KEPT_BYTES))]);
        this.#left -= taken;
        at += taken;
      } else if (this.#high === null) this.#high = bytes[at++]!;
      else {
        this.#left = this.#high * 256 + bytes[at++]!;
        this.#high = null;
        if (this.#left === 0) this.#endMessage();
      }
    }
  }

  #endMessage(): void {
    const tag = this.#head[1];
    if (tag === SUCCESS) this.successes++;
    else if (tag === FAILURE) this.failure = this.#head.toString('latin1');
    this.#head = Buffer.alloc(0);
  }
}

/** The code of errors that stands for the code of Neo4j in a failure. */
function codeOf(failure: string): string {
  const told = /Neo\.\w+\.\w+\.\w+/.exec(failure)?.[0];
  const known = Object.entries(ERROR_CODES).find(([, { neo4jCode }]) => neo4jCode === told);
  return known?.[0] ?? told ?? 'no code';
}
