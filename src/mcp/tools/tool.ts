/** The form of a tool: a record of facts, and its work with checked arguments. */
import type { Engine } from '../../engine/index.ts';
import type { Value } from '../../value/index.ts';
import type { ArgumentFacts } from './arguments.ts';

/** The graph behind the tools, with the rights and limits of the caller. */
export type McpGraph = Pick<Engine, 'execute' | 'stream'>;

/** The context of a call: the graph, and the signal that ends the call. */
export interface CallContext {
  readonly graph: McpGraph;
  readonly signal: AbortSignal;
}

/** Checked arguments by name; arguments that were left out have their defaults. */
export type Arguments = ReadonlyMap<string, Value>;

/** A tool that a model can call. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  /** Text for models: what the tool answers, and when to call it. */
  readonly description: string;
  readonly arguments: Readonly<Record<string, ArgumentFacts>>;
  /** The tool may change the graph. All other tools run statements as reads: the engine refuses a plan that writes. */
  readonly writes: boolean;
  /** Returns the text of the answer. @throws GraphDBError */
  call(given: Arguments, context: CallContext): Promise<string>;
}
