/**
 * Who calls, and what for. A caller is made at the door, once, of what a client gives (a token, a JWT, nothing where
 * the server is open); everything behind the door asks the caller.
 *
 * Rights are about what a statement does, by its plan:
 *   read      looks at the graph
 *   write     changes data
 *   schema    creates or drops indexes and constraints
 *   operate   flush, compact, SHOW SETTINGS
 *   govern    creates or drops namespaces; other people's statements
 */
import { GraphDBError } from '../errors.ts';

/** A right that a role may have. */
export type Right = 'read' | 'write' | 'schema' | 'operate' | 'govern';

/** `read` and `write` are the words of earlier tokens files. */
export type Role = 'reader' | 'writer' | 'admin' | 'read' | 'write';

/** The order in which roles are told. */
export const ROLES: readonly Role[] = ['reader', 'writer', 'admin', 'read', 'write'];

const RIGHTS: Readonly<Record<Role, ReadonlySet<Right>>> = {
  reader: new Set(['read']),
  writer: new Set(['read', 'write']),
  admin: new Set(['read', 'write', 'schema', 'operate', 'govern']),
  read: new Set(['read']),
  write: new Set(['read', 'write', 'schema', 'operate']),
};

const NAME = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}$/;

/** Whether a namespace can have this name: 1 to 128 of `A–Z a–z 0–9 . _ -`, not starting with a dot. */
export function isNameOfNamespace(text: string): boolean {
  return NAME.test(text);
}

/** Names of namespaces, or all of them. */
export type NamespaceScope = ReadonlySet<string> | '*';

/** A caller: who asks, and what it may see and do. */
export interface Caller {
  /** Whose statements these are, for the audit log and for people. */
  readonly name: string;
  /** The key by which limits are counted; callers of one token share it. */
  readonly id: string;
  readonly role: Role;
  readonly namespaces: NamespaceScope;
  /** False: the token has been revoked, or has expired. Asked again while something lasts. */
  isValid(): boolean;
}

/** The caller of a server that is open: may do everything, everywhere. */
export const EVERYONE: Caller = { name: 'everyone', id: '', role: 'admin', namespaces: '*', isValid: () => true };

/**
 * Who gives this token (undefined: gives none); undefined for one that may not come in. At once where nothing has to be
 * fetched to know.
 */
export type Identify = (token: string | undefined) => Caller | undefined | Promise<Caller | undefined>;

/** Everyone may do everything. */
export const openToAll: Identify = () => EVERYONE;

/** Tells whether a caller may know that a namespace exists. */
export function maySee({ namespaces }: Caller, namespace: string): boolean {
  return namespaces === '*' || namespaces.has(namespace);
}

/** Tells whether a caller has a right. */
export function may({ role }: Caller, right: Right): boolean {
  return RIGHTS[role].has(right);
}

/** Whether nothing at all is kept from the caller. */
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

/** FORBIDDEN: the role has not that right. */
export function requireRight(caller: Caller, right: Right): void {
  if (!may(caller, right)) throw new GraphDBError('FORBIDDEN', `the role ${caller.role} may not ${DEEDS[right]}`);
}
