/**
 * Callers and their rights. A caller is identified once, where a request comes in, by what the client presents (a
 * token, a JWT, nothing where the server is open); all other code asks the caller.
 *
 * Rights are about what a statement does, by its plan:
 *   read      reads the graph
 *   write     changes data
 *   schema    creates or drops indexes and constraints
 *   operate   flush, compact, SHOW SETTINGS
 *   govern    creates or drops namespaces; other people's statements
 */
import { GraphDBError } from '../errors.ts';

/** A right that a role may have. */
export type Right = 'read' | 'write' | 'schema' | 'operate' | 'govern';

/** A role of a caller. `read` and `write` are the roles of older tokens files. */
export type Role = 'reader' | 'writer' | 'admin' | 'read' | 'write';

/** All roles, in the order in which they are listed to users. */
export const ROLES: readonly Role[] = ['reader', 'writer', 'admin', 'read', 'write'];

const RIGHTS: Readonly<Record<Role, ReadonlySet<Right>>> = {
  reader: new Set(['read']),
  writer: new Set(['read', 'write']),
  admin: new Set(['read', 'write', 'schema', 'operate', 'govern']),
  read: new Set(['read']),
  write: new Set(['read', 'write', 'schema', 'operate']),
};

const NAME = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}$/;

/** Tells whether a text can be the name of a namespace: 1 to 128 of `A–Z a–z 0–9 . _ -`, not starting with a dot. */
export function isNameOfNamespace(text: string): boolean {
  return NAME.test(text);
}

/** Names of namespaces, or all of them. */
export type NamespaceScope = ReadonlySet<string> | '*';

/** A caller: who asks, and what it may see and do. */
export interface Caller {
  /** The name of the owner of the caller's statements, for the audit log and for people. */
  readonly name: string;
  /** The key by which limits are counted; callers of one token share it. */
  readonly id: string;
  readonly role: Role;
  readonly namespaces: NamespaceScope;
  /** Returns false once the token has been revoked or has expired. To be asked again while a connection or a statement lasts. */
  isValid(): boolean;
}

/** The caller of an open server, who may do everything in every namespace. */
export const EVERYONE: Caller = { name: 'everyone', id: '', role: 'admin', namespaces: '*', isValid: () => true };

/**
 * Identifies the caller with this token (undefined if the client presents none). Returns undefined for a client that is
 * refused. Returns a promise only where something has to be fetched to decide.
 */
export type Identify = (token: string | undefined) => Caller | undefined | Promise<Caller | undefined>;

/** Identifies every client as `EVERYONE`. */
export const openToAll: Identify = () => EVERYONE;

/** Tells whether a caller may know that a namespace exists. */
export function maySee({ namespaces }: Caller, namespace: string): boolean {
  return namespaces === '*' || namespaces.has(namespace);
}

/** Tells whether a caller has a right. */
export function may({ role }: Caller, right: Right): boolean {
  return RIGHTS[role].has(right);
}

/** Tells whether a caller is an admin of all namespaces, from whom nothing is hidden. */
export function mayEverything(caller: Caller): boolean {
  return caller.role === 'admin' && caller.namespaces === '*';
}

const DEEDS: Readonly<Record<Right, string>> = {
  read: 'read',
  write: 'change data',
  schema: 'change indexes and constraints',
  operate: 'flush, compact and see settings',
  govern: 'create and drop namespaces',
};

/** Checks a right of the caller. @throws FORBIDDEN if its role does not have the right */
export function requireRight(caller: Caller, right: Right): void {
  if (!may(caller, right)) throw new GraphDBError('FORBIDDEN', `the role ${caller.role} may not ${DEEDS[right]}`);
}
