/** The door to arrow/: loaded at its first use, since the library behind it is large. */
import type { StatementStream } from '../engine/index.ts';

/** The rows of a statement as an Arrow IPC stream (see arrow/encode-stream.ts). */
export async function* encodeArrowStream(stream: StatementStream): AsyncGenerator<Uint8Array, void, void> {
  const encoder = await import('./arrow/encode-stream.ts');
  yield* encoder.encodeArrowStream(stream);
}
