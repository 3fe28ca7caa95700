/** A node or relationship that a commit has changed, as it was and as it is afterwards. */
import type { ValueMap } from '../../value/index.ts';

/** The labels and properties of an entity. */
export interface NodeState {
  readonly labels: readonly string[];
  readonly properties: ValueMap;
}

/** A node at an end of a relationship, as it is after the commit, or was before where it is gone. */
export interface NodeEnd extends NodeState {
  readonly id: string;
}

/** The change of a node. */
export interface NodeChange {
  readonly entity: 'node';
  readonly id: string;
  /** null: it was created. */
  readonly before: NodeState | null;
  /** null: it was deleted. */
  readonly after: NodeState | null;
}

/** The change of a relationship. */
export interface RelationshipChange {
  readonly entity: 'relationship';
  readonly id: string;
  readonly type: string;
  readonly start: NodeEnd;
  /** All that is known of its properties are those that make up keys, unless the commit has changed it. */
  readonly end: NodeEnd;
  readonly before: ValueMap | null;
  readonly after: ValueMap | null;
}

/** The change of a node or relationship. */
export type EntityChange = NodeChange | RelationshipChange;
