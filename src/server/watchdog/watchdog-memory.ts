/**
 * The memory that the main thread and its watchdog share: the count of the main thread's turns, and the beginning of
 * the text of the statement that runs. The watchdog can read it even if the main thread never turns again.
 */

/** The most bytes of a text; longer texts are cut. */
const TEXT_BYTES = 4096;
const HEADER_BYTES = 8;
const TURNS = 0;
const LENGTH = 1;

/** The memory that the main thread and its watchdog share. */
export class WatchdogMemory {
  readonly buffer: SharedArrayBuffer;
  private readonly header: Int32Array;
  private readonly text: Buffer;
  private written = '';

  /** @param buffer the memory of the other thread; absent: new memory is made */
  constructor(buffer?: SharedArrayBuffer) {
    this.buffer = buffer ?? new SharedArrayBuffer(HEADER_BYTES + TEXT_BYTES);
    this.header = new Int32Array(this.buffer, 0, 2);
    this.text = Buffer.from(this.buffer, HEADER_BYTES, TEXT_BYTES);
  }

  /** The number of turns of the main thread since it began; wraps around. */
  get turns(): number {
    return Atomics.load(this.header, TURNS);
  }

  countTurn(): void {
    Atomics.add(this.header, TURNS, 1);
  }

  /** The beginning of the text of the statement that runs, or ran last; empty if there was none. */
  get statement(): string {
    return this.text.toString('utf8', 0, Atomics.load(this.header, LENGTH));
  }

  set statement(text: string) {
    if (text === this.written) return;
    this.written = text;
    Atomics.store(this.header, LENGTH, this.text.write(text));
  }
}
