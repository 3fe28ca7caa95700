/**
 * Encodes and decodes manifests and their children: readable JSON with one member, file or artefact per line
 * (docs/storage-format.md, "Manifest"). A manifest ends with its checksum; the checksums of its children are in the
 * manifest. Pure: bytes in, bytes out.
 */
import { crc32 } from 'node:zlib';
import { assert } from '../../base/index.ts';
import type { AddedFiles, ChildManifest, ChildPlace, Manifest, ManifestArtefact, ManifestChanges, SstFile, TableChanges } from '../api.ts';
import { corruption, unknownFormat } from '../faults.ts';
import { Place } from '../json-place.ts';
import { manifestKey } from '../keys.ts';
import { failFor, ownChanges, placeOf, stateOf } from './child-manifests.ts';
import { applyChanges } from './manifest-changes.ts';
import { CURRENT_FORMAT, isKnownFormat } from './manifest-format.ts';
import { type ManifestRoot, parseChanges, parseRoot } from './manifest-shape.ts';
import { manifestFault } from './manifest-transition.ts';

/** The length of the end of a manifest: `,\n"crc32":"xxxxxxxx"}\n`. */
const ENDING_BYTES = 22;
const ENDING = /^,\n"crc32":"([0-9a-f]{8})"\}\n$/;

/** Encodes the object of a manifest, without its children, which are objects of their own. */
export function encodeManifest(manifest: Manifest): Uint8Array {
  const { catalog: _catalog, tables: _tables, artefacts: _artefacts, children, capture, ...head } = manifest;
  assert(head.formatVersion === CURRENT_FORMAT, 'manifests are written in the current format');
  const members = Object.entries({ ...head, ...(capture === null ? {} : { capture }), children: children.map(placeOf) });
  const lines = members.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`);
  const text = Buffer.concat([Buffer.from(`{${lines.join(',\n')},\n"changes":`), encodeChanges(ownChanges(manifest))]);
  return Buffer.concat([text, Buffer.from(`,\n"crc32":"${crc32(text).toString(16).padStart(8, '0')}"}\n`)]);
}

/** Encodes changes: the object of a child, or a part of the object of a manifest. */
export function encodeChanges({ catalog, tables, dropArtefacts, addArtefacts }: ManifestChanges): Buffer {
  return Buffer.concat([
    Buffer.from(`{${catalog === undefined ? '' : `"catalog":${JSON.stringify(catalog)},\n`}"tables":[`),
    ...separated(tables.map(tableText)),
    Buffer.from(`],\n"dropArtefacts":${JSON.stringify(dropArtefacts)},\n"addArtefacts":[`),
    ...separated(addArtefacts.map((artefact) => [lineOf(artefact)])),
    Buffer.from(']}'),
  ]);
}

function tableText({ add, ...head }: TableChanges): Buffer[] {
  const members = JSON.stringify(head).slice(0, -1);
  return [Buffer.from(`\n${members},"add":[`), ...separated(add.map(groupText)), Buffer.from(']}')];
}

function groupText({ after, files }: AddedFiles): Buffer[] {
  return [Buffer.from(`{"after":${JSON.stringify(after)},"files":[`), ...separated(files.map((file) => [lineOf(file)])), Buffer.from(']}')];
}

/** Caches the encoded entries, since an entry is written again whenever children are merged. */
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

/** Decodes the object of a manifest. @throws CORRUPTION, UNSUPPORTED for an unknown format */
export function decodeRoot(version: number, bytes: Uint8Array): ManifestRoot {
  const key = manifestKey(version);
  const end = bytes.length - ENDING_BYTES;
  const ending = ENDING.exec(Buffer.from(bytes.subarray(Math.max(end, 0))).toString('latin1'));
  if (end < 0 || ending === null) throw corruption(key, 'it does not end as a manifest');
  const body = bytes.subarray(0, end);
  if (crc32(body) !== Number.parseInt(ending[1]!, 16)) throw corruption(key, 'the checksum does not match');
  const json = parseJson(key, `${textOf(body)}}`);
  const format = (json as { formatVersion?: unknown } | null)?.formatVersion;
  if (typeof format === 'number' && !isKnownFormat(format)) throw unknownFormat(key, format);
  const root = parseRoot(key, json);
  if (root.version !== version) throw corruption(key, `it says that it is version ${root.version}`);
  return root;
}

/** Decodes the object of a child. @throws CORRUPTION */
export function decodeChild(place: ChildPlace, bytes: Uint8Array): ChildManifest {
  const { key } = place;
  if (bytes.length !== place.bytes) throw corruption(key, `it has ${bytes.length} bytes instead of ${place.bytes}`);
  if (crc32(bytes) !== place.crc32) throw corruption(key, 'the checksum does not match');
  return { ...place, changes: parseChanges(new Place(null, key, parseJson(key, textOf(bytes)))) };
}

/** Assembles a manifest from its object and its children. @throws CORRUPTION for an object that does not fit the others */
export function assembleManifest({ changes, children: _places, ...head }: ManifestRoot, children: readonly ChildManifest[]): Manifest {
  const key = manifestKey(head.version);
  const manifest = { ...head, ...applyChanges(stateOf(children), changes, failFor(key)), children };
  const fault = manifestFault(manifest);
  if (fault !== null) throw corruption(key, `it is not consistent: ${fault}`);
  return manifest;
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
}

function parseJson(key: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw corruption(key, 'it is not JSON', error);
  }
}
