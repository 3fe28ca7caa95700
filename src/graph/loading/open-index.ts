/** Opens a range index over a table in files, to be read from the bucket. */
import { GraphDBError } from '../../base/index.ts';
import { type Manifest, type Namespace, openRange, type RangeHits, type RangeIndex } from '../../storage/index.ts';
import { artefactsOver, openArtefact, type TableInFiles } from './covering-artefacts.ts';

/** A range index that was opened in the bucket. */
export interface OpenedRange {
  readonly index: RangeIndex;
  /** How many of the first files of the table the index covers. */
  readonly files: number;
}

/**
 * Opens the index on `keys`, which are names of properties in the order of the index. Returns null when no sound artefact
 * covers the first files, or the other files have too many rows.
 */
export async function openIndex(
  namespace: Pick<Namespace, 'openArtefact' | 'foundDamaged'>,
  manifest: Pick<Manifest, 'tables' | 'artefacts'>,
  tableInFiles: TableInFiles,
  keys: readonly string[],
): Promise<OpenedRange | null> {
  const [covering] = artefactsOver(manifest, tableInFiles, { kind: 'range', subject: { keys } });
  if (covering === undefined) return null;
  const { artefact, files } = covering;
  const index = await openArtefact(namespace, artefact, openRange);
  return index && { index: namingDamage(index, () => namespace.foundDamaged(artefact)), files };
}

/** Returns the index with `onDamage` called before each CORRUPTION error that it throws. */
function namingDamage(index: RangeIndex, onDamage: () => void): RangeIndex {
  const named = (error: unknown): never => {
    if (error instanceof GraphDBError && error.code === 'CORRUPTION') onDamage();
    throw error;
  };
  async function* pieces(hits: AsyncGenerator<RangeHits, void>): AsyncGenerator<RangeHits, void> {
    try {
      yield* hits;
    } catch (error) {
      named(error);
    }
  }
  return {
    directory: index.directory,
    keys: index.keys,
    equal: (values) => index.equal(values).catch(named),
    between: (bounds) => pieces(index.between(bounds)),
    prefix: (text) => pieces(index.prefix(text)),
  };
}
