/**
 * The transport over standard input and output: one message per line. Calls run concurrently; every message is answered
 * before `serveMcpStdio` resolves.
 */
import type { Readable, Writable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import type { McpServer } from './mcp-server.ts';

/** Longest message in characters (64 Mi); a longer line ends the session. */
const LONGEST_MESSAGE = 64 * 2 ** 20;

/** Answers messages until the input ends, and then resolves. A line that is too long stops the running calls and rejects. */
export async function serveMcpStdio(
  server: McpServer,
  { input, output }: { readonly input: Readable; readonly output: Writable },
): Promise<void> {
  const running = new Set<Promise<void>>();
  const stopped = new AbortController();
  const handle = async (line: string): Promise<void> => {
    const answer = await server.answer(line, stopped.signal);
    if (answer !== null && output.writable) output.write(`${answer}\n`);
  };
  try {
    for await (const line of linesOf(input)) {
      const handling = handle(line).finally(() => running.delete(handling));
      running.add(handling);
    }
  } catch (error) {
    stopped.abort();
    throw error;
  } finally {
    await Promise.allSettled(running);
  }
}

async function* linesOf(input: Readable): AsyncGenerator<string, void, void> {
  const decoder = new StringDecoder('utf8');
  let begun: string[] = [];
  let length = 0;
  for await (const bytes of input) {
    const [end = '', ...lines] = decoder.write(bytes as Buffer).split('\n');
    begun.push(end);
    length += end.length;
    if (length > LONGEST_MESSAGE) throw new RangeError(`a message is longer than ${LONGEST_MESSAGE} characters`);
    if (lines.length === 0) continue;
    const rest = lines.pop()!;
    for (const line of [begun.join(''), ...lines]) if (line.trim() !== '') yield line;
    begun = [rest];
    length = rest.length;
  }
  const last = begun.join('');
  if (last.trim() !== '') yield last;
}
