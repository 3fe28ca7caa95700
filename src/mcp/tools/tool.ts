/** The form of a tool: a record of facts, and its work with checked arguments. */
import type { Engine } from '../../engine/index.ts';
import type { Value } from '../../value/index.ts';
import type { ArgumentFacts } from './arguments.ts';

/** The graph behind the tools: its rights and limits are those of whoever calls. */
export type McpGraph = Pick<Engine, 'execute' | 'stream'>;

/** The context of a call. */
export interface CallContext {
  readonly graph: McpGraph;
  readonly signal: AbortSignal;
}

/** Arguments by name, checked; those that were left out have their defaults. */
export type Arguments = ReadonlyMap<string, Value>;

/** A tool. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  /** For models: what it answers, and when to call it. */
  readonly description: string;
  readonly arguments: Readonly<Record<string, ArgumentFacts>>;
  /** It changes the graph; all others run statements that only read, which the engine holds by their plans. */
  readonly writes: boolean;
  /** Returns the text of the answer. Throws GraphDBError. */
  call(given: Arguments, context: CallContext): Promise<string>;
}
