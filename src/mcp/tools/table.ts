/** The table of tools. */
import { readCypher, writeCypher } from './cypher.ts';
import { listGdsProcedures } from './gds-procedures.ts';
import { neighbours } from './neighbours.ts';
import { getSchema } from './schema.ts';
import { search } from './search.ts';
import type { Tool } from './tool.ts';

/** All tools, in the order in which they are listed to clients. */
export const TOOLS: readonly Tool[] = [getSchema, readCypher, search, neighbours, listGdsProcedures, writeCypher];

/** Returns the tool of a name; undefined if there is none. */
export function findTool(tools: readonly Tool[], name: string): Tool | undefined {
  return tools.find((tool) => tool.name === name);
}
