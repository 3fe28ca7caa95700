/** What writes the rows of one file of a graph. */
import type { Node, Relationship } from '../../value/index.ts';

export interface GraphTableWriter {
  nodes(nodes: readonly Node[]): Promise<void>;
  relationships(relationships: readonly Relationship[]): Promise<void>;
  /** Writes what ends the file; the file itself is finished by its owner. */
  finish(): Promise<void>;
}
