/** Writers that take nodes and relationships one by one: scripts, and the formats of programs that draw graphs. */
import type { Node, Relationship } from '../../value/index.ts';

/** Writes nodes and relationships one by one. */
export interface EntityWriter {
  nodes(nodes: readonly Node[]): Promise<void>;
  relationships(relationships: readonly Relationship[]): Promise<void>;
  /** Writes the end of the file; its owner finishes the file itself. */
  finish(): Promise<void>;
}
