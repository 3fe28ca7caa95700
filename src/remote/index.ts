/** The door of the layer that asks servers of GraphDB over their HTTP API. */
export { type RemoteEngine, RemoteGraph } from './remote-graph.ts';
