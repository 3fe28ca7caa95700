/**
 * Reads the changes of a namespace from its log (decision 0039), in a writer and in a follower alike, since everything
 * that is needed is in the bucket.
 *
 * Memory holds one commit at a time, beside a few objects of the log. The work of making events yields to others every
 * few milliseconds.
 */
import { crc32 } from 'node:zlib';
import { GraphDBError, inSlices } from '../../base/index.ts';
import type { ChangeReading, ChangeRow } from '../../exec/index.ts';
import { CommitChanges, type GraphStore } from '../../graph/index.ts';
import { type Capture, gone, type LoggedCommit, type Namespace } from '../../storage/index.ts';
import type { Value } from '../../value/index.ts';
import { eventOf, metadataOf } from './change-event.ts';
import { type ChangePlace, formatChangeId, parseChangeId, WHOLE_COMMIT } from './change-id.ts';
import { type ChangeFilter, filterOf } from './change-selectors.ts';

/** The most rows in one batch. */
const ROWS_AT_ONCE = 256;

/** The options of a change feed. */
export interface ChangeFeedOptions {
  readonly namespace: Namespace;
  /** The served graph, which knows every name that its commits use. */
  readonly graph: () => GraphStore;
  /** True if a retained version was opened, which never changes. */
  readonly isPinned: boolean;
  /** See `EngineParts.sliceMs`; Infinity is for tests. */
  readonly sliceMs: number;
}

/** The rows that are wanted of a commit. */
interface RowsWanted {
  /** The data of a graph that knows every name of the commit. */
  readonly data: GraphStore['data'];
  readonly captureId: string;
  readonly isWanted: ChangeFilter;
  /** The index of the change after which rows are wanted; -1: all are. */
  readonly after: number;
  readonly signal: AbortSignal | undefined;
}

/** Reads the changes of a namespace. */
export class ChangeFeed implements ChangeReading {
  private readonly options: ChangeFeedOptions;

  constructor(options: ChangeFeedOptions) {
    this.options = options;
  }

  async earliest(): Promise<string> {
    const { id: captureId } = this.capture();
    return formatChangeId({ captureId, index: WHOLE_COMMIT, ...(await this.options.namespace.earliestPosition()) });
  }

  current(): string {
    return formatChangeId(this.end());
  }

  async *read(
    from: string,
    selectors: readonly Value[],
    signal: AbortSignal | undefined,
  ): AsyncGenerator<readonly ChangeRow[], void, void> {
    const isWanted = filterOf(selectors);
    // One graph for all of it: other content, which has other names, may take its place meanwhile.
    const { data, publishedSequence: limit } = this.options.graph();
    const place = from === '' ? this.end() : this.placeOf(from, limit);
    if (place.sequence > limit) return; // a follower has nothing behind a commit that it has yet to follow
    const cursor = await this.options.namespace.openLog(place);
    const isPart = place.index !== WHOLE_COMMIT;
    // The client knows only a part of this commit, so it is read once more.
    if (isPart) yield* this.rest(place, { data, isWanted, signal });
    for (;;) {
      const commits = await cursor.read(limit, signal);
      if (commits.length === 0) return;
      for (const commit of commits) yield* this.rowsOf(commit, { data, captureId: place.captureId, isWanted, after: -1, signal });
    }
  }

  private async *rest(
    place: ChangePlace,
    { data, isWanted, signal }: Pick<RowsWanted, 'data' | 'isWanted' | 'signal'>,
  ): AsyncGenerator<readonly ChangeRow[], void, void> {
    const { captureId, sequence, index: after } = place;
    const cursor = await this.options.namespace.openLog({ ...place, sequence: sequence - 1, crc32: 0 });
    const [commit] = await cursor.read(sequence, signal);
    if (commit === undefined || crc32(commit.changes) !== place.crc32) throw gone(`commit ${sequence} is another one now`);
    yield* this.rowsOf(commit, { data, captureId, isWanted, after, signal });
  }

  /** Returns the place after the last published commit. */
  private end(): ChangePlace {
    const { namespace, graph } = this.options;
    const { id: captureId } = this.capture();
    const sequence = graph().publishedSequence;
    return { captureId, index: WHOLE_COMMIT, sequence, walNumber: namespace.manifest.walFloor, epoch: 0, crc32: 0 };
  }

  /**
   * Parses the id of a change. That of a commit beyond `limit` may be of one that a follower has not followed yet; in a
   * writer it is of one that was never answered, which a follower had seen before the writer took it back.
   *
   * @throws GONE if it is malformed, of another capture, or of a commit that was taken back.
   */
  private placeOf(id: string, limit: number): ChangePlace {
    const capture = this.capture();
    const place = parseChangeId(id);
    if (place === null) throw gone('there is no change of that identifier');
    if (place.captureId !== capture.id)
      throw gone('the identifier is of another namespace, or of a time before changes were turned on or content was imported or restored');
    if (place.sequence > limit && this.options.namespace.role === 'writer')
      throw gone(`commit ${place.sequence} was taken back, or is of nobody`);
    return place;
  }

  /**
   * Returns the capture of the served graph. A follower knows a newer manifest before it has read the content: an id
   * of that capture would say that its holder has seen it. @throws UNSUPPORTED if changes are not captured, or a
   * retained version is open.
   */
  private capture(): Capture {
    const { namespace, graph, isPinned } = this.options;
    const capture = namespace.manifest.capture && graph().filesManifest.capture;
    if (capture !== null && !isPinned) return capture;
    const why = isPinned
      ? 'a version that is retained never changes'
      : 'changes are not captured here; open the writer with --cdc-retention <duration>, such as 24h (GRAPHDB_CDC_RETENTION)';
    throw new GraphDBError('UNSUPPORTED', why, { neo4jCode: 'Neo.ClientError.ChangeDataCapture.Disabled' });
  }

  private async *rowsOf(
    commit: LoggedCommit,
    { data, captureId, isWanted, after, signal }: RowsWanted,
  ): AsyncGenerator<readonly ChangeRow[], void, void> {
    const { namespace } = this.options;
    const { sequence, walNumber, epoch, writerId } = commit;
    const changes = new CommitChanges(commit.changes, `commit ${sequence}`, data);
    const limits = { deadline: Number.POSITIVE_INFINITY, signal: signal ?? null, sliceMs: this.options.sliceMs };
    await inSlices(() => changes.readSome() === null, limits);
    const metadata = metadataOf(changes.facts, { databaseName: namespace.name, databaseId: captureId, writerId });
    const place = { captureId, sequence, walNumber, epoch, crc32: crc32(commit.changes) };
    const entities = changes.entities();
    let seq = 0;
    for (let next = entities.next(); next.done !== true; ) {
      const rows: ChangeRow[] = [];
      await inSlices(() => {
        const { done, value } = next;
        if (done === true) return true;
        next = entities.next();
        const event = eventOf(value, data.schema.constraints);
        // The id of the last change of a commit stands for the whole commit, of which nothing has to be read again.
        const id = formatChangeId({ ...place, index: next.done === true ? WHOLE_COMMIT : seq });
        if (seq > after && isWanted(metadata, event)) rows.push({ id, txId: sequence, seq, metadata, event });
        seq++;
        return rows.length === ROWS_AT_ONCE;
      }, limits);
      if (rows.length > 0) yield rows;
    }
  }
}
