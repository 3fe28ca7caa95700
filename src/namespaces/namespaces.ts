/**
 * The namespaces of a server, as its protocols see them: each request holds one namespace until the request ends.
 *
 * A caller that may not see a namespace gets FORBIDDEN whether or not the namespace exists, before anything is looked
 * up.
 */
import type { Caller, GraphDBError } from '../base/index.ts';
import type { Engine, EngineStatus } from '../engine/index.ts';
import type { ValueMap } from '../value/index.ts';

/**
 * The namespace that a request asks for: `namespace` is its name; `database` is the name of a database in Bolt, which
 * may be an alias (`neo4j` is the default namespace; `system` is empty and takes commands about databases). Null: the
 * default namespace.
 */
export type Wanted = { readonly namespace: string } | { readonly database: string } | null;

/** The sender of a request, for components that keep a record of requests. */
export interface Sender {
  readonly requestId: string;
  /** The network address of the client; null if unknown. */
  readonly address: string | null;
}

/** The origin of a request that holds a namespace. */
export interface Origin extends Sender {
  /** Ends the request with this error: its running work is stopped, and what it holds is released. */
  readonly stop: (reason: GraphDBError) => void;
  /** Metadata that the client gave for its transaction; absent if none. */
  readonly metadata?: ValueMap;
}

/** A namespace that stays open until it is released. */
export interface HeldNamespace {
  /** The engine, restricted to the rights of the caller. */
  readonly engine: Engine;
  /** The name of the database, as clients are told. */
  readonly database: string;
  /** The server has several namespaces. Bookmarks may then name others: clients send those of all databases. */
  readonly isOneOfMany: boolean;
  /** Releases the namespace; to be called once. */
  release(): void;
}

/** The namespaces of a server. */
export interface Namespaces {
  /**
   * Holds a namespace, and opens it if it is not open. Returns no promise if there is nothing to wait for. @throws
   * FORBIDDEN if the caller may not see the namespace, NOT_FOUND if it does not exist, STORE_UNAVAILABLE,
   * SHUTTING_DOWN.
   */
  hold(wanted: Wanted, caller: Caller, origin: Origin): HeldNamespace | Promise<HeldNamespace>;
  /** Returns the state of a namespace without opening it or keeping it open. Fails as `hold` does. */
  statusOf(wanted: Wanted, caller: Caller, origin: Sender): Promise<EngineStatus>;
}
