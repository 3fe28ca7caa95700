/** Growth of memory from one step of loading to the next. */
import { arrayBufferBytes, type BytesByHolder } from './array-buffers.ts';

interface Step {
  readonly name: string;
  readonly bytes: number;
  readonly byCount: number;
  readonly entities: number;
  readonly entity: string;
  readonly heapBytes: number;
}

export class Steps {
  readonly #measured: 'resident' | 'arrays';
  readonly #steps: Step[] = [];
  #holders: BytesByHolder = new Map();

  constructor(measured: 'resident' | 'arrays') {
    this.#measured = measured;
  }

  /** `byCount`: what its arrays take by count; 0: nothing to compare with. `entities`: of which something was loaded; 0: none. */
  add(name: string, byCount: number, entities: number, entity: string): void {
    const { rss, heapUsed } = process.memoryUsage();
    if (this.#measured === 'arrays') this.#holders = arrayBufferBytes();
    const bytes = this.#measured === 'resident' ? rss : [...this.#holders.values()].reduce((sum, each) => sum + each, 0);
    this.#steps.push({ name, bytes, byCount, entities, entity, heapBytes: heapUsed });
  }

  print(holders: number): void {
    const what = this.#measured === 'resident' ? 'resident' : 'arrays';
    console.log(
      `| loaded | ${what}, MB | more than before, MB | by count, MB | ratio | bytes for each | heap in use, MB |\n|${' --- |'.repeat(7)}`,
    );
    for (const [index, { name, bytes, byCount, entities, entity, heapBytes }] of this.#steps.entries()) {
      const more = bytes - (this.#steps[index - 1]?.bytes ?? 0);
      const [ratio, counted] = byCount === 0 ? ['', ''] : [(more / byCount).toFixed(2), megabytes(byCount)];
      const each = entities === 0 ? '' : `${(more / entities).toFixed(1)} (${entity})`;
      console.log(`| ${name} | ${megabytes(bytes)} | ${megabytes(more)} | ${counted} | ${ratio} | ${each} | ${megabytes(heapBytes)} |`);
    }
    if (this.#holders.size === 0) return;
    console.log('\n| held by | MB |\n| --- | --- |');
    const largest = [...this.#holders].sort((a, b) => b[1] - a[1]).slice(0, holders);
    for (const [holder, bytes] of largest) console.log(`| ${holder} | ${megabytes(bytes)} |`);
  }
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}
