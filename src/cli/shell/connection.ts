/**
 * The connection of a shell. A store is opened for reading until the first statement that writes, since opening for
 * writing fences the writer of the store. A server is asked over HTTP.
 */
import { createEnvironmentLogger, GraphDBError } from '../../base/index.ts';
import type { Engine, EngineTransaction, StatementOptions, StatementResult } from '../../engine/index.ts';
import { formatStorageUri, namespaceIn, parseStorageUri, type StorageBase } from '../../object-store/index.ts';
import { RemoteGraph } from '../../remote/index.ts';
import type { Value } from '../../value/index.ts';
import { canOpenForReading, opensForReading } from '../read-intent.ts';
import { isServer } from '../target.ts';

/** A connection to a store or a server. */
export interface Connection {
  /** The name that the prompt shows, such as `social` or `127.0.0.1:8080`. */
  readonly name: string;
  readonly inTransaction: boolean;
  execute(query: string, params: ReadonlyMap<string, Value>, options: StatementOptions): Promise<StatementResult>;
  explain(query: string): Promise<string>;
  begin(): Promise<void>;
  commit(): Promise<void>;
  rollback(): Promise<void>;
  /** Returns a connection to another namespace of the same place or server. @throws NOT_FOUND when a server has none of that name */
  use(namespace: string): Promise<Connection>;
  close(): Promise<void>;
}

/** The options of a connection. */
export interface ConnectOptions {
  readonly readOnly: boolean;
  readonly onWriter: () => void;
}

/** Connects to a store, or to a server. */
export async function connect(uri: string, options: ConnectOptions): Promise<Connection> {
  if (isServer(uri)) return new ServerConnection(uri);
  const connection = new StoreConnection(uri, options);
  await connection.look();
  return connection;
}

class ServerConnection implements Connection {
  readonly name: string;
  readonly #url: URL;
  readonly #graph: RemoteGraph;
  #transaction: EngineTransaction | null = null;

  constructor(url: string) {
    this.#url = new URL(url);
    this.name = `${this.#url.host}${this.#url.pathname.replace(/\/$/, '')}`;
    this.#graph = new RemoteGraph(url, process.env['GRAPHDB_AUTH_TOKEN']);
  }

  get inTransaction(): boolean {
    return this.#transaction !== null;
  }

  execute(query: string, params: ReadonlyMap<string, Value>, options: StatementOptions): Promise<StatementResult> {
    return (this.#transaction ?? this.#graph).execute(query, params, options);
  }

  explain(query: string): Promise<string> {
    return this.#graph.explain(query);
  }

  async begin(): Promise<void> {
    if (this.#transaction !== null) throw transactionIsOpen();
    this.#transaction = await this.#graph.begin({ mode: 'write' });
  }

  async commit(): Promise<void> {
    await this.#endTransaction().commit();
  }

  async rollback(): Promise<void> {
    await this.#endTransaction().rollback();
  }

  #endTransaction(): EngineTransaction {
    const transaction = this.#transaction;
    if (transaction === null) throw noTransaction();
    this.#transaction = null;
    return transaction;
  }

  /** Connects to another namespace. If the last part of the path names a namespace of the server, it is replaced, else added to. */
  async use(namespace: string): Promise<Connection> {
    if (this.inTransaction) throw transactionIsOpen();
    const { rows } = await this.#graph.execute('SHOW DATABASES YIELD name RETURN collect(name)', new Map());
    const names = rows[0]?.[0];
    const parts = this.#url.pathname.split('/').filter((part) => part !== '');
    if (Array.isArray(names) && names.includes(decodeURIComponent(parts.at(-1) ?? ''))) parts.pop();
    const url = new URL([...parts, encodeURIComponent(namespace)].join('/'), this.#url.origin);
    const connection = new ServerConnection(url.href);
    await connection.execute('RETURN 1 AS one', new Map(), {});
    return connection;
  }

  async close(): Promise<void> {
    await this.#transaction?.rollback();
    this.#transaction = null;
  }
}

class StoreConnection implements Connection {
  readonly name: string;
  readonly #uri: string;
  readonly #readOnly: boolean;
  readonly #options: ConnectOptions;
  readonly #onWriter: () => void;
  #engine: Engine | null = null;
  #writes = false;
  #transaction: EngineTransaction | null = null;

  constructor(uri: string, options: ConnectOptions) {
    const { readOnly, onWriter } = options;
    this.#options = options;
    this.#uri = uri;
    this.#readOnly = readOnly;
    this.#onWriter = onWriter;
    this.name = /[?&]ns=([^&]+)/.exec(uri)?.[1] ?? uri.replace(/^\w+:\/\//, '');
  }

  get inTransaction(): boolean {
    return this.#transaction !== null;
  }

  /** Opens the namespace if it exists; otherwise the first write creates it. @throws NOT_FOUND when it may only be read */
  async look(): Promise<void> {
    try {
      await this.#open(false);
    } catch (error) {
      if (!(error instanceof GraphDBError) || error.code !== 'NOT_FOUND' || this.#readOnly) throw error;
    }
  }

  async execute(query: string, params: ReadonlyMap<string, Value>, options: StatementOptions): Promise<StatementResult> {
    if (this.#transaction !== null) return this.#transaction.execute(query, params, options);
    const writes = !(await opensForReading(query, this.#uri));
    return (await this.#open(writes)).execute(query, params, options);
  }

  async explain(query: string): Promise<string> {
    return (await this.#open(false)).explain(query);
  }

  async begin(): Promise<void> {
    if (this.#transaction !== null) throw transactionIsOpen();
    this.#transaction = await (await this.#open(!this.#readOnly)).begin({ mode: this.#readOnly ? 'read' : 'write' });
  }

  async commit(): Promise<void> {
    await this.#endTransaction().commit();
  }

  async rollback(): Promise<void> {
    await this.#endTransaction().rollback();
  }

  async use(namespace: string): Promise<Connection> {
    if (this.inTransaction) throw transactionIsOpen();
    const { namespace: _own, ...base } = parseStorageUri(this.#uri);
    return connect(formatStorageUri(namespaceIn(base as StorageBase, namespace)), this.#options); // as: a URI without its namespace
  }

  #endTransaction(): EngineTransaction {
    const transaction = this.#transaction;
    if (transaction === null) throw noTransaction();
    this.#transaction = null;
    return transaction;
  }

  async #open(forWriting: boolean): Promise<Engine> {
    const writes = (forWriting && !this.#readOnly) || !canOpenForReading(this.#uri);
    if (this.#engine !== null && (this.#writes || !writes)) return this.#engine;
    await this.#engine?.close();
    this.#engine = null;
    const { openEngine } = await import('../../engine/index.ts');
    this.#engine = await openEngine(this.#uri, { readOnly: !writes }, { logger: await createEnvironmentLogger() });
    this.#writes = writes;
    if (writes && canOpenForReading(this.#uri)) this.#onWriter();
    return this.#engine;
  }

  async close(): Promise<void> {
    await this.#transaction?.rollback();
    this.#transaction = null;
    await this.#engine?.close();
    this.#engine = null;
  }
}

function transactionIsOpen(): GraphDBError {
  return new GraphDBError('SEMANTIC_ERROR', 'a transaction is open already; :commit or :rollback it first');
}

function noTransaction(): GraphDBError {
  return new GraphDBError('SEMANTIC_ERROR', 'no transaction is open; :begin opens one');
}
