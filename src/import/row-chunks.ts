/** Cuts the files of one input into chunks of whole rows, in order. Each chunk can be read by itself. */
import {
  CARRIAGE_RETURN,
  type ChunkBuffers,
  ChunkReader,
  type CsvDialect,
  LINE_FEED,
  lastRowEnd,
  openByteSource,
} from '../formats/index.ts';

/** A chunk of a file's rows. */
export interface RowChunk {
  /** The bytes `bytes[from] … bytes[to - 1]` are the chunk. The buffer belongs to the code that took the chunk. */
  readonly bytes: Buffer;
  readonly from: number;
  readonly to: number;
  /** Whether the first row is the header. */
  readonly hasHeader: boolean;
}

/** A chunk with its place in the file. */
export interface PlacedChunk extends RowChunk {
  readonly file: string;
  readonly isFirstOfFile: boolean;
  /** How many bytes of the file, as it is stored on disk, were read since the last chunk. */
  readonly bytesRead: number;
}

/** Yields the chunks of files, in order. Only the last chunk of a file can end with an incomplete row. */
export async function* rowChunks(files: readonly string[], dialect: CsvDialect, buffers: ChunkBuffers): AsyncGenerator<PlacedChunk> {
  let isHeaderAhead = true;
  for (const [index, file] of files.entries()) {
    if (index > 0) isHeaderAhead = false;
    const reader = new ChunkReader(file, await openByteSource(file), buffers);
    let consumed = 0;
    let position = 0;
    let isFirstOfFile = true;
    try {
      while (await reader.next(consumed)) {
        const { bytes, from, to, atEnd } = reader;
        consumed = atEnd ? to : lastRowEnd(bytes, from, to, dialect);
        yield { bytes, from, to: consumed, hasHeader: isHeaderAhead, file, isFirstOfFile, bytesRead: reader.position - position };
        position = reader.position;
        isFirstOfFile = false;
        isHeaderAhead &&= isEmpty(bytes, from, consumed);
      }
    } finally {
      await reader.close();
    }
  }
}

/** Tells whether a range has no text but line ends, so that it holds no rows. */
function isEmpty(bytes: Buffer, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (bytes[at] !== LINE_FEED && bytes[at] !== CARRIAGE_RETURN) return false;
  return true;
}
