/** `graphdb mcp`: serves the graph to agents by the Model Context Protocol, over standard input and output. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { createEnvironmentLogger, GraphDBError, parseDurationMs } from '../../base/index.ts';
import type { McpGraph } from '../../mcp/index.ts';
import type { CliContext } from '../context.ts';
import { canOpenForReading } from '../read-intent.ts';
import { storeUriOption } from '../store.ts';

const NOTES = `
Standard output carries the protocol: start it from an agent's settings, such as
  { "command": "graphdb", "args": ["mcp", "--store", "file:///data?ns=social"] }
Without --write the store is opened for reading only, beside whoever writes to it. With --write this process is the
writer of the namespace, and a server that wrote to it before only reads it from then on: agents of a store that a server
serves are better connected to that server, at /mcp.`;

interface McpOptions {
  readonly store: string;
  readonly write?: boolean;
  readonly queryTimeout: number;
}

/** Adds `graphdb mcp` to the program. */
export function registerMcp(program: Command, context: CliContext): void {
  program
    .command('mcp')
    .description('serve the graph to agents (Model Context Protocol) over standard input and output')
    .addOption(storeUriOption('--store <uri>', 'storage URI').makeOptionMandatory())
    .option('--write', 'with a tool that changes the graph')
    .addOption(
      new Option('--query-timeout <duration>', 'longest run of a statement, such as 30s or 5m')
        .default(30_000, '30s')
        .argParser(parseTimeout),
    )
    .addHelpText('after', NOTES)
    .action(async ({ store, write: mayWrite = false, queryTimeout: timeoutMs }: McpOptions) => {
      const { McpServer, serveMcpStdio } = await import('../../mcp/index.ts');
      const { openEngine } = await import('../../engine/index.ts');
      const { input, output } = context.streams;
      // Standard output carries the protocol, so log lines go to standard error.
      const engine = await openEngine(
        store,
        { readOnly: !mayWrite && canOpenForReading(store) },
        { logger: await createEnvironmentLogger() },
      );
      const limited: McpGraph = {
        execute: (query, params, options) => engine.execute(query, params, { timeoutMs, ...options }),
        stream: (query, params, options) => engine.stream(query, params, { timeoutMs, ...options }),
      };
      try {
        await serveMcpStdio(new McpServer({ graph: limited, mayWrite }), { input, output });
      } finally {
        await engine.close();
      }
    });
}

function parseTimeout(text: string): number {
  try {
    return parseDurationMs(text);
  } catch (error) {
    if (error instanceof GraphDBError) throw new InvalidArgumentError(error.message);
    throw error;
  }
}
