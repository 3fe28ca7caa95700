/**
 * The public keys of JWTs, from a URL or a file (JWKS). They are fetched when they are first needed, and again in the
 * background when they are older than a minute; for a key that is not known, at most once a minute. If a set cannot be
 * fetched, the former one stays in force.
 */
import { readFile } from 'node:fs/promises';
import { createLocalJWKSet, type JSONWebKeySet } from 'jose';
import { abortAfter, type Clock, GraphDBError, type Logger } from '../../base/index.ts';

const REFRESH_MS = 60_000;
const FETCH_MS = 5_000;
const MOST_BYTES = 1024 * 1024;

type Keys = ReturnType<typeof createLocalJWKSet>;

/** The public keys of JWTs. */
export class KeySet {
  readonly #source: string;
  readonly #clock: Clock;
  readonly #logger: Logger;
  #keys: Keys | null = null;
  #text = '';
  #generation = 0;
  #askedAtMs = Number.NEGATIVE_INFINITY;
  #asking: Promise<void> | null = null;

  constructor(source: string, { clock, logger }: { readonly clock: Clock; readonly logger: Logger }) {
    this.#source = source;
    this.#clock = clock;
    this.#logger = logger;
  }

  /** A number that changes when other keys are in force. Reading it has the keys fetched again if they are older than a minute. */
  get generation(): number {
    if (this.#isOld()) void this.#ask();
    return this.#generation;
  }

  /** Returns the keys in force; null if there have never been any. */
  async keys(): Promise<Keys | null> {
    if (this.#keys === null && this.#isOld()) await this.#ask();
    else await this.#asking;
    return this.#keys;
  }

  /** Returns the keys after fetching them again; null if the last fetch was less than a minute ago. */
  async newerKeys(): Promise<Keys | null> {
    if (!this.#isOld()) return null;
    await this.#ask();
    return this.#keys;
  }

  #isOld(): boolean {
    return this.#clock.now() - this.#askedAtMs >= REFRESH_MS;
  }

  #ask(): Promise<void> {
    this.#asking ??= this.#askNow().finally(() => {
      this.#asking = null;
    });
    return this.#asking;
  }

  async #askNow(): Promise<void> {
    this.#askedAtMs = this.#clock.now();
    try {
      const text = await fetchText(this.#source);
      if (text === this.#text) return;
      this.#keys = createLocalJWKSet(JSON.parse(text) as JSONWebKeySet); // as: it is checked there
      this.#text = text;
      this.#generation++;
    } catch (error) {
      this.#logger.error({ error, source: this.#source }, 'the keys of JWTs cannot be read; those that were read last stay in force');
    }
  }
}

async function fetchText(source: string): Promise<string> {
  if (!/^https?:/i.test(source)) return readFile(source, 'utf8');
  const response = await fetch(source, { signal: abortAfter(FETCH_MS), headers: { accept: 'application/json' }, redirect: 'error' });
  if (!response.ok) throw new GraphDBError('STORE_UNAVAILABLE', `${source} answers ${response.status}`);
  let text = '';
  const decoder = new TextDecoder();
  for await (const piece of response.body ?? []) {
    text += decoder.decode(piece as Uint8Array, { stream: true }); // as: a body gives bytes
    if (text.length > MOST_BYTES) throw new GraphDBError('PAYLOAD_TOO_LARGE', `${source} answers more than ${MOST_BYTES} bytes`);
  }
  return text + decoder.decode();
}
