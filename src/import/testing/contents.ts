/** Reads the contents of the SSTs of a namespace, for tests. */
import assert from 'node:assert/strict';
import { ByteReader } from '../../base/index.ts';
import { openObjectStore, parseStorageUri } from '../../object-store/index.ts';
import { type Manifest, openNamespace, type SstColumn } from '../../storage/index.ts';
import { decodeValue, displayText, type Value } from '../../value/index.ts';

type Row = Record<string, unknown>;

export interface Imported {
  readonly manifest: Manifest;
  /** The rows of each table; each row with its ordinal. */
  readonly tables: Map<string, Row[]>;
  readonly kinds: Map<string, string>;
}

/** Everything that the namespace's files hold. */
export async function contents(store: string): Promise<Imported> {
  const uri = parseStorageUri(store);
  const objects = await openObjectStore(uri);
  const namespace = await openNamespace(objects, { name: uri.namespace, readOnly: true });
  const tables = new Map<string, Row[]>();
  const kinds = new Map<string, string>();
  for (const { kind, labels, type, files } of namespace.manifest.tables) {
    const name = kind === 'nodes' ? labels!.join(':') : type!;
    const rows = tables.get(name) ?? [];
    for (const sst of files) {
      assert.ok(sst.base && sst.denseOrdinals);
      const reader = await namespace.openSst(sst);
      const first = rows.length;
      for (let row = 0; row < sst.rows; row++) rows.push({ ordinal: sst.minOrdinal + row });
      for (const info of sst.columns) {
        kinds.set(`${name}.${info.name}`, info.kind);
        const column = (await reader.readColumn(info.name))!;
        for (let row = 0; row < sst.rows; row++) {
          const value = valueOf(column, row);
          if (value !== undefined) rows[first + row]![info.name] = value;
        }
      }
    }
    tables.set(name, rows);
  }
  await namespace.close();
  await objects.close();
  return { manifest: namespace.manifest, tables, kinds };
}

function valueOf({ kind, values, valid, heap, dictionary }: SstColumn, row: number): unknown {
  if (valid !== null && ((valid[row >> 3]! >> (row & 7)) & 1) === 0) return undefined;
  const slice = (bytes: Uint8Array, offsets: ArrayLike<number | bigint>, at: number): Buffer =>
    Buffer.from(bytes.slice(Number(offsets[at]), Number(offsets[at + 1])));
  if (kind === 'dictionary') return slice(dictionary!.heap, dictionary!.offsets, Number(values[row])).toString();
  if (kind === 'string') return slice(heap!, values, row).toString();
  if (kind === 'any') return readable(decodeValue(new ByteReader(slice(heap!, values, row))));
  return values[row];
}

function readable(value: Value): unknown {
  return Array.isArray(value) ? value.map(readable) : typeof value === 'object' && value !== null ? displayText(value) : value;
}
