/**
 * The namespaces of a server, as its protocols see them: each request holds one for as long as it lasts.
 *
 * Who may not see a namespace is told the same whether or not it is there: FORBIDDEN, before anything is looked up.
 */
import type { Caller, GraphDBError } from '../base/index.ts';
import type { Engine, EngineStatus } from '../engine/index.ts';
import type { ValueMap } from '../value/index.ts';

/**
 * The namespace that a request is about: one by its name; a database of Bolt, which may be called by other names too
 * (`neo4j` is the default one, `system` holds nothing and takes commands about databases); null: the default one.
 */
export type Wanted = { readonly namespace: string } | { readonly database: string } | null;

/** Where a request comes from, for those who keep a record. */
export interface Origin {
  readonly requestId: string;
  /** The network address of the client; null: it is not known. */
  readonly address: string | null;
  /** Ends the request with this error: what runs is stopped, and what it holds is let go. */
  readonly stop: (reason: GraphDBError) => void;
  /** The client's metadata of its transaction. Absent: nothing. */
  readonly metadata?: ValueMap;
}

/** A namespace that stays open until it is let go. */
export interface HeldNamespace {
  /** As the caller may use it. */
  readonly engine: Engine;
  /** The name of the database, as clients are told. */
  readonly database: string;
  /** Bookmarks of others may come along: clients remember those of all databases. */
  readonly isOneOfMany: boolean;
  /** To be called once. */
  release(): void;
}

/** The namespaces of a server. */
export interface Namespaces {
  /**
   * Holds a namespace, and opens it where it is not open. At once where that needs no waiting. FORBIDDEN: the caller
   * may not see it; NOT_FOUND: there is none of that name; STORE_UNAVAILABLE, SHUTTING_DOWN.
   */
  hold(wanted: Wanted, caller: Caller, origin: Origin): HeldNamespace | Promise<HeldNamespace>;
  /** The state of a namespace, which is not opened for it, and not kept open. Errors as of `hold`. */
  statusOf(wanted: Wanted, caller: Caller): Promise<EngineStatus>;
}
