/**
 * The public keys of JWTs, from a URL or a file (JWKS). They are fetched when they are first needed, and again when they
 * are needed or asked for their generation and are older than a minute; for a key that is not known, at most once a
 * minute. If a set cannot be fetched, the former one stays in force.
 */
import { readFile } from 'node:fs/promises';
import { createLocalJWKSet, type JSONWebKeySet } from 'jose';
import { abortAfter, type Clock, GraphDBError, type Logger } from '../../base/index.ts';

const REFRESH_MS = 60_000;
const FETCH_MS = 5_000;
const MOST_BYTES = 1024 * 1024;

type Keys = ReturnType<typeof createLocalJWKSet>;

/** The keys in force, and the generation that they belong to. */
export interface KeysInForce {
  readonly keys: Keys;
  readonly generation: number;
}

/** The public keys of JWTs. */
export class KeySet {
  readonly #source: string;
  readonly #clock: Clock;
  readonly #logger: Logger;
  #inForce: KeysInForce | null = null;
  #text = '';
  #askedAtMs = Number.NEGATIVE_INFINITY;
  #asking: Promise<void> | null = null;

  constructor(source: string, { clock, logger }: { readonly clock: Clock; readonly logger: Logger }) {
    this.#source = source;
    this.#clock = clock;
    this.#logger = logger;
  }

  /**
   * A number that changes when other keys are in force; 0 before there are any. Reading it has keys that are older than
   * a minute fetched again in the background.
   */
  get generation(): number {
    if (this.#isOld()) void this.#ask();
    return this.#inForce?.generation ?? 0;
  }

  /** Returns the keys in force, fetched again first if they are older than a minute; null if there have never been any. */
  async keys(): Promise<KeysInForce | null> {
    if (this.#isOld()) await this.#ask();
    else await this.#asking;
    return this.#inForce;
  }

  /** Returns the keys after fetching them again; null if the last fetch was less than a minute ago. */
  async newerKeys(): Promise<KeysInForce | null> {
    return this.#isOld() ? this.keys() : null;
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
      const keys = createLocalJWKSet(JSON.parse(text) as JSONWebKeySet); // as: it is checked there
      this.#inForce = { keys, generation: (this.#inForce?.generation ?? 0) + 1 };
      this.#text = text;
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
