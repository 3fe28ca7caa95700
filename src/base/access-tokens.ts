/**
 * Who may come in, and what for: the one token of a server, or those of a tokens file, each with its role.
 *
 * A comparison takes the same time whatever is given: a token is hashed first, so neither its length nor a common prefix shows, and it is held
 * against every known one.
 *
 * The tokens file has a line per token: the SHA-256 of the token in hexadecimal, its role (`read` or `write`) and, if wanted, whose it is. Empty lines
 * and lines that begin with `#` say nothing.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { GraphDBError } from './errors.ts';

/** `write` may do everything; `read` is refused what changes something. */
export type Role = 'read' | 'write';

/** The role of whoever gives this token (undefined: gives none); undefined for one that may not come in. */
export type RoleOf = (token: string | undefined) => Role | undefined;

export interface AccessToken {
  /** SHA-256, 32 bytes. */
  readonly digest: Buffer;
  readonly role: Role;
}

/** Everyone may do everything. */
export const openToAll: RoleOf = () => 'write';

export function accessToken(token: string, role: Role): AccessToken {
  return { digest: sha256(token), role };
}

/** `tokens` is asked at every call: they may change while the server runs. */
export function rolesOf(tokens: () => readonly AccessToken[]): RoleOf {
  return (given) => {
    if (given === undefined) return undefined;
    const digest = sha256(given);
    let role: Role | undefined;
    for (const token of tokens()) if (timingSafeEqual(digest, token.digest)) role = token.role;
    return role;
  };
}

/** ARGUMENT_ERROR names the line, and repeats nothing of it. */
export function parseTokensFile(text: string): AccessToken[] {
  return text.split(/\r?\n/).flatMap((line, index) => {
    if (/^\s*(#|$)/.test(line)) return [];
    const [, digest, role] = /^\s*([0-9a-fA-F]{64})\s+(read|write)(?:\s.*)?$/.exec(line) ?? [];
    if (digest !== undefined) return [{ digest: Buffer.from(digest, 'hex'), role: role as Role }];
    throw new GraphDBError(
      'ARGUMENT_ERROR',
      `line ${index + 1} is not "<SHA-256 of a token in hexadecimal> <read or write> [whose it is]"`,
    );
  });
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
