/**
 * Artefacts in the simulation: every engine keeps lists of values over its node tables, and whoever asks them must find
 * what the rows say, whatever flushes, merges, collections, rival writers and crashes have made of them (B9).
 */
import { GraphDBError } from '../../src/base/index.ts';
import { BUILT_IN_KINDS, type ManifestArtefact, MissingFileError, type Namespace } from '../../src/storage/index.ts';
import { linesOfArtefact, linesOfRows } from '../../src/storage/testing/covered-content.ts';
import { findValues, valueListKind } from '../../src/storage/testing/value-list-kind.ts';
import type { Random } from '../support/random.ts';
import { assertSame, Violation } from './violation.ts';

/** Keys of nodes: one never changes, the others do. */
const KEYS = ['k', 'v', 't'] as const;

export const ARTEFACT_KINDS = [valueListKind(KEYS), ...BUILT_IN_KINDS];

/**
 * Asks the lists and the rows of some tables, in the manifest that the namespace was opened with. Returns how many artefacts answered.
 * A file that is missing is a matter of the reader, who was slow, when the manifest is not retained any more.
 */
export async function checkArtefacts(who: string, namespace: Namespace, random: Random): Promise<number> {
  const { manifest } = namespace;
  const tables = manifest.tables.filter(({ kind }) => kind === 'nodes');
  let asked = 0;
  for (let looks = 0; looks < 3 && tables.length > 0; looks++) {
    const table = random.pick(tables);
    const key = random.pick(KEYS);
    let damage: Error | null = null;
    const onDamage = (error: Error): void => {
      damage = error;
    };
    const byRows = await findValues(namespace, { ...manifest, artefacts: [] }, { table, key, onDamage });
    const wanted = random.chance(0.5) && byRows.length > 0 ? valueOf(random.pick(byRows)) : undefined;
    const found = await findValues(namespace, manifest, { table, key, onDamage, wanted });
    if (damage !== null && (await namespace.isRetained(manifest.version)))
      throw new Violation(`${who} finds an artefact damaged`, { cause: damage });
    const expected = byRows.filter((line) => wanted === undefined || valueOf(line) === wanted);
    assertSame(found.join('\n'), expected.join('\n'), `${who}: values of ${key} by artefacts and by rows`);
    if (damage === null) asked += manifest.artefacts.length;
  }
  for (const artefact of manifest.artefacts) await checkEntries(who, namespace, artefact);
  return asked;
}

/** Every entry of an artefact of a built-in kind is one of the rows that it covers, and every live row has its entry. */
async function checkEntries(who: string, namespace: Namespace, artefact: ManifestArtefact): Promise<void> {
  const { manifest } = namespace;
  try {
    const found = await linesOfArtefact(namespace, artefact, manifest);
    if (found === null) return;
    const expected = await linesOfRows(namespace, artefact, manifest);
    const { kind, subject } = artefact;
    assertSame(
      found.join('\n'),
      expected.join('\n'),
      `${who}: entries of the ${kind} ${JSON.stringify(subject)}, and the rows that it covers`,
    );
  } catch (error) {
    if (!(error instanceof GraphDBError) || error.code !== 'CORRUPTION') throw error;
    if (await namespace.isRetained(manifest.version)) throw new Violation(`${who} finds an artefact damaged`, { cause: error });
    throw error;
  }
}

/** A line is a value and an ordinal. */
function valueOf(line: string): string {
  return line.slice(0, line.lastIndexOf(' '));
}

/** Whether a reader asked for a file that had been removed, with the manifest that named it. */
export function isMissingFile(error: unknown): boolean {
  return error instanceof MissingFileError;
}
