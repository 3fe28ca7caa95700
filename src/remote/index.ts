/** Exports of the layer that sends statements to GraphDB servers over their HTTP API. */
export { type RemoteEngine, RemoteGraph } from './remote-graph.ts';
