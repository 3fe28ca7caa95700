/**
 * The interface between a procedure and the statement that calls it: the graph, the limits, and the allowed changes.
 *
 * A procedure whose work grows with the graph or with its arguments calls `worked` as it proceeds, and yields null
 * among its rows when `worked` returns true; it calls `charge` for the memory that it keeps. Both throw when the
 * statement must end.
 */
import type { GraphCatalog, PageReading } from '../../algorithms/index.ts';
import type { ShownSetting } from '../../base/index.ts';
import type { SchemaCommand } from '../../cypher/index.ts';
import type { GraphView, Requirements } from '../../graph/index.ts';
import type { NodeValue, RelationshipValue, Value } from '../../value/index.ts';
import type { ChangeReading } from './waiting/change-reading.ts';
import type { Adjacent, Direction } from './walks/adjacent.ts';

/** The statement as a procedure sees it. */
export interface ProcedureContext {
  /** The graph, with everything that the statement has written so far. A view that the procedure keeps shows no later writes. */
  readonly view: GraphView;
  /** The settings of the server, with their values. */
  readonly settings: () => readonly ShownSetting[];
  /** The graphs that users have projected. Only procedures with `usesCatalog` may read it. */
  readonly catalog: GraphCatalog;
  /** The captured changes. Only procedures with `readsChanges` may read it. */
  readonly changes: ChangeReading;
  /** Waits for asynchronous work, and returns its result. The work should stop when the signal is aborted. */
  during<T>(work: (signal: AbortSignal | undefined) => Promise<T>): Generator<null, T, void>;
  /**
   * Makes parts of the graph readable. Returns null if they are in memory; otherwise what runs pieces over their pages.
   * Only for procedures that say `projects`.
   *
   * @param bytes how many bytes the procedure will take itself: parts are loaded whole only if there is room for both
   * @throws NoRoomError if they fit neither whole nor by page
   */
  open(requirements: Requirements, bytes: number): Generator<null, PageReading | null, void>;
  /** Returns how many bytes of memory the process may still take. Where that is less than `bytes`, pages of the graph make room first. */
  roomFor(bytes: number): number;
  /** The statement's memory limit, in bytes. */
  readonly memoryLimit: number;
  /** Changes the graph. Only for procedures of the mode WRITE. */
  readonly writes: ProcedureWrites;
  /** Creates or drops an index or a constraint; yields while existing entities are checked. For procedures of the mode SCHEMA. */
  changeSchema(command: SchemaCommand): Generator<null, void, void>;
  /** Counts steps of work about to be done, about 100 ns each. Returns true when others should run. @throws QUERY_TIMEOUT, CANCELLED */
  readonly worked: (steps: number) => boolean;
  /** Sorts ordinals in place, ascending, and yields so that other statements run. @throws QUERY_TIMEOUT, CANCELLED */
  sort(ordinals: number[]): Generator<null, void, void>;
  /** Charges `rows` rows of `fields` fields to the statement's memory. @throws MEMORY_LIMIT */
  charge(rows: number, fields: number): void;
  /** Reports to PROFILE what the call did; without PROFILE, `text` is not called. */
  readonly note: (text: () => string) => void;
  /** Charges bytes to the statement's memory; a negative number releases them. @throws MEMORY_LIMIT */
  readonly chargeBytes: (bytes: number) => void;
  /**
   * Ends a batch of changes, which are durable when it returns; `view` is a new view afterwards. Does nothing unless
   * the statement consists of the call alone and owns its transaction.
   */
  commit(): Generator<null, void, void>;
  /** Returns the value of a property; null if there is none. @throws ENTITY_NOT_FOUND when the statement has deleted the entity */
  property(entity: NodeValue | RelationshipValue, key: string): Value;
  /** Returns the relationships of some types (null for all) in a direction, for a `Cursor` to walk. */
  adjacencies(types: readonly string[] | null, direction: Direction): readonly Adjacent[];
  /** Returns every relationship of a node in either direction, by type and home row; a self-loop appears once. */
  relationshipsOf(node: NodeValue): readonly { readonly type: number; readonly row: number }[];
}

/** The changes that a procedure can make. Each is counted in the statement's summary. */
export interface ProcedureWrites {
  /** Creates a node. @returns its ordinal */
  createNode(labels: readonly string[], keys: readonly string[], values: readonly Value[]): number;
  /** Creates a relationship between two nodes, given by their ordinals. */
  createRelationship(type: string, source: number, target: number, keys: readonly string[], values: readonly Value[]): RelationshipValue;
  /** Sets one property; the value null removes it. Does nothing if the target is null. */
  setProperty(target: NodeValue | RelationshipValue | null, key: string, value: Value): void;
  /**
   * Performs `target = value`, or `target += value` with `merge`. Returns null when it is done; if it would change many
   * properties, it changes nothing and returns the changes, for `setMany`.
   */
  setAll(target: NodeValue | RelationshipValue, value: Value, merge: boolean): ReadonlyMap<string, Value> | null;
  /** Sets properties, and yields in between so that other statements run; the value null removes a property. */
  setMany(target: NodeValue | RelationshipValue, properties: Iterable<readonly [key: string, value: Value]>): Generator<null, void, void>;
  /** Adds labels to a node. */
  setLabels(target: NodeValue, labels: readonly string[]): void;
  /** Removes labels from a node. */
  removeLabels(target: NodeValue, labels: readonly string[]): void;
  /** Deletes a node or a relationship; with `detach`, also the relationships of the node. */
  delete(target: NodeValue | RelationshipValue, detach: boolean): Generator<null, void, void>;
}
