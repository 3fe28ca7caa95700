/**
 * The store's own folders and files in a namespace. Their names start with a dot, which no key does.
 *
 * An *owner* is a store that answers for objects by its journals; its id is 12 hexadecimal digits. A *held name* is an
 * object's name given to the owner's mark, a symbolic link to nothing that says who owns it: to the system there is no
 * such file, but nobody else can create one.
 *
 *   .journal/<id>                     the open sign: the owner answers while it is there; holds the boot id
 *   .journal/<id>.sealed              … taken away: nothing that is appended from now on counts, unless ...
 *   .journal/<id>.ended-<k>-<bytes>   … it stands in a journal before <k>, or within the first <bytes> of journal <k>: decided once
 *   .journal/<id>-<k>                 journals, numbered in the order in which they are filled
 *   .journal/<id>.mark                the file that held names are hard links to
 *   .journal/<id>.apart,<key>         the content of an object too big for a journal
 *   .journal/<id>.late,<key>          an object that another store has put under a held name that the owner had not
 *     used before it was sealed
 */
import { readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode } from './io-errors.ts';

/** The folder of temporary files. */
export const TEMPORARY_FOLDER = '.tmp';

/** The folder of journals. */
export const JOURNAL_FOLDER = '.journal';

/** The longest key, in characters, that is held: it is part of a file name, which has at most 255 bytes. */
export const MAX_HELD_KEY_LENGTH = 160;

const MARK = /^in-journal:([0-9a-f]{12})$/;
const OWN = /^([0-9a-f]{12})(?:$|[.-])/;
const ENDED = /^([0-9a-f]{12})\.ended-(\d+)-(\d+)$/;
const JOURNAL = /^([0-9a-f]{12})-(\d+)$/;

/** The end up to which a sealed owner's records count: a journal number, and bytes within that journal. */
export interface OwnerEnd {
  readonly journal: number;
  readonly bytes: number;
}

/** The paths of an owner's files. */
export class OwnerPaths {
  readonly id: string;
  readonly folder: string;
  readonly open: string;
  readonly sealed: string;
  readonly mark: string;

  constructor(root: string, id: string) {
    this.id = id;
    this.folder = join(root, JOURNAL_FOLDER);
    this.open = join(this.folder, id);
    this.sealed = `${this.open}.sealed`;
    this.mark = `${this.open}.mark`;
  }

  ended({ journal, bytes }: OwnerEnd): string {
    return `${this.open}.ended-${journal}-${bytes}`;
  }

  journal(number: number): string {
    return `${this.open}-${number}`;
  }

  apart(key: string): string {
    return `${this.open}.apart,${flat(key)}`;
  }

  late(key: string): string {
    return `${this.open}.late,${flat(key)}`;
  }
}

/** Parses the key of a `late` object from the name of a file in the journal folder; null for any other file. */
export function parseLate(name: string, id: string): string | null {
  const prefix = `${id}.late,`;
  return name.startsWith(prefix) ? name.slice(prefix.length).replaceAll(',', '/') : null;
}

/** Makes a file name of a key: '/' becomes ',', which no key holds. */
function flat(key: string): string {
  return key.replaceAll('/', ',');
}

/** Returns the target of the symbolic link that is an owner's mark. */
export function markText(id: string): string {
  return `in-journal:${id}`;
}

/** Returns the id of the owner of a file in the journal folder; null when the file belongs to no owner. */
export function ownerIdOf(name: string): string | null {
  return OWN.exec(name)?.[1] ?? null;
}

/** Parses the name of the sign that the owner `id` has ended; null for any other file. */
export function parseEnded(name: string, id: string): OwnerEnd | null {
  const match = ENDED.exec(name);
  return match?.[1] === id ? { journal: Number(match[2]), bytes: Number(match[3]) } : null;
}

/** Parses the number of a journal of the owner `id` from its file name; null for any other file. */
export function parseJournal(name: string, id: string): number | null {
  const match = JOURNAL.exec(name);
  return match?.[1] === id ? Number(match[2]) : null;
}

/** Returns who holds a name: its owner, 'file' when the name is an ordinary file, 'missing' when it does not exist. */
export function nameStateOf(path: string): { readonly owner: string } | 'file' | 'missing' {
  try {
    const id = MARK.exec(readlinkSync(path))?.[1];
    return id === undefined ? 'file' : { owner: id };
  } catch (error) {
    const code = errorCode(error);
    // On Windows the error of a file that is no link is UNKNOWN.
    if (code === 'EINVAL' || code === 'UNKNOWN') return 'file';
    if (code === 'ENOENT' || code === 'ENOTDIR') return 'missing';
    throw error;
  }
}

/** Whether a name is held by the owner `id`. */
export function isHeldBy(path: string, id: string): boolean {
  const state = nameStateOf(path);
  return typeof state === 'object' && state.owner === id;
}
