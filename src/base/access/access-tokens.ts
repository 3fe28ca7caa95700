/**
 * Tokens of a tokens file, and the one token of a server, as ways to know callers.
 *
 * A comparison takes the same time whatever is given: a token is hashed first, so neither its length nor a common
 * prefix shows, and it is held against every known one.
 *
 * A line of the file: the SHA-256 of the token in hexadecimal, its role, the namespaces that it is for (names behind
 * commas, or `*`; none: all), and whose it is. Behind the older words `read` and `write` there are no namespaces: all
 * that follows is whose it is. Empty lines and lines that begin with `#` say nothing.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { GraphDBError } from '../errors.ts';
import { type Caller, type Identify, isNameOfNamespace, type NamespaceScope, ROLES, type Role } from './callers.ts';

/** A token that the server knows, by its digest. */
export interface AccessToken {
  /** SHA-256, 32 bytes. */
  readonly digest: Buffer;
  readonly role: Role;
  readonly namespaces: NamespaceScope;
  /** null: nobody has said whose it is. */
  readonly name: string | null;
}

/** A token for all namespaces, unless told otherwise. */
export function accessToken(token: string, role: Role, { namespaces = '*', name = null }: Partial<AccessToken> = {}): AccessToken {
  return { digest: sha256(token), role, namespaces, name };
}

/** `tokens` is asked at every call, and again whether a caller is valid still: they may change while the server runs. */
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

/** ARGUMENT_ERROR names the line, and repeats nothing of it. */
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
