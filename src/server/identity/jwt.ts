/**
 * Identifies callers by JWT. A JWT must be signed by a key of the set (RS256, ES256, EdDSA), come from the issuer, be
 * meant for the audience, have begun and not have expired; role and namespaces are claims. The reason of a refusal is
 * logged, and not told to the client.
 */
import { createHash } from 'node:crypto';
import { errors, type JWTPayload, jwtVerify } from 'jose';
import {
  type Caller,
  type Clock,
  GraphDBError,
  isNameOfNamespace,
  type Logger,
  LRUCache,
  type NamespaceScope,
  type Role,
} from '../../base/index.ts';
import { KeySet, type KeysInForce } from './key-set.ts';

/** The settings of JWTs. */
export interface JwtSettings {
  /** The URL or path of the set of keys. */
  readonly jwks: string;
  readonly issuer: string;
  readonly audience: string;
  readonly roleClaim: string;
  readonly namespacesClaim: string;
}

const ALGORITHMS = ['RS256', 'ES256', 'EdDSA'];
const MOST_CHARACTERS = 16 * 1024;
const MOST_NAMESPACES = 1_000;
/** Longest name of a caller in characters; a longer subject is cut in logs and lists. */
const LONGEST_NAME = 200;
const SHAPE = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*$/;
/** The most callers that are remembered: their JWTs are not verified again while the keys stay the same. */
const KNOWN_CALLERS = 1_000;
const ROLES: ReadonlyMap<unknown, Role> = new Map([
  ['reader', 'reader'],
  ['writer', 'writer'],
  ['admin', 'admin'],
]);

interface Verified {
  readonly payload: JWTPayload;
  /** The generation of the keys by which the JWT was verified. */
  readonly generation: number;
}

/** Returns whether the text may be a JWT; nothing else is verified. */
export function looksLikeJwt(text: string): boolean {
  return text.length <= MOST_CHARACTERS && SHAPE.test(text);
}

/** Verifies JWTs. */
export class JwtVerifier {
  readonly #settings: JwtSettings;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #keys: KeySet;
  readonly #known = new LRUCache<string, Caller>(KNOWN_CALLERS);

  constructor(settings: JwtSettings, { clock, logger }: { readonly clock: Clock; readonly logger: Logger }) {
    this.#settings = settings;
    this.#clock = clock;
    this.#logger = logger;
    this.#keys = new KeySet(settings.jwks, { clock, logger });
  }

  /** Returns the caller that a JWT identifies; undefined if it is refused. Never rejects. */
  async identify(token: string): Promise<Caller | undefined> {
    const digest = sha256(token);
    const keys = await this.#keys.keys();
    const known = this.#known.get(digest);
    if (known?.isValid() === true) return known;
    try {
      if (keys === null) throw new GraphDBError('STORE_UNAVAILABLE', 'there are no keys to verify with');
      const caller = this.#callerOf(await this.#verify(token, keys), digest);
      this.#known.set(digest, caller);
      return caller;
    } catch (error) {
      this.#known.delete(digest);
      this.#logger.info({ reason: reasonOf(error) }, 'a JWT is refused');
      return undefined;
    }
  }

  /** Verifies a JWT. Returns its claims with the generation of the keys that it was verified by, which may have gone meanwhile. */
  async #verify(token: string, { keys, generation }: KeysInForce): Promise<Verified> {
    const { issuer, audience } = this.#settings;
    const options = { algorithms: ALGORITHMS, issuer, audience, requiredClaims: ['exp'], currentDate: new Date(this.#clock.now()) };
    try {
      return { payload: (await jwtVerify(token, keys, options)).payload, generation };
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      const newer = await this.#keys.newerKeys();
      if (newer === null) throw error;
      return { payload: (await jwtVerify(token, newer.keys, options)).payload, generation: newer.generation };
    }
  }

  #callerOf({ payload, generation }: Verified, digest: string): Caller {
    const { roleClaim, namespacesClaim, issuer } = this.#settings;
    const role = ROLES.get(payload[roleClaim]);
    if (role === undefined) throw new GraphDBError('UNAUTHORIZED', `the claim ${roleClaim} is not reader, writer or admin`);
    const namespaces = scopeOf(payload[namespacesClaim]);
    if (namespaces === null) throw new GraphDBError('UNAUTHORIZED', `the claim ${namespacesClaim} is no list of namespaces, nor "*"`);
    const expiresAtMs = payload.exp! * 1_000;
    return {
      name: String(payload.sub ?? payload['client_id'] ?? 'JWT without a subject').slice(0, LONGEST_NAME),
      id: `${issuer} ${subjectOf(payload, digest)}`,
      role,
      namespaces,
      isValid: () => this.#clock.now() < expiresAtMs && this.#keys.generation === generation,
    };
  }
}

/**
 * Returns the key of the subject of a JWT, the same for all JWTs of that subject and for no other: callers that share one
 * see and end each other's statements. A JWT that names neither a subject nor a client is a caller of its own.
 */
function subjectOf({ sub, client_id: client }: JWTPayload, digest: string): string {
  if (sub !== undefined) return sha256(JSON.stringify(['sub', sub]));
  return client === undefined ? digest : sha256(JSON.stringify(['client_id', client]));
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}

/** Returns the namespaces of a claim: a list of names, names with commas or spaces between, or `*`; null for anything else. */
function scopeOf(claim: unknown): NamespaceScope | null {
  const names: unknown = typeof claim === 'string' ? claim.split(/[\s,]+/).filter((name) => name !== '') : claim;
  if (!Array.isArray(names) || names.length === 0 || names.length > MOST_NAMESPACES) return null;
  if (names.length === 1 && names[0] === '*') return '*';
  return names.every((name) => typeof name === 'string' && isNameOfNamespace(name)) ? new Set(names as string[]) : null;
}

function reasonOf(error: unknown): string {
  if (error instanceof GraphDBError) return error.message;
  return error instanceof errors.JOSEError ? `${error.code}: ${error.message}` : String(error);
}
