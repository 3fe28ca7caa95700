/** Reads the text of a statement or of its parameters: the argument itself, `@file`, or `-` for standard input. */
import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { GraphDBError } from '../base/index.ts';
import { parseJson, type Value } from '../value/index.ts';
import type { Streams } from './context.ts';

/** Reads the text of a statement. A file that cannot be read is wrong usage. */
export async function readQueryText(argument: string, command: Command, streams: Streams): Promise<string> {
  if (argument === '-') return readAll(streams);
  if (argument.startsWith('@')) return readNamedFile(argument.slice(1), command);
  return argument;
}

async function readNamedFile(path: string, command: Command): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    command.error(`error: cannot read "${path}": ${error instanceof Error ? error.message : String(error)}`, { exitCode: 2 });
  }
}

async function readAll(streams: Streams): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of streams.input) pieces.push(Buffer.from(piece as Uint8Array | string));
  return Buffer.concat(pieces).toString('utf8');
}

/** Reads `--params`: a JSON object, or `@file` with one. Anything else is wrong usage. */
export async function readParams(argument: string | undefined, command: Command): Promise<ReadonlyMap<string, Value>> {
  if (argument === undefined) return new Map();
  const text = argument.startsWith('@') ? await readNamedFile(argument.slice(1), command) : argument;
  const fault = (reason: string): never => command.error(`error: --params: ${reason}`, { exitCode: 2 });
  try {
    const params = parseJson(text);
    return params instanceof Map ? params : fault('must be a JSON object');
  } catch (error) {
    if (error instanceof GraphDBError) return fault(error.message);
    throw error;
  }
}
