/**
 * A server of the Model Context Protocol over one graph, for any transport that carries messages: it answers
 * `initialize`, `ping`, `tools/list` and `tools/call`, and keeps no state between messages but the running calls, which
 * `notifications/cancelled` ends. Statements run under the rights and limits of the graph that the server is given.
 * Source: modelcontextprotocol.io/specification/2025-06-18.
 */
import { fromForeignError, GraphDBError, isFaultOfServer, VERSION } from '../base/index.ts';
import type { Value, ValueMap } from '../value/index.ts';
import { errorMessage, RpcError, type RpcId, type RpcRequest, readMessage, resultMessage } from './json-rpc.ts';
import { argumentsOf, schemaOf } from './tools/arguments.ts';
import { findTool, TOOLS } from './tools/table.ts';
import type { McpGraph, Tool } from './tools/tool.ts';

/** The options of the server. */
export interface McpServerOptions {
  readonly graph: McpGraph;
  /** Whether the tool that changes the graph is offered. */
  readonly mayWrite: boolean;
}

/** The versions of the protocol that the server speaks, the newest first. */
const VERSIONS: readonly string[] = ['2025-06-18', '2025-03-26', '2024-11-05'];

const INSTRUCTIONS =
  'A property graph that answers Cypher. Call get-schema first: labels, relationship types, properties with examples, and indexes ' +
  'are named there as statements must write them. ' +
  'Answers are cut after 1 MB, and say so: ask for properties rather than whole nodes, filter, aggregate, and use LIMIT.';

/** A server of the Model Context Protocol. */
export class McpServer {
  private readonly options: McpServerOptions;
  private readonly calls = new Map<RpcId, AbortController>();

  constructor(options: McpServerOptions) {
    this.options = options;
  }

  /** Tells whether the server speaks a version of the protocol; for transports that carry the version outside of messages. */
  static speaks(version: string): boolean {
    return VERSIONS.includes(version);
  }

  /**
   * Returns the answer to a message, as one line of JSON; null if the message wants none. Never rejects. `signal` ends
   * the tool call that the message makes, if it makes one.
   */
  async answer(text: string, signal?: AbortSignal): Promise<string | null> {
    let request: RpcRequest | null = null;
    try {
      request = readMessage(text);
      if (request === null) return null;
      const result = await this.resultOf(request, signal);
      return request.id === null ? null : resultMessage(request.id, result);
    } catch (error) {
      if (request !== null && request.id === null) return null;
      const id = request?.id ?? null;
      if (error instanceof RpcError) return errorMessage(error.id === null && id !== null ? Object.assign(error, { id }) : error);
      return errorMessage(Object.assign(new RpcError('internal', 'internal error'), { id }));
    }
  }

  private async resultOf({ id, method, params }: RpcRequest, signal: AbortSignal | undefined): Promise<unknown> {
    switch (method) {
      case 'initialize':
        return initialized(params);
      case 'ping':
        return {};
      case 'tools/list':
        return { tools: this.tools().map(descriptionOf) };
      case 'tools/call':
        return this.call(id, params, signal);
      case 'notifications/cancelled':
        this.cancel(params.get('requestId'));
        return {};
      default:
        // An unknown notification is ignored.
        if (id === null) return {};
        throw new RpcError('method', `there is no method ${JSON.stringify(method.slice(0, 100))}`);
    }
  }

  private tools(): readonly Tool[] {
    return TOOLS.filter(({ writes }) => !writes || this.options.mayWrite);
  }

  private cancel(id: Value | undefined): void {
    if (typeof id === 'string' || typeof id === 'number')
      this.calls.get(id)?.abort(new GraphDBError('CANCELLED', 'the call was cancelled'));
  }

  private async call(id: RpcId | null, params: ValueMap, outer: AbortSignal | undefined): Promise<unknown> {
    const name = params.get('name');
    const tool = typeof name === 'string' ? findTool(this.tools(), name) : undefined;
    if (tool === undefined) throw new RpcError('params', `there is no tool ${JSON.stringify(String(name).slice(0, 100))}`);
    const given = params.get('arguments') ?? new Map<string, Value>();
    if (!(given instanceof Map)) throw new RpcError('params', '"arguments" must be an object');
    const controller = new AbortController();
    const signal = outer === undefined ? controller.signal : AbortSignal.any([controller.signal, outer]);
    if (id !== null) this.calls.set(id, controller);
    try {
      return {
        content: [{ type: 'text', text: await tool.call(argumentsOf(tool.arguments, given), { graph: this.options.graph, signal }) }],
      };
    } catch (error) {
      return { content: [{ type: 'text', text: faultText(error) }], isError: true };
    } finally {
      if (id !== null && this.calls.get(id) === controller) this.calls.delete(id);
    }
  }
}

function initialized(params: ValueMap): unknown {
  const asked = params.get('protocolVersion');
  return {
    protocolVersion: typeof asked === 'string' && McpServer.speaks(asked) ? asked : VERSIONS[0],
    capabilities: { tools: {} },
    serverInfo: { name: 'graphdb', title: 'GraphDB', version: VERSION },
    instructions: INSTRUCTIONS,
  };
}

function descriptionOf({ name, title, description, arguments: described, writes }: Tool): unknown {
  return {
    name,
    title,
    description,
    inputSchema: schemaOf(described),
    annotations: { title, readOnlyHint: !writes, destructiveHint: writes, idempotentHint: !writes, openWorldHint: false },
  };
}

/**
 * Returns an error as text for a model: code, message and place, so that the model can write a better statement. The
 * details of internal errors are left out.
 */
function faultText(thrown: unknown): string {
  const error = fromForeignError(thrown);
  if (isFaultOfServer(error)) return 'INTERNAL: the call failed for a reason that is no fault of the statement';
  const { code, message, line, column } = error;
  return `${code}: ${message}${line === undefined ? '' : ` (line ${line}, column ${column})`}`;
}
