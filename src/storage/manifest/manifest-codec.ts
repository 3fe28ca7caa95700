/**
 * A manifest as text: JSON that a person can read, one member or one file per line, with a checksum at its end (docs/storage-format.md, "Manifest").
 * Pure: bytes in, bytes out.
 */
import { crc32 } from 'node:zlib';
import { assert } from '../../base/index.ts';
import type { Manifest, ManifestArtefact, ManifestTable, SstFile } from '../api.ts';
import { corruption, unknownFormat } from '../faults.ts';
import { manifestKey } from '../keys.ts';
import { isKnownFormat } from './manifest-format.ts';
import type { ManifestOutline } from './manifest-outline.ts';
import { parseManifest, parseOutline } from './manifest-shape.ts';

/** `,\n"crc32":"xxxxxxxx"}\n` */
const ENDING_BYTES = 22;
const ENDING = /^,\n"crc32":"([0-9a-f]{8})"\}\n$/;

export function encodeManifest(manifest: Manifest): Uint8Array {
  const { tables, artefacts, ...head } = manifest;
  assert(head.formatVersion > 1 || artefacts.length === 0, 'format 1 has no artefacts');
  const members = Object.entries(head).map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`);
  const text = Buffer.concat([
    Buffer.from(`{${members.join(',\n')},\n"tables":[`),
    ...separated(tables.map(tableText)),
    ...(head.formatVersion === 1 ? [] : [Buffer.from('],\n"artefacts":['), ...separated(artefacts.map((artefact) => [lineOf(artefact)]))]),
    Buffer.from(']'),
  ]);
  return Buffer.concat([text, Buffer.from(`,\n"crc32":"${crc32(text).toString(16).padStart(8, '0')}"}\n`)]);
}

function tableText({ files, ...head }: ManifestTable): Buffer[] {
  const members = JSON.stringify(head).slice(0, -1);
  return [Buffer.from(`\n${members},"files":[`), ...separated(files.map((file) => [lineOf(file)])), Buffer.from(']}')];
}

/** Most files and artefacts of a manifest stand in the one before as well: a large namespace has megabytes of this. */
const lines = new WeakMap<SstFile | ManifestArtefact, Buffer>();

function lineOf(entry: SstFile | ManifestArtefact): Buffer {
  let line = lines.get(entry);
  if (line === undefined) {
    line = Buffer.from(`\n${JSON.stringify(entry)}`);
    lines.set(entry, line);
  }
  return line;
}

const COMMA = Buffer.from(',');

function separated(texts: readonly (readonly Buffer[])[]): Buffer[] {
  return texts.flatMap((text, index) => (index === 0 ? text : [COMMA, ...text]));
}

/** CORRUPTION, UNSUPPORTED: with the name of the object. */
export function decodeManifest(version: number, bytes: Uint8Array): Manifest {
  return decode(version, bytes, parseManifest);
}

/** The same errors, except for members that the outline does not tell of: those are not looked at, which takes most of the time. */
export function decodeOutline(version: number, bytes: Uint8Array): ManifestOutline {
  return decode(version, bytes, parseOutline);
}

function decode<T extends { readonly version: number }>(version: number, bytes: Uint8Array, parse: (key: string, json: unknown) => T): T {
  const key = manifestKey(version);
  const end = bytes.length - ENDING_BYTES;
  const ending = ENDING.exec(Buffer.from(bytes.subarray(Math.max(end, 0))).toString('latin1'));
  if (end < 0 || ending === null) throw corruption(key, 'it does not end as a manifest');
  const body = bytes.subarray(0, end);
  if (crc32(body) !== Number.parseInt(ending[1]!, 16)) throw corruption(key, 'the checksum does not match');
  const json = parseJson(key, `${Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8')}}`);
  const format = (json as { formatVersion?: unknown } | null)?.formatVersion;
  if (typeof format === 'number' && !isKnownFormat(format)) throw unknownFormat(key, format);
  const manifest = parse(key, json);
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
