/** Entry point of the layer for agents: the Model Context Protocol over any transport. */
export { McpServer } from './mcp-server.ts';
export { serveMcpStdio } from './stdio.ts';
export { MOST_ANSWER_BYTES } from './tools/bounded-rows.ts';
export type { McpGraph } from './tools/tool.ts';
