/**
 * Counts the shared memory that a reader in another thread was given, by part of the graph. V8 does not count shared
 * memory towards the heap that refers to it, and a reader thread makes little other garbage, so that it could keep unused
 * arrays for hours. The giving thread therefore counts what the reader no longer needs, and tells the reader.
 */
export class GivenBuffers {
  #parts: ReadonlyMap<string, ReadonlySet<SharedArrayBuffer>> = new Map();

  /** The bytes of all shared memory that the reader needs. */
  get bytes(): number {
    return bytesOf(buffersOf(this.#parts));
  }

  /**
   * Notes all parts that the reader has after the next message; `shared` is null for a part that it keeps as it is.
   * @returns the bytes that the reader had and no longer needs
   */
  give(parts: Iterable<readonly [part: string, shared: object | null]>): number {
    const before = this.#parts;
    const now = new Map<string, ReadonlySet<SharedArrayBuffer>>();
    for (const [part, shared] of parts) now.set(part, shared === null ? (before.get(part) ?? new Set()) : buffersIn(shared));
    this.#parts = now;
    const kept = buffersOf(now);
    return bytesOf([...buffersOf(before)].filter((buffer) => !kept.has(buffer)));
  }
}

function buffersIn(shared: object, found = new Set<SharedArrayBuffer>()): Set<SharedArrayBuffer> {
  for (const value of Object.values(shared)) {
    if (ArrayBuffer.isView(value)) {
      if (value.buffer instanceof SharedArrayBuffer) found.add(value.buffer);
    } else if (typeof value === 'object' && value !== null) buffersIn(value, found);
  }
  return found;
}

function buffersOf(parts: ReadonlyMap<string, ReadonlySet<SharedArrayBuffer>>): Set<SharedArrayBuffer> {
  const all = new Set<SharedArrayBuffer>();
  for (const buffers of parts.values()) for (const buffer of buffers) all.add(buffer);
  return all;
}

function bytesOf(buffers: Iterable<SharedArrayBuffer>): number {
  let bytes = 0;
  for (const { byteLength } of buffers) bytes += byteLength;
  return bytes;
}
