/** Shared memory that is not in use, for the pieces to come. */
import { bestFitting } from './piece-memory.ts';

export class RoomPool {
  readonly #free: SharedArrayBuffer[] = [];
  #bytes = 0;
  readonly #mostBytes: number;

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  /** As many as there are for pieces of about these sizes. */
  take(sizes: readonly number[]): SharedArrayBuffer[] {
    const rooms: SharedArrayBuffer[] = [];
    for (const bytes of sizes) {
      const index = bestFitting(this.#free, bytes);
      if (index < 0) continue;
      const [room] = this.#free.splice(index, 1);
      this.#bytes -= room!.byteLength;
      rooms.push(room!);
    }
    return rooms;
  }

  give(room: SharedArrayBuffer): void {
    this.#free.push(room);
    this.#bytes += room.byteLength;
    while (this.#bytes > this.#mostBytes) this.#bytes -= this.#free.shift()!.byteLength;
  }
}
