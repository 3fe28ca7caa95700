/** The questions that the benchmark asks of every engine that it measures. */
export type Cell = string | number | null;
export type Parameters = { readonly [name: string]: Cell | readonly { readonly [name: string]: Cell }[] };

/**
 * Every row is there as JavaScript values, as the peer hands them out; called, they are made into what is compared,
 * which counts for nobody's time.
 */
export type Answer = () => Cell[][];

export interface Peer {
  /** Loads the CSV files of the folder; durable when it answers, ready for the first question. */
  load(folder: string): Promise<void>;
  /** Instead of `load`, in a new process over what an earlier one loaded, which was killed. */
  reopen(): Promise<void>;
  /** `text` is in the language of the peer. */
  run(text: string, parameters: Parameters): Promise<Answer> | Answer;
  /** Resident bytes, where it is not this process that holds the data. */
  memoryBytes?(): number;
  close(): Promise<void> | void;
}

/**
 * A peer's module exports this: `folder` is its own. A question that takes longer than `budgetMs` is given up, where
 * the peer can do that.
 */
export type OpenPeer = (folder: string, budgetMs: number) => Promise<Peer>;

export type PeerName = 'hand' | 'graphdb' | 'sqlite' | 'duckdb' | 'kuzu' | 'ladybug' | 'grafeo' | 'falkordb';
export const PEERS: readonly PeerName[] = ['hand', 'graphdb', 'sqlite', 'duckdb', 'kuzu', 'ladybug', 'grafeo', 'falkordb'];

export const NODE_COLUMNS = {
  person: ['id', 'name', 'age', 'city'],
  message: ['id', 'kind', 'text', 'created', 'day', 'length'],
  tag: ['id', 'name'],
} as const;

export const RELATIONSHIPS = [
  { file: 'knows', type: 'KNOWS', from: 'person', to: 'person', property: 'since' },
  { file: 'has_creator', type: 'HAS_CREATOR', from: 'message', to: 'person', property: null },
  { file: 'reply_of', type: 'REPLY_OF', from: 'message', to: 'message', property: null },
  { file: 'likes', type: 'LIKES', from: 'person', to: 'message', property: 'at' },
  { file: 'has_tag', type: 'HAS_TAG', from: 'message', to: 'tag', property: null },
] as const;

export const LABELS = { person: 'Person', message: 'Message', tag: 'Tag' } as const;

/** Rows of objects as rows of cells, in the order of their keys. */
export function cells(rows: readonly { readonly [column: string]: unknown }[]): Cell[][] {
  return rows.map((row) => Object.values(row).map(cell));
}

export function cell(value: unknown): Cell {
  if (typeof value === 'bigint') return Number(value);
  if (value === undefined) return null;
  if (value instanceof Date) return value.toISOString().slice(0, 10);
  return typeof value === 'object' && value !== null ? String(value) : (value as Cell);
}
