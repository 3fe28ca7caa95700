/** Opens an index on properties of a table in files to be asked in the bucket. */
import { GraphDBError } from '../../base/index.ts';
import { type Manifest, type Namespace, openRange, type RangeHits, type RangeIndex } from '../../storage/index.ts';
import type { LaterRows } from '../paged/later-rows.ts';
import { PagedIndex } from '../paged/paged-index.ts';
import { artefactOver, openArtefact, type TableInFiles } from './covering-artefacts.ts';

/** `keys`: names of properties, in the order of the index; `later`: what the files do not hold. Null: no sound artefact over them covers just these files. */
export async function openIndex(
  namespace: Pick<Namespace, 'openArtefact' | 'foundDamaged'>,
  manifest: Pick<Manifest, 'tables' | 'artefacts'>,
  tableInFiles: TableInFiles,
  { keys, later }: { readonly keys: readonly string[]; readonly later: LaterRows },
): Promise<PagedIndex | null> {
  const artefact = artefactOver(manifest, tableInFiles, { kind: 'range', subject: { keys } });
  if (artefact === null) return null;
  const index = await openArtefact(namespace, artefact, openRange);
  return (
    index &&
    new PagedIndex(
      keys.join(', '),
      namingDamage(index, () => namespace.foundDamaged(artefact)),
      later,
    )
  );
}

/** Calls back before it tells that it is damaged or missing. */
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
