import {
  CARRIAGE_RETURN,
  type ChunkBuffers,
  ChunkReader,
  type CsvDialect,
  LINE_FEED,
  lastRowEnd,
  openByteSource,
} from '../formats/index.ts';
/** The files of one input in chunks of whole rows, in order: each can be read by itself. */

/** A chunk of a file's rows. */
export interface RowChunk {
  /** `bytes[from] … bytes[to - 1]`. The buffer belongs to whoever took the chunk. */
  readonly bytes: Buffer;
  readonly from: number;
  readonly to: number;
  /** Its first row is the header. */
  readonly hasHeader: boolean;
}

/** A chunk with its place in the file. */
export interface PlacedChunk extends RowChunk {
  readonly file: string;
  readonly isFirstOfFile: boolean;
  /** Bytes of the file as it lies on disk, read since the chunk before. */
  readonly bytesRead: number;
}

/** Only the last chunk of a file can end with a row that is not complete. */
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

/** Lines without any text are no rows. */
function isEmpty(bytes: Buffer, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (bytes[at] !== LINE_FEED && bytes[at] !== CARRIAGE_RETURN) return false;
  return true;
}
