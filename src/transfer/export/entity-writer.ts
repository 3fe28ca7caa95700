/** Writers of nodes and relationships one by one: scripts, and the files of programs that draw graphs. */
import type { Node, Relationship } from '../../value/index.ts';

/** Writes nodes and relationships one by one. */
export interface EntityWriter {
  nodes(nodes: readonly Node[]): Promise<void>;
  relationships(relationships: readonly Relationship[]): Promise<void>;
  /** Writes what ends the file; the file itself is finished by its owner. */
  finish(): Promise<void>;
}
