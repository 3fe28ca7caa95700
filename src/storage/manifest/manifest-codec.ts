/**
 * A manifest as text: JSON that a person can read, one member or one file per line, with a checksum at its end (docs/storage-format.md, "Manifest").
 * Pure: bytes in, bytes out.
 */
import { crc32 } from 'node:zlib';
import type { Manifest, ManifestTable } from '../api.ts';
import { corruption, unknownFormat } from '../faults.ts';
import { manifestKey } from '../keys.ts';
import { parseManifest } from './manifest-shape.ts';

/** `,\n"crc32":"xxxxxxxx"}\n` */
const ENDING_BYTES = 22;
const ENDING = /^,\n"crc32":"([0-9a-f]{8})"\}\n$/;
const FORMAT_VERSION = 1;

export function encodeManifest(manifest: Manifest): Uint8Array {
  const { tables, ...head } = manifest;
  const members = Object.entries(head).map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`);
  members.push(`"tables":[${tables.map(tableText).join(',')}]`);
  const text = Buffer.from(`{${members.join(',\n')}`, 'utf8');
  return Buffer.concat([text, Buffer.from(`,\n"crc32":"${crc32(text).toString(16).padStart(8, '0')}"}\n`)]);
}

function tableText({ files, ...head }: ManifestTable): string {
  const members = JSON.stringify(head).slice(0, -1);
  return `\n${members},"files":[${files.map((file) => `\n${JSON.stringify(file)}`).join(',')}]}`;
}

/** CORRUPTION, UNSUPPORTED: with the name of the object. */
export function decodeManifest(version: number, bytes: Uint8Array): Manifest {
  const key = manifestKey(version);
  const end = bytes.length - ENDING_BYTES;
  const ending = ENDING.exec(Buffer.from(bytes.subarray(Math.max(end, 0))).toString('latin1'));
  if (end < 0 || ending === null) throw corruption(key, 'it does not end as a manifest');
  const body = bytes.subarray(0, end);
  if (crc32(body) !== Number.parseInt(ending[1]!, 16)) throw corruption(key, 'the checksum does not match');
  const json = parseJson(key, `${Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8')}}`);
  const format = (json as { formatVersion?: unknown } | null)?.formatVersion;
  if (typeof format === 'number' && format !== FORMAT_VERSION) throw unknownFormat(key, format);
  const manifest = parseManifest(key, json);
  if (manifest.version !== version) throw corruption(key, `it says that it is version ${manifest.version}`);
  return manifest;
}

function parseJson(key: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw corruption(key, 'it is not JSON', error);
  }
}
