/**
 * The force layout of a picture. A worker computes it without a pause; of the places that it gives, a frame takes over the newest
 * ones, all at once and without an event of the graph for each node.
 */
import type Graph from 'graphology';
import defaults from 'graphology-layout-forceatlas2/defaults.js';
import { EDGE_STRIDE, type LayoutGraph, NODE_STRIDE, type Places } from './layout-protocol.ts';

/** Where the mass of a node stands among its numbers: one more than it has relationships. */
const MASS = 6;
/** Above this number of nodes forces between distant groups are taken together (Barnes and Hut). */
const MOST_IN_PAIRS = 2_000;
const CHANGES = ['nodeAdded', 'edgeAdded', 'nodeDropped', 'edgeDropped'] as const;

export interface Layout {
  /** Ends the layout; nodes stay where they are. */
  stop(): void;
}

export interface LayoutOptions {
  readonly durationMs: number;
  /** Called in a frame, after nodes have got the places: x and y of each node, in the order of the graph. */
  readonly onMoved: (places: Places) => void;
  /** Called once, when the time has passed or the layout was stopped. */
  readonly onEnd: () => void;
}

/** Starts to lay a graph out; nodes and relationships that are added meanwhile take part. */
export function startLayout(graph: Graph, { durationMs, onMoved, onEnd }: LayoutOptions): Layout {
  const worker = new Worker(new URL('./layout-worker.js', import.meta.url), { type: 'module' });
  /** Whether the worker computes another graph than this one has become. */
  let isStale = true;
  let newest: Places | null = null;
  let spare: Places = new Float32Array(0);
  let frame = 0;
  let isOver = false;

  const ask = (): void => {
    if (isStale) {
      isStale = false;
      const message = layoutGraphOf(graph);
      worker.postMessage(message, [message.nodes.buffer, message.edges.buffer]);
    }
    if (spare.length !== graph.order * 2) spare = new Float32Array(graph.order * 2);
    worker.postMessage(spare, [spare.buffer]);
  };
  const onFrame = (): void => {
    const places = newest;
    newest = null;
    frame = 0;
    if (places === null || isStale) return;
    moveNodes(graph, places);
    onMoved(places);
    spare = places;
  };
  worker.onmessage = ({ data }: MessageEvent<Places>) => {
    if (newest !== null) spare = newest;
    // Places of a graph that has changed since are not those of its nodes.
    if (!isStale) newest = data;
    if (frame === 0) frame = requestAnimationFrame(onFrame);
    ask();
  };
  const change = (): void => {
    isStale = true;
    newest = null;
  };
  for (const event of CHANGES) graph.on(event, change);
  const stop = (): void => {
    if (isOver) return;
    isOver = true;
    clearTimeout(timer);
    cancelAnimationFrame(frame);
    worker.terminate();
    for (const event of CHANGES) graph.removeListener(event, change);
    onEnd();
  };
  const timer = setTimeout(stop, durationMs);
  ask();
  return { stop };
}

function moveNodes(graph: Graph, places: Places): void {
  let at = 0;
  graph.forEachNode((_node, attributes) => {
    attributes['x'] = places[at++];
    attributes['y'] = places[at++];
  });
}

/** Returns the matrices of a graph, and settings for its size. */
function layoutGraphOf(graph: Graph): LayoutGraph {
  const nodes = new Float32Array(graph.order * NODE_STRIDE);
  const edges = new Float32Array(graph.size * EDGE_STRIDE);
  const offsets = new Map<string, number>();
  graph.forEachNode((node, { x, y, size }) => {
    const at = offsets.size * NODE_STRIDE;
    offsets.set(node, at);
    nodes.set([x, y, 0, 0, 0, 0, 1, 1, size ?? 1, 0], at);
  });
  let at = 0;
  graph.forEachEdge((_edge, _attributes, source, target) => {
    const [from, to] = [offsets.get(source)!, offsets.get(target)!];
    nodes[from + MASS]! += 1;
    nodes[to + MASS]! += 1;
    edges.set([from, to, 1], at);
    at += EDGE_STRIDE;
  });
  const barnesHutOptimize = graph.order > MOST_IN_PAIRS;
  return {
    nodes,
    edges,
    settings: { ...defaults, barnesHutOptimize, strongGravityMode: true, gravity: 0.05, scalingRatio: 10, slowDown: 4 },
  };
}
