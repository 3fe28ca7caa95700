/**
 * The statement as a procedure sees it: the graph, its limits, and the changes that it may make.
 *
 * A procedure that works in proportion to the graph or to its arguments calls `worked` as it goes, and gives null among
 * its rows where that says that others should run; it calls `charge` for what it keeps. Both throw when the statement
 * is to end.
 */
import type { GraphCatalog } from '../../algorithms/index.ts';
import type { ShownSetting } from '../../base/index.ts';
import type { SchemaCommand } from '../../cypher/index.ts';
import type { GraphView } from '../../graph/index.ts';
import type { NodeValue, RelationshipValue, Value } from '../../value/index.ts';
import type { ChangeReading } from './waiting/change-reading.ts';
import type { Adjacent, Direction } from './walks/adjacent.ts';

/** The statement as a procedure sees it. */
export interface ProcedureContext {
  /** The graph with all that the statement has written so far. A view that is kept shows no later writes. */
  readonly view: GraphView;
  /** The settings of the server, with their values. */
  readonly settings: () => readonly ShownSetting[];
  /** The graphs that users have projected; only procedures that say `usesCatalog` ask for it. */
  readonly catalog: GraphCatalog;
  /** The changes so far; only procedures that say `readsChanges` ask for them. */
  readonly changes: ChangeReading;
  /** Waits for work that goes on elsewhere, which is to end when the signal is aborted, and answers what it resolves to. */
  during<T>(work: (signal: AbortSignal | undefined) => Promise<T>): Generator<null, T, void>;
  /** Bytes that the statement may keep. */
  readonly memoryLimit: number;
  /** Changes the graph; asserts that the procedure's `mode` is WRITE. */
  readonly writes: ProcedureWrites;
  /** Creates or drops an index or a constraint; gives way while what is there is checked. For procedures of the mode SCHEMA. */
  changeSchema(command: SchemaCommand): Generator<null, void, void>;
  /** Counts steps of work that comes next, each some 100 ns at most. True: others should run. @throws QUERY_TIMEOUT, CANCELLED */
  readonly worked: (steps: number) => boolean;
  /** Sorts ordinals, ascending, in pieces between which others run. @throws QUERY_TIMEOUT, CANCELLED */
  sort(ordinals: number[]): Generator<null, void, void>;
  /** Charges rows of so many fields to the statement's memory. @throws MEMORY_LIMIT */
  charge(rows: number, fields: number): void;
  /** Tells PROFILE what the call did; nothing is asked for elsewhere. */
  readonly note: (text: () => string) => void;
  /** Charges bytes to the statement's memory, or gives them back where they are negative. @throws MEMORY_LIMIT */
  readonly chargeBytes: (bytes: number) => void;
  /**
   * Ends a batch of changes: they are durable when it returns, where the statement consists of the call alone;
   * otherwise nothing happens. `view` is another one afterwards.
   */
  commit(): Generator<null, void, void>;
  /** The value of a property; null where there is none. @throws ENTITY_NOT_FOUND when the statement has deleted the entity */
  property(entity: NodeValue | RelationshipValue, key: string): Value;
  /** The relationships of some types (null: all) in a direction, for a `Cursor` to walk. */
  adjacencies(types: readonly string[] | null, direction: Direction): readonly Adjacent[];
  /** Every relationship of a node in either direction, a self-loop once. */
  relationshipsOf(node: NodeValue): readonly { readonly type: number; readonly row: number }[];
}

/** The changes that a procedure can make. Each is counted in the statement's summary. */
export interface ProcedureWrites {
  /** Creates a node. @returns its ordinal */
  createNode(labels: readonly string[], keys: readonly string[], values: readonly Value[]): number;
  /** Creates a relationship between two nodes, given by their ordinals. */
  createRelationship(type: string, source: number, target: number, keys: readonly string[], values: readonly Value[]): RelationshipValue;
  /** Sets one property; null removes it. Nothing happens to null. */
  setProperty(target: NodeValue | RelationshipValue | null, key: string, value: Value): void;
  /**
   * `target = value`, or `target += value` with `merge`, where it changes few properties. Returns the changes where
   * they are many: `setMany` is to be called then.
   */
  setAll(target: NodeValue | RelationshipValue, value: Value, merge: boolean): ReadonlyMap<string, Value> | null;
  /** Sets properties, giving way in between; null removes one. */
  setMany(target: NodeValue | RelationshipValue, properties: Iterable<readonly [key: string, value: Value]>): Generator<null, void, void>;
  /** Adds labels to a node. */
  setLabels(target: NodeValue, labels: readonly string[]): void;
  /** Removes labels from a node. */
  removeLabels(target: NodeValue, labels: readonly string[]): void;
  /** Deletes a node, with `detach` its relationships too, or a relationship. */
  delete(target: NodeValue | RelationshipValue, detach: boolean): Generator<null, void, void>;
}
