/**
 * Access tokens, from a tokens file or as the single token of a server, as a way to identify callers.
 *
 * A comparison takes the same time for any input: a token is hashed first, so that neither its length nor a common
 * prefix shows, and its digest is compared with that of every known token.
 *
 * A line of a tokens file has the SHA-256 of a token in hexadecimal, its role, its namespaces (names separated by
 * commas, or `*`, which is the default), and the name of its owner. The older roles `read` and `write` have no
 * namespaces: all text behind them is the name of the owner. Empty lines and lines that begin with `#` are ignored.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { GraphDBError } from '../errors.ts';
import { type Caller, type Identify, isNameOfNamespace, type NamespaceScope, ROLES, type Role } from './callers.ts';

/** A token that the server knows, by its digest. */
export interface AccessToken {
  /** SHA-256 of the token, 32 bytes. */
  readonly digest: Buffer;
  readonly role: Role;
  readonly namespaces: NamespaceScope;
  /** The name of the token's owner; null if it is not given. */
  readonly name: string | null;
}

/** Returns a token, for all namespaces unless `namespaces` limits it. */
export function accessToken(token: string, role: Role, { namespaces = '*', name = null }: Partial<AccessToken> = {}): AccessToken {
  return { digest: sha256(token), role, namespaces, name };
}

/**
 * Identifies callers by their tokens. `tokens` is called for each identification, and again when the validity of a
 * caller is checked, since tokens may change while the server runs.
 */
export function identifyBy(tokens: () => readonly AccessToken[]): Identify {
  return (given) => {
    if (given === undefined) return undefined;
    const digest = sha256(given);
    let found: AccessToken | undefined;
    for (const token of tokens()) if (timingSafeEqual(digest, token.digest)) found = token;
    return found === undefined ? undefined : callerOf(found, tokens);
  };
}

function callerOf(token: AccessToken, tokens: () => readonly AccessToken[]): Caller {
  const { digest, role, namespaces } = token;
  const id = digest.toString('hex', 0, 8);
  let knownIn = tokens();
  return {
    name: token.name ?? `token ${id}`,
    id,
    role,
    namespaces,
    isValid() {
      const now = tokens();
      if (now === knownIn) return true;
      // The last line of a token counts. One whose rights have changed has to come in anew.
      const last = now.findLast((one) => one.digest.equals(digest));
      if (last === undefined || last.role !== role || !isSameScope(last.namespaces, namespaces)) return false;
      knownIn = now;
      return true;
    },
  };
}

function isSameScope(one: NamespaceScope, other: NamespaceScope): boolean {
  if (one === '*' || other === '*') return one === other;
  return one.size === other.size && [...one].every((name) => other.has(name));
}

const LINE = /^\s*([0-9a-fA-F]{64})\s+([a-z]+)(?:\s+(.*\S))?\s*$/;

/** Parses a tokens file. @throws ARGUMENT_ERROR, which names the line but repeats none of its text */
export function parseTokensFile(text: string): AccessToken[] {
  return text.split(/\r?\n/).flatMap((line, index) => {
    if (/^\s*(#|$)/.test(line)) return [];
    const token = parseLine(line);
    if (token !== null) return [token];
    throw new GraphDBError(
      'ARGUMENT_ERROR',
      `line ${index + 1} is not "<SHA-256 of a token in hexadecimal> <reader, writer or admin> [<namespace>[,…]|*] [whose it is]"`,
    );
  });
}

function parseLine(line: string): AccessToken | null {
  const [, hexadecimal, word, rest = ''] = LINE.exec(line) ?? [];
  const role = ROLES.find((known) => known === word);
  if (hexadecimal === undefined || role === undefined) return null;
  const digest = Buffer.from(hexadecimal, 'hex');
  if (role === 'read' || role === 'write') return { digest, role, namespaces: '*', name: rest || null };
  const [, scope = '*', name = ''] = /^(\S*)\s*(.*)$/.exec(rest === '' ? '*' : rest) ?? [];
  const names = scope.split(',');
  if (scope !== '*' && !names.every(isNameOfNamespace)) return null;
  return { digest, role, namespaces: scope === '*' ? '*' : new Set(names), name: name || null };
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
