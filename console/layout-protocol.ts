/** The messages between the page and the worker of the force layout. Their arrays change hands; none is copied. */
import type { ForceAtlas2Settings } from 'graphology-layout-forceatlas2';

/** Numbers of a node in the matrix: place (2), force (2), force of the step before (2), mass, convergence, size, whether it is fixed. */
export const NODE_STRIDE = 10;
/** Numbers of a relationship in its matrix: where its source and its target begin in the matrix of nodes, and its weight. */
export const EDGE_STRIDE = 3;

/** To the worker: a graph to lay out, in the place of the one before. */
export interface LayoutGraph {
  readonly nodes: Float32Array<ArrayBuffer>;
  readonly edges: Float32Array<ArrayBuffer>;
  readonly settings: Required<ForceAtlas2Settings>;
}

/** To the worker: an array for the next places; back from it: x and y of each node, in the order of the graph. */
export type Places = Float32Array<ArrayBuffer>;
