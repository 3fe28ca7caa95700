/**
 * Messages of JSON-RPC 2.0 as the Model Context Protocol uses them: one object a message, no batches. Numbers keep
 * their exact value: they may be parameters of statements. Source: www.jsonrpc.org/specification,
 * modelcontextprotocol.io/specification/2025-06-18/basic.
 */
import { JsonReader, type Value, type ValueMap } from '../value/index.ts';

/** The identifier of a request. */
export type RpcId = string | number;

/** A request, which wants an answer, or a notification, which has no id and wants none. */
export interface RpcRequest {
  /** Null for a notification. */
  readonly id: RpcId | null;
  readonly method: string;
  readonly params: ValueMap;
}

/** The error with which a request is answered instead of a result. */
export class RpcError extends Error {
  readonly code: number;
  readonly id: RpcId | null;

  constructor(code: keyof typeof CODES, message: string, id: RpcId | null = null) {
    super(message);
    this.code = CODES[code];
    this.id = id;
  }
}

const CODES = { parse: -32700, request: -32600, method: -32601, params: -32602, internal: -32603 } as const;

/** Parses a message. Null for a response, which is ignored: this side sends no requests. @throws RpcError if the text is no message. */
export function readMessage(text: string): RpcRequest | null {
  const message = parsed(text);
  if (!(message instanceof Map)) throw new RpcError('request', 'a message is one JSON object; batches are not taken');
  const given = message.get('id') ?? null;
  if (given !== null && typeof given !== 'string' && typeof given !== 'number')
    throw new RpcError('request', 'an id is a string or an integer');
  const method = message.get('method');
  if (message.get('jsonrpc') !== '2.0') throw new RpcError('request', '"jsonrpc" must be "2.0"', given);
  if (method === undefined && (message.has('result') || message.has('error'))) return null;
  if (typeof method !== 'string') throw new RpcError('request', '"method" must be a string', given);
  const params = message.get('params') ?? new Map<string, Value>();
  if (!(params instanceof Map)) throw new RpcError('params', '"params" must be an object', given);
  return { id: given, method, params };
}

function parsed(text: string): Value {
  try {
    const reader = new JsonReader(text);
    reader.read(Number.POSITIVE_INFINITY);
    return reader.value;
  } catch {
    throw new RpcError('parse', 'the message is no JSON');
  }
}

/** Returns the response with a result, as JSON. */
export function resultMessage(id: RpcId, result: unknown): string {
  return JSON.stringify({ jsonrpc: '2.0', id, result });
}

/** Returns the response with an error, as JSON. */
export function errorMessage({ id, code, message }: RpcError): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } });
}
