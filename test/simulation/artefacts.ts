/**
 * Artefacts in the simulation: every engine keeps lists of values over its node tables, and whoever asks them must find what the rows say, whatever flushes, merges, collections, rival writers and crashes
 * have made of them (B9).
 */
import { BUILT_IN_KINDS, MissingFileError, type Namespace } from '../../src/storage/index.ts';
import { findValues, valueListKind } from '../../src/storage/testing/value-list-kind.ts';
import type { Random } from '../support/random.ts';
import { assertSame, Violation } from './violation.ts';

/** Of what nodes have: one key never changes, the others do. */
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
  return asked;
}

/** A line is a value and an ordinal. */
function valueOf(line: string): string {
  return line.slice(0, line.lastIndexOf(' '));
}

/** Whether a reader asked for a file that had been removed, with the manifest that named it. */
export function isMissingFile(error: unknown): boolean {
  return error instanceof MissingFileError;
}
