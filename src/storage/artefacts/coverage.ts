/**
 * Which files an artefact is to cover together (pure): files side by side that merges or imports have given, and each
 * flushed file by itself, since it is to be merged soon. So a hop or a look-up in a table asks few artefacts, whatever
 * merges and imports the table consists of.
 */
import type { SstFile } from '../api.ts';

/**
 * The files, oldest first, in stretches that one artefact is to cover each. Files that are covered already belong to
 * none, and end the one before them.
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
