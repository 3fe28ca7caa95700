/** The `COPY` lines of the Dockerfile, and folders that hold what they copy. */
import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export interface Copy {
  readonly sources: readonly string[];
  readonly target: string;
  /** The stage of the line, from one. */
  readonly stage: number;
}

/** Returns what is copied from the context; copies from another stage are left out. */
export function copiesOf(root: string): readonly Copy[] {
  let stage = 0;
  return readFileSync(join(root, 'Dockerfile'), 'utf8')
    .split('\n')
    .flatMap((line) => {
      const [command, ...words] = line.trim().split(/\s+/);
      if (command === 'FROM') stage++;
      if (command !== 'COPY' || words.some((word) => word.startsWith('--from'))) return [];
      return [{ sources: words.slice(0, -1), target: words.at(-1)!, stage }];
    });
}

/** Copies files of `root` into a folder, as the lines say. */
export function fillContext(root: string, folder: string, copies: readonly Copy[]): void {
  for (const { sources, target } of copies) {
    for (const source of sources) {
      const place = join(folder, target.endsWith('/') ? join(target, source.split('/').at(-1)!) : target);
      mkdirSync(dirname(place), { recursive: true });
      cpSync(join(root, source), place, { recursive: true });
    }
  }
}
