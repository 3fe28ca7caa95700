/** The force layout in a worker: it computes while the page draws, and writes the places into each array that the page gives it. */
import iterate from 'graphology-layout-forceatlas2/iterate.js';
import { type LayoutGraph, NODE_STRIDE, type Places } from './layout-protocol.ts';

/** The least time that it computes for an answer, so that a small graph is not answered thousands of times a second. */
const SLICE_MS = 8;

let graph: LayoutGraph | null = null;

self.onmessage = ({ data }: MessageEvent<LayoutGraph | Places>) => {
  if (!(data instanceof Float32Array)) {
    graph = data;
    return;
  }
  if (graph === null) return;
  const { nodes, edges, settings } = graph;
  const begun = performance.now();
  do iterate(settings, nodes, edges);
  while (performance.now() - begun < SLICE_MS);
  for (let at = 0, to = 0; at < nodes.length; at += NODE_STRIDE) {
    data[to++] = nodes[at]!;
    data[to++] = nodes[at + 1]!;
  }
  self.postMessage(data, { transfer: [data.buffer] });
};
