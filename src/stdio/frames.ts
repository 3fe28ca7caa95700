/**
 * Frames over a pipe: the lengths of header and body as unsigned 32-bit little-endian numbers, the header (a JSON
 * object in UTF-8), and the body (bytes whose meaning the header gives; often none).
 */
import type { Writable } from 'node:stream';
import { GraphDBError } from '../base/index.ts';

/** A frame: header and body. */
export interface Frame {
  readonly header: string;
  readonly body: Uint8Array;
}

const PREFIX_BYTES = 8;
/** The most bytes of a header or a body, 512 MiB; larger ones could not become a string of Node. */
const LARGEST_BYTES = 512 * 1024 * 1024;

/** Yields the frames of a byte stream. @throws BAD_REQUEST for a frame that is too large or incomplete */
export async function* readFrames(input: AsyncIterable<Uint8Array>): AsyncGenerator<Frame, void, void> {
  const held: Uint8Array[] = [];
  let heldBytes = 0;
  let needed = PREFIX_BYTES;
  for await (const chunk of input) {
    held.push(chunk);
    heldBytes += chunk.byteLength;
    if (heldBytes < needed) continue;
    const bytes = Buffer.concat(held);
    let at = 0;
    for (needed = neededAt(bytes, at); bytes.byteLength - at >= needed; needed = neededAt(bytes, at)) {
      yield frameAt(bytes, at);
      at += needed;
    }
    held.length = 0;
    held.push(bytes.subarray(at));
    heldBytes = bytes.byteLength - at;
  }
  if (heldBytes > 0) throw new GraphDBError('BAD_REQUEST', 'the input ends in the middle of a frame');
}

/** Returns how many bytes the frame at `at` needs; 8, those of its lengths, while these are not known. */
function neededAt(bytes: Buffer, at: number): number {
  if (bytes.byteLength - at < PREFIX_BYTES) return PREFIX_BYTES;
  const header = bytes.readUInt32LE(at);
  const body = bytes.readUInt32LE(at + 4);
  if (header > LARGEST_BYTES || body > LARGEST_BYTES)
    throw new GraphDBError('BAD_REQUEST', `a frame of ${header} + ${body} bytes is too large`);
  return PREFIX_BYTES + header + body;
}

function frameAt(bytes: Buffer, at: number): Frame {
  const header = bytes.readUInt32LE(at);
  const start = at + PREFIX_BYTES;
  return {
    header: bytes.toString('utf8', start, start + header),
    body: bytes.subarray(start + header, start + header + bytes.readUInt32LE(at + 4)),
  };
}

const NO_BODY = new Uint8Array(0);

/** Writes a frame; resolves once the pipe takes more. */
export async function writeFrame(output: Writable, header: string, body: Uint8Array = NO_BODY): Promise<void> {
  const head = Buffer.from(header);
  const prefix = Buffer.allocUnsafe(PREFIX_BYTES);
  prefix.writeUInt32LE(head.byteLength, 0);
  prefix.writeUInt32LE(body.byteLength, 4);
  output.cork();
  output.write(prefix);
  output.write(head);
  const isFree = body.byteLength === 0 ? !output.writableNeedDrain : output.write(body);
  output.uncork();
  if (!isFree && !output.destroyed) await drained(output);
}

const draining = new WeakMap<Writable, Promise<void>>();

/** Resolves once the pipe takes more, or is closed. All callers that wait for a pipe share one set of listeners. */
function drained(output: Writable): Promise<void> {
  const known = draining.get(output);
  if (known !== undefined) return known;
  const waiting = new Promise<void>((resolve) => {
    const end = (): void => {
      output.off('drain', end).off('close', end);
      draining.delete(output);
      resolve();
    };
    output.on('drain', end).on('close', end);
  });
  draining.set(output, waiting);
  return waiting;
}
