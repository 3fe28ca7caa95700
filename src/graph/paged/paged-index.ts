/** An index over a table in files, asked in the bucket: what was found is kept, and what is asked for the first time is noted as missing. */
import { ByteWriter, LRUCache } from '../../base/index.ts';
import { encodeValue, type Value } from '../../value/index.ts';
import { type Missing, noteMissing } from './page-faults.ts';

/** Finds rows of the table, in ascending order, by the values of all keys. */
export type FindRows = (values: readonly Value[]) => Promise<readonly number[]>;

const KEPT_ANSWERS = 1_024;
const NOTHING: readonly number[] = [];

export class PagedIndex {
  readonly #name: string;
  readonly #find: FindRows;
  readonly #known = new LRUCache<string, readonly number[]>(KEPT_ANSWERS);
  readonly #missing = new Map<string, Missing>();

  constructor(name: string, find: FindRows) {
    this.#name = name;
    this.#find = find;
  }

  /** The rows; none where they are not known yet, which is noted. INTERNAL: nobody watches for what is missing. */
  find(values: readonly Value[]): readonly number[] {
    const question = questionOf(values);
    const known = this.#known.get(question);
    if (known !== undefined) return known;
    let missing = this.#missing.get(question);
    if (missing === undefined) {
      let asking: Promise<void> | null = null;
      missing = { load: () => (asking ??= this.#ask(question, values)) };
      this.#missing.set(question, missing);
    }
    noteMissing(missing, `index ${this.#name}`);
    return NOTHING;
  }

  async #ask(question: string, values: readonly Value[]): Promise<void> {
    try {
      this.#known.set(question, await this.#find(values));
    } finally {
      this.#missing.delete(question);
    }
  }
}

function questionOf(values: readonly Value[]): string {
  const writer = new ByteWriter();
  for (const value of values) encodeValue(value, writer);
  return Buffer.from(writer.view()).toString('latin1');
}
