/** The state of a shell between its inputs (parameters, timing), and the handling of each input. */
import type { Writable } from 'node:stream';
import { GraphDBError, monotonicMs } from '../../base/index.ts';
import type { StatementResult } from '../../engine/index.ts';
import { displayText, type Value } from '../../value/index.ts';
import type { Streams } from '../context.ts';
import { describeFailure } from '../failure.ts';
import { formatTable } from '../formats/table.ts';
import { paint, terminalWidth, withoutControls } from '../terminal.ts';
import type { Connection } from './connection.ts';
import type { ShellInput } from './statement-splitter.ts';

/** A command of the shell: a line that begins with a colon. */
export interface ShellCommand {
  readonly names: readonly string[];
  /** The arguments of the command, as help shows them after its name. */
  readonly usage: string;
  readonly help: string;
  readonly run: (session: Session, rest: string) => Promise<void>;
}

interface SessionOptions {
  readonly commands: readonly ShellCommand[];
  readonly timing: boolean;
}

/** A session of the shell. */
export class Session {
  connection: Connection;
  readonly output: Writable;
  readonly errors: Writable;
  readonly params = new Map<string, Value>();
  timing: boolean;
  /** Whether `:exit` was given. */
  isOver = false;
  readonly #commands: readonly ShellCommand[];
  /** Aborts the running statement; null: none is running. */
  #running: AbortController | null = null;

  constructor(connection: Connection, { output, errors }: Streams, { commands, timing }: SessionOptions) {
    this.connection = connection;
    this.output = output;
    this.errors = errors;
    this.timing = timing;
    this.#commands = commands;
  }

  /** Runs a statement or a command. False: it failed, and the failure was reported. */
  async run({ kind, text }: ShellInput): Promise<boolean> {
    try {
      if (kind === 'command') await this.#command(text);
      else await this.statement(text);
      return true;
    } catch (error) {
      this.errors.write(`${paint(this.errors, 'red', describeFailure(error, kind === 'statement' ? text : undefined))}\n`);
      return false;
    }
  }

  async statement(query: string): Promise<void> {
    const startedAt = monotonicMs();
    const result = await this.query(query);
    this.#show(result);
    if (this.timing) this.output.write(`${paint(this.output, 'dim', `${(monotonicMs() - startedAt).toFixed(1)} ms`)}\n`);
  }

  /** Runs a statement, which Ctrl-C stops. */
  async query(query: string, params: ReadonlyMap<string, Value> = this.params): Promise<StatementResult> {
    const controller = new AbortController();
    this.#running = controller;
    try {
      return await this.connection.execute(query, params, { signal: controller.signal });
    } finally {
      this.#running = null;
    }
  }

  /** Stops the running statement. False: none is running. */
  interrupt(): boolean {
    this.#running?.abort();
    return this.#running !== null;
  }

  #show(result: StatementResult): void {
    this.output.write(formatTable(result, { width: terminalWidth(this.output), paint: (style, text) => paint(this.output, style, text) }));
    for (const { title, description } of result.notifications ?? [])
      this.errors.write(`${paint(this.errors, 'yellow', withoutControls(`${title} ${description}`))}\n`);
  }

  async #command(text: string): Promise<void> {
    const [, name = '', rest = ''] = /^:(\S*)\s*([\s\S]*)$/.exec(text) ?? [];
    const command = this.#commands.find(({ names }) => names.includes(name));
    if (command === undefined) throw new GraphDBError('ARGUMENT_ERROR', `there is no command :${name}; :help lists them`);
    await command.run(this, rest.trim());
  }

  /** Formats a value for people. */
  show(value: Value): string {
    return withoutControls(typeof value === 'string' ? JSON.stringify(value) : displayText(value));
  }
}
