/** The official client of the Model Context Protocol, connected to the command line or to a server of this process. */
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { type Identify, openToAll, silentLogger } from '../../src/base/index.ts';
import { type Engine, openEngine } from '../../src/engine/index.ts';
import { createHttpServer } from '../../src/http/index.ts';
import { oneNamespace } from '../../src/namespaces/index.ts';

/** JSON that a test looks into. */
export interface Found {
  readonly [name: string]: Found | undefined;
}

/** A list within it. */
export function listed(found: Found | undefined): readonly Found[] {
  return found as unknown as readonly Found[]; // as: the test says that it is one
}

export interface Called {
  readonly text: string;
  readonly isError: boolean;
}

export async function called(client: Client, name: string, given: Record<string, unknown> = {}): Promise<Called> {
  const { content, isError } = await client.callTool({ name, arguments: given });
  const [part] = content as { type: string; text: string }[];
  return { text: part?.text ?? '', isError: isError === true };
}

/** The command `graphdb mcp` with a client. */
export async function startCommand(context: TestContext, args: readonly string[]): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  const main = join(import.meta.dirname, '../../src/cli/main.ts');
  const transport = new StdioClientTransport({ command: process.execPath, args: [main, 'mcp', ...args], stderr: 'inherit' });
  await client.connect(transport);
  context.after(() => client.close());
  return client;
}

export interface McpHttpBench {
  readonly url: string;
  readonly engine: Engine;
  connect(token?: string): Promise<Client>;
}

let stores = 0;

export async function startHttp(context: TestContext, options: { identify?: Identify; mayWrite?: boolean } = {}): Promise<McpHttpBench> {
  const { identify = openToAll, mayWrite: agentsMayWrite = false } = options;
  const engine = await openEngine(`memory://mcp-${process.pid}-${stores++}?ns=default`, { flushIntervalMs: 0 });
  const http = await createHttpServer({ version: 'x', maxRequestBytes: 2 ** 20, logger: silentLogger, identify, agentsMayWrite });
  http.serve(oneNamespace(engine));
  const url = await http.listen({ host: '127.0.0.1', port: 0 });
  context.after(async () => {
    await http.stop({ graceMs: 0 });
    await engine.close();
  });
  return {
    url,
    engine,
    async connect(token) {
      const client = new Client({ name: 'test', version: '1' });
      const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
      await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }));
      context.after(() => client.close());
      return client;
    },
  };
}
