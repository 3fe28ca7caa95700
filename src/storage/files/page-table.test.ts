import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crc32 } from 'node:zlib';
import { withMetrics } from '../../object-store/index.ts';
import type { ManifestArtefact } from '../api.ts';
import { UploadingSink } from '../artefacts/page-sink.ts';
import { PagedReader } from '../artefacts/paged-reader.ts';
import { freshStore } from '../testing/test-store.ts';
import { isTable, pageCount } from './page-table.ts';

const KEY = 'data/w-1.artefact';

async function artefactOf(count: number) {
  const { store, metrics } = withMetrics(freshStore());
  const pages = Array.from({ length: count }, (_, index) => Buffer.alloc(10 + index, index));
  const sink = new UploadingSink(async (bytes) => {
    await store.put(KEY, bytes);
    return KEY;
  });
  const sequence = sink.begin();
  for (const page of pages) await sequence.add(page);
  const files = await sink.finish();
  const covers = { table: { kind: 'nodes', labels: [] }, files: [], sequence: 0 } as const;
  const artefact: ManifestArtefact = { id: 'w-2', kind: 'toy', kindVersion: 1, subject: {}, covers, files, directory: {} };
  return { store, metrics, pages, artefact };
}

test('few pages are listed in the manifest, and each is read by one request', async () => {
  const { store, metrics, pages, artefact } = await artefactOf(4);
  assert.ok(!isTable(artefact.files[0]!.pages));
  assert.deepEqual((await new PagedReader(store, artefact).readPages(3, 1))[0], new Uint8Array(pages[3]!));
  assert.equal(metrics.operations.readInto.requests, 1);
});

test('many pages are listed in their file, which is asked for the list once', async () => {
  const { store, metrics, pages, artefact } = await artefactOf(1_000);
  assert.ok(JSON.stringify(artefact.files).length < 200);
  assert.equal(pageCount(artefact.files[0]!), 1_000);
  const reader = new PagedReader(store, artefact);
  for (const index of [0, 999, 500]) assert.deepEqual((await reader.readPages(index, 1))[0], new Uint8Array(pages[index]!));
  assert.equal(metrics.operations.readInto.requests, 1 + 3);
});

test('a list of pages that does not agree with the manifest is damage', async () => {
  const { store, artefact } = await artefactOf(10);
  const file = artefact.files[0]!;
  const bytes = (await store.get(KEY))!;
  for (const list of ['{', '[]', '[[0,1]]', JSON.stringify(Array.from({ length: 10 }, () => [0, 2 ** 40, 1]))]) {
    const text = Buffer.from(list);
    await store.put(KEY, Buffer.concat([bytes, text]));
    const pages = { count: 10, place: [bytes.length, text.length, crc32(text)] } as const;
    const forged = { ...artefact, files: [{ ...file, bytes: bytes.length + text.length, pages }] };
    await assert.rejects(new PagedReader(store, forged).readPages(0, 1), { code: 'CORRUPTION', message: /data\/w-1\.artefact/ });
  }
});
