/** Places of all nodes at once: x and y of each node in one array, in the order of the graph. */
import type Graph from 'graphology';

/** The least and the greatest x and y. */
export interface Box {
  readonly x: [number, number];
  readonly y: [number, number];
}

/** Returns the box around places. */
export function boxOf(places: Float32Array): Box {
  const x: [number, number] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  const y: [number, number] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let at = 0; at < places.length; at += 2) {
    extend(x, places[at]!);
    extend(y, places[at + 1]!);
  }
  return { x, y };
}

function extend(range: [number, number], value: number): void {
  if (value < range[0]) range[0] = value;
  if (value > range[1]) range[1] = value;
}

/** Returns the places as the renderer has them: the middle of the box is (0.5, 0.5), and its longer side is 1. */
export function framed(places: Float32Array, { x, y }: Box): Float32Array {
  const side = Math.max(x[1] - x[0], y[1] - y[0]) || 1;
  const left = (x[0] + x[1]) / 2 - side / 2;
  const bottom = (y[0] + y[1]) / 2 - side / 2;
  const result = new Float32Array(places.length);
  for (let at = 0; at < places.length; at += 2) {
    result[at] = (places[at]! - left) / side;
    result[at + 1] = (places[at + 1]! - bottom) / side;
  }
  return result;
}

/** Returns the ends of each relationship: the positions of its source and of its target in the order of the nodes. */
export function endsOf(graph: Graph): Uint32Array {
  const positions = new Map(graph.nodes().map((node, position) => [node, position]));
  return Uint32Array.from(graph.edges().flatMap((edge) => graph.extremities(edge).map((node) => positions.get(node)!)));
}

/**
 * Writes a place to the beginning of each item of `stride` numbers in `target`: that of the node whose position `nodes` has for the
 * item; without `nodes`, of the node at the position of the item.
 */
export function writePlaces(places: Float32Array, target: Float32Array, stride: number, nodes?: Uint32Array): void {
  for (let item = 0, to = 0; to < target.length; item++, to += stride) {
    const from = 2 * (nodes === undefined ? item : nodes[item]!);
    target[to] = places[from]!;
    target[to + 1] = places[from + 1]!;
  }
}
