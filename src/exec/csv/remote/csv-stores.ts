/**
 * LOAD CSV from object stores (--load-csv-stores): reads objects below one of the places that the server allows, or of
 * any bucket if it allows all. Requests use the credentials of the process, so only the server's configuration
 * determines where they go (endpoint, emulator, credentials file), never the URL of a statement.
 */
import { GraphDBError } from '../../../base/index.ts';
import { type ObjectStore, openObjectStore, parseStorageBase, type StorageBase } from '../../../object-store/index.ts';
import { type IncomingBytes, IncomingPieces } from '../incoming-bytes.ts';
import { csvFault, MOST_REMOTE_BYTES, tooLarge } from './csv-fault.ts';

const PIECE_BYTES = 2 ** 20;

/** Opens an object. @throws ARGUMENT_ERROR when the URL is invalid or lies in none of the allowed places */
export function openStoreBytes(url: string, stores: readonly string[] | 'all'): IncomingBytes {
  const { base, key } = placeOf(url, stores);
  return new IncomingPieces((signal) => piecesOf(url, { base, key, signal }));
}

interface PlaceOfObject {
  readonly base: StorageBase;
  readonly key: string;
}

function placeOf(url: string, stores: readonly string[] | 'all'): PlaceOfObject {
  const [, location = '', parameters] = /^([^?]*)(?:\?(.*))?$/s.exec(url) ?? [];
  const isTraversing = location.split('/').some((part) => /^(\.|%2e){1,2}$/i.test(part)) || /%2f|%5c|\\/i.test(location);
  if (isTraversing) throw csvFault(url, 'it does not name an object');
  const refused = [...new URLSearchParams(parameters ?? '').keys()].find((name) => name !== 'region');
  if (refused !== undefined) throw csvFault(url, `"${refused}" is not for statements to say; --load-csv-stores may say it of a place`);
  if (stores === 'all') {
    const slash = location.lastIndexOf('/');
    return {
      base: baseOf(url, `${location.slice(0, slash)}${parameters === undefined ? '' : `?${parameters}`}`),
      key: keyOf(url, location.slice(slash + 1)),
    };
  }
  for (const store of stores) {
    const [place = '', options] = store.split('?', 2);
    const root = `${place.replace(/\/+$/, '')}/`;
    if (!location.startsWith(root)) continue;
    if (parameters !== undefined) throw csvFault(url, 'the server knows the region of this place');
    return {
      base: baseOf(url, `${root.slice(0, -1)}${options === undefined ? '' : `?${options}`}`),
      key: keyOf(url, location.slice(root.length)),
    };
  }
  throw csvFault(url, 'it lies in none of the places that LOAD CSV may read (--load-csv-stores)');
}

function baseOf(url: string, text: string): StorageBase {
  try {
    const base = parseStorageBase(text);
    if (base !== null) return base;
  } catch (error) {
    if (error instanceof GraphDBError) throw csvFault(url, error.message, error);
    throw error;
  }
  throw csvFault(url, 'it names a namespace, not an object');
}

const KEY = /^[A-Za-z0-9_=+@~-][A-Za-z0-9._=+@~-]*(\/[A-Za-z0-9_=+@~-][A-Za-z0-9._=+@~-]*)*$/;

function keyOf(url: string, key: string): string {
  if (key !== '' && KEY.test(key) && !key.endsWith('.') && !key.includes('./')) return key;
  throw csvFault(url, 'the name of an object has letters, digits, . _ = + @ ~ - and slashes here');
}

async function* piecesOf(
  url: string,
  { base, key, signal }: PlaceOfObject & { readonly signal: AbortSignal },
): AsyncGenerator<Uint8Array, void, void> {
  const store: ObjectStore = await openObjectStore({ ...base, namespace: '' });
  try {
    const size = await store.size(key, { signal });
    if (size === null) throw csvFault(url, 'there is no such object');
    if (size > MOST_REMOTE_BYTES) throw tooLarge(url);
    for (let at = 0; at < size; at += PIECE_BYTES) {
      const piece = await store.getRange(key, at, Math.min(PIECE_BYTES, size - at), { signal });
      if (piece === null) throw csvFault(url, 'the object was removed while it was read');
      yield piece;
    }
  } finally {
    await store.close();
  }
}
