/**
 * The messages of an Arrow IPC stream (https://arrow.apache.org/docs/format/Columnar.html#ipc-streaming-format): a
 * schema, record batches, end of stream.
 */
import { arrowRecordBatchMessage, arrowSchemaMessage } from './arrow-metadata.ts';
import type { ArrowSchema } from './arrow-type.ts';

const CONTINUATION = 0xffff_ffff;
/** The alignment in bytes of each buffer in the body of a batch. */
const ALIGNMENT = 8;

/** The end of a stream: a continuation marker and a length of zero. */
export const ARROW_END_OF_STREAM = Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0);

/**
 * The arrays of a record batch, in the order of Arrow: for each column its length and null count, the validity bitmap
 * (empty if nothing is null), offsets where lengths vary, and values; then the arrays of its child columns, in the same
 * way.
 */
export class ArrowArrays {
  readonly nodes: (readonly [length: number, nulls: number])[] = [];
  readonly buffers: Uint8Array[] = [];

  node(length: number, nulls: number): void {
    this.nodes.push([length, nulls]);
  }

  /** Adds an array, which is not copied until the batch is written, so it must not change. */
  buffer({ buffer, byteOffset, byteLength }: ArrayBufferView): void {
    this.buffers.push(new Uint8Array(buffer, byteOffset, byteLength));
  }
}

/** Returns the message that begins a stream. */
export function arrowStreamSchema(schema: ArrowSchema): Uint8Array {
  return framed(arrowSchemaMessage(schema), [], 0);
}

/** Returns the message of a record batch of `rows` rows. */
export function arrowStreamBatch(rows: number, { nodes, buffers }: ArrowArrays): Uint8Array {
  let bodyBytes = 0;
  const places = buffers.map(({ length }): readonly [number, number] => {
    const offset = bodyBytes;
    bodyBytes += Math.ceil(length / ALIGNMENT) * ALIGNMENT;
    return [offset, length];
  });
  const message = arrowRecordBatchMessage({ rows, nodes, buffers: places, bodyBytes, compressed: false });
  return framed(
    message,
    buffers.map((bytes, index) => [places[index]![0], bytes]),
    bodyBytes,
  );
}

/** Returns a message: a marker, the length of the metadata (a multiple of eight), the metadata, and the body. */
function framed(message: Uint8Array, body: readonly (readonly [offset: number, bytes: Uint8Array])[], bodyBytes: number): Uint8Array {
  const bytes = new Uint8Array(8 + message.length + bodyBytes);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, CONTINUATION, true);
  view.setUint32(4, message.length, true);
  bytes.set(message, 8);
  for (const [offset, part] of body) bytes.set(part, 8 + message.length + offset);
  return bytes;
}
