/**
 * Fills a cache directory until it is killed: `node page-cache-child.ts <directory> <location>`. Prints a line once
 * some ranges are written.
 */
import { PageCache } from '../page-cache/page-cache.ts';

const [directory = '', location = ''] = process.argv.slice(2);
const cache = new PageCache({ directory, budgetBytes: 2 ** 24 });
const pages = cache.forStore(location);
for (;;) {
  for (let number = 0; number < 400; number++) {
    const file = { key: `data/file-${number % 7}.arrow`, bytes: 10 ** 6, crc32: number % 7 };
    const range = { file, offset: number * 1_000, length: 1_000 };
    pages.keep(
      range,
      Uint8Array.from({ length: 1_000 }, (_, at) => (number + at) & 255),
    );
    if (number === 100) {
      await cache.settled();
      process.stdout.write('writing\n');
    }
  }
  await cache.settled();
  for (let number = 0; number < 400; number++)
    pages.discard({
      file: { key: `data/file-${number % 7}.arrow`, bytes: 10 ** 6, crc32: number % 7 },
      offset: number * 1_000,
      length: 1_000,
    });
}
