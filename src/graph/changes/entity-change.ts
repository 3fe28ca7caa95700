/** The change of one node or relationship by a commit: its states before and after. */
import type { ValueMap } from '../../value/index.ts';

/** The labels and properties of an entity. */
export interface NodeState {
  readonly labels: readonly string[];
  readonly properties: ValueMap;
}

/** A node at an end of a changed relationship: its state after the commit, or before it when the commit deleted the node. */
export interface NodeEnd extends NodeState {
  readonly id: string;
}

/** The change of a node. */
export interface NodeChange {
  readonly entity: 'node';
  readonly id: string;
  /** Null when the commit created the node. */
  readonly before: NodeState | null;
  /** Null when the commit deleted the node. */
  readonly after: NodeState | null;
}

/** The change of a relationship. */
export interface RelationshipChange {
  readonly entity: 'relationship';
  readonly id: string;
  readonly type: string;
  /** The node at the start. Unless the commit changed it, only its properties that are parts of keys are known. */
  readonly start: NodeEnd;
  /** The node at the end, known like `start`. */
  readonly end: NodeEnd;
  /** The properties before the commit; null when the commit created the relationship. */
  readonly before: ValueMap | null;
  /** The properties after the commit; null when the commit deleted the relationship. */
  readonly after: ValueMap | null;
}

/** The change of a node or relationship. */
export type EntityChange = NodeChange | RelationshipChange;
