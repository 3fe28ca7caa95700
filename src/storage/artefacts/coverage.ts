/**
 * Decides which files an artefact should cover together (pure): consecutive files that merges or imports have made, and
 * each flushed file by itself, since it is merged soon. So a hop or a look-up in a table reads few artefacts, however
 * many merges and imports the table consists of.
 */
import type { SstFile } from '../api.ts';

/**
 * Divides files, oldest first, into stretches, each to be covered by one artefact. A file that is covered already
 * belongs to no stretch, and ends the one before it.
 */
export function stretchesOf(files: readonly SstFile[], isCovered: (file: SstFile) => boolean = () => false): SstFile[][] {
  const stretches: SstFile[][] = [];
  let last: SstFile | null = null;
  for (const file of files) {
    if (isCovered(file)) last = null;
    else {
      if (last !== null && last.level > 0 && last.level === file.level) stretches.at(-1)!.push(file);
      else stretches.push([file]);
      last = file;
    }
  }
  return stretches;
}
