/** Metrics for Prometheus of the caches of this process for what is read from files, in memory and on disk. */
import { Counter, Gauge, type Registry } from 'prom-client';
import { sharedPageCaches, sharedSstCache } from '../engine/index.ts';
import type { PageCache, SstCache } from '../storage/index.ts';

/** Adds the metrics of caches to a registry. */
export function addCaches(registry: Registry): void {
  const registers = [registry];
  const counter = (name: string, help: string, read: () => number): void => {
    new Counter({
      name,
      help,
      registers,
      collect() {
        this.reset();
        this.inc(read());
      },
    });
  };
  const gauge = (name: string, help: string, read: () => number): void => {
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read());
      },
    });
  };
  const inMemory = (read: (cache: SstCache) => number) => (): number => {
    const cache = sharedSstCache();
    return cache === null ? 0 : read(cache);
  };
  const onDisk = (read: (cache: PageCache) => number) => (): number => [...sharedPageCaches()].reduce((sum, cache) => sum + read(cache), 0);
  counter(
    'graphdb_sst_cache_hits_total',
    'Reads from SSTs that the cache answered',
    inMemory(({ hits }) => hits),
  );
  counter(
    'graphdb_sst_cache_misses_total',
    'Reads from SSTs that it did not',
    inMemory(({ misses }) => misses),
  );
  gauge(
    'graphdb_sst_cache_bytes',
    'Bytes in the cache of SSTs',
    inMemory(({ bytes }) => bytes),
  );
  gauge(
    'graphdb_sst_cache_budget_bytes',
    'Most bytes that it holds',
    inMemory(({ budgetBytes }) => budgetBytes),
  );
  counter(
    'graphdb_page_cache_hits_total',
    'Ranges of remote files that the cache on disk had',
    onDisk(({ hits }) => hits),
  );
  counter(
    'graphdb_page_cache_misses_total',
    'Ranges of remote files that it did not have',
    onDisk(({ misses }) => misses),
  );
  counter(
    'graphdb_page_cache_read_bytes_total',
    'Bytes that were read from it',
    onDisk(({ readBytes }) => readBytes),
  );
  counter(
    'graphdb_page_cache_written_bytes_total',
    'Bytes that were written to it',
    onDisk(({ writtenBytes }) => writtenBytes),
  );
  counter(
    'graphdb_page_cache_damaged_total',
    'Files in it that were found torn, damaged or foreign, and removed',
    onDisk(({ damaged }) => damaged),
  );
  gauge(
    'graphdb_page_cache_bytes',
    'What it takes on the disk',
    onDisk(({ bytes }) => bytes),
  );
  gauge(
    'graphdb_page_cache_budget_bytes',
    'Most that it takes there',
    onDisk(({ budgetBytes }) => budgetBytes),
  );
}
