/**
 * Watches what is put into the bucket and taken out of it, and holds it against the protocol (docs/storage-format.md)
 * without asking those who follow it.
 *
 * - B1: nothing is put over what is there. B2: manifests are dense where they begin, and epochs never fall from one version to the next.
 * - Each manifest may follow the one before by the rule that writers assert (manifest-transition.ts): B1, B2, B6 and B9
 *   as far as manifests show them.
 * - B6: what is removed is named by no manifest that is current, retained, or was in force within the grace time; the
 *   WAL that a manifest needs is never removed. What a manifest has of children is there before it.
 * - B10: what a paused writer may meet, or try to put again, is never removed: the start of an epoch and as many
 *   objects before it as a writer has in flight, unless the last of them is the end of an epoch, and seals. What was
 *   put behind the start by a former writer is nothing that anybody goes by.
 */
import { intercept } from '../../src/object-store/decorators/intercept.ts';
import type { ObjectStore } from '../../src/object-store/index.ts';
import type { Manifest } from '../../src/storage/index.ts';
import { parseManifestKey, parseWalKey } from '../../src/storage/keys.ts';
import { assembleManifest, decodeChild, decodeRoot } from '../../src/storage/manifest/manifest-codec.ts';
import { transitionFault } from '../../src/storage/manifest/manifest-transition.ts';
import { decodeWalObject, type WalObject, WINDOW } from '../../src/storage/wal/wal-object.ts';
import { Violation } from './violation.ts';

export interface AuditOptions {
  readonly now: () => number;
  readonly graceMs: number;
  readonly retainVersions: number;
  readonly onViolation: (violation: Violation) => void;
}

interface KnownManifest {
  readonly version: number;
  readonly epoch: number;
  readonly writerId: string;
  readonly walFloor: number;
  readonly manifest: Manifest;
  readonly files: ReadonlySet<string>;
  readonly createdAtMs: number;
  /** Null: it is current. One that came late never was in force. */
  supersededAtMs: number | null;
}

export class BucketAudit {
  readonly #options: AuditOptions;
  /** Those that are there, by version, ascending. */
  #manifests: KnownManifest[] = [];
  /** The WAL objects that were put first under their numbers: one that comes late under a freed number says nothing. */
  readonly #first = new Map<number, Pick<WalObject, 'kind' | 'epoch'>>();
  /** Those that are there. */
  readonly #wal = new Set<number>();
  /** Those that were there and are not. */
  readonly #removedNumbers = new Set<number>();
  /** Objects that were put, by how many lower numbers were in flight. */
  readonly depths: number[] = Array.from({ length: WINDOW }, () => 0);
  /** Who has put which number, ever: it may be removed, put by somebody who slept, and removed again by a request that took long. */
  readonly #makers = new Map<number, Set<string>>();
  /** Children that are there, by key. */
  readonly #children = new Map<string, Uint8Array>();
  #childrenPut = 0;
  /** Artefacts by version, those that are gone among them. */
  readonly #artefacts = new Map<number, number>();
  /** Manifests that were put below the current one, and does it show? */
  readonly #late = new Map<number, boolean>();

  constructor(options: AuditOptions) {
    this.#options = options;
  }

  /**
   * Was it put when later ones were there already, and does it not fit the next one? Nobody was ever answered by it,
   * and its files may be gone.
   */
  isLate(version: number): boolean {
    return this.#late.get(version) === true;
  }

  /** Children of manifests that have been put. */
  get childrenPut(): number {
    return this.#childrenPut;
  }

  /** How many artefacts the manifest named that was put first under the version. */
  artefactsOf(version: number): number {
    return this.#artefacts.get(version) ?? 0;
  }

  /** The bucket in the hands of `who`: the identifier of a writer. */
  watch(bucket: ObjectStore, who: string): ObjectStore {
    return intercept(bucket, async ({ operation, key, bytes }, proceed) => {
      if (operation === 'put') this.#report(`B1: ${key} is put whether it is there or not`);
      if (operation === 'delete') this.#removed(key, who);
      // What the store takes as its time, or before: much may pass until its answer is here.
      const putAtMs = this.#options.now();
      const answer = await proceed();
      // as: what a put answers
      if (operation === 'putIfAbsent' && (answer as unknown) === true) this.#created(key, bytes!, { who, putAtMs });
      return answer;
    });
  }

  #created(key: string, bytes: Uint8Array, { who, putAtMs }: { readonly who: string; readonly putAtMs: number }): void {
    const version = parseManifestKey(key);
    if (version !== null) this.#createdManifest(version, bytes, putAtMs);
    if (key.endsWith('.manifest')) this.#createdChild(key, bytes);
    const number = parseWalKey(key);
    if (number === null) return;
    this.#wal.add(number);
    this.#removedNumbers.delete(number);
    this.#makers.set(number, (this.#makers.get(number) ?? new Set()).add(who));
    const { kind, epoch, depth } = decodeWalObject(number, bytes);
    if (kind === 'commits') this.depths[depth]!++;
    if (!this.#first.has(number)) this.#first.set(number, { kind, epoch });
  }

  #createdChild(key: string, bytes: Uint8Array): void {
    this.#children.set(key, bytes);
    this.#childrenPut++;
  }

  #removed(key: string, who: string): void {
    const version = parseManifestKey(key);
    if (version !== null) this.#removedManifest(version);
    const number = parseWalKey(key);
    if (number !== null) this.#removedWal(number, who);
    if (key.startsWith('data/')) this.#removedFile(key);
    this.#children.delete(key);
  }

  #createdManifest(version: number, bytes: Uint8Array, createdAtMs: number): void {
    const manifest = this.#manifestOf(version, bytes);
    if (manifest === null) return;
    const { epoch, writerId, walFloor, tables, artefacts, children } = manifest;
    const named = [...tables, ...artefacts].flatMap((owner) => owner.files.map(({ key }) => key));
    const files = new Set([...named, ...children.map(({ key }) => key)]);
    if (!this.#artefacts.has(version)) this.#artefacts.set(version, artefacts.length);
    const made: KnownManifest = { version, epoch, writerId, walFloor, manifest, files, createdAtMs, supersededAtMs: null };
    this.#manifests = [...this.#manifests, made].sort((a, b) => a.version - b.version);
    const at = this.#manifests.indexOf(made);
    const before = this.#manifests[at - 1];
    const after = this.#manifests[at + 1];
    // Of a version that had been removed, by one who slept that long: below the current one it counts for nobody, and
    // who made it finds that out (B2).
    if (after !== undefined) {
      made.supersededAtMs = Number.NEGATIVE_INFINITY;
      const fits = after.epoch === epoch ? after.writerId === writerId : after.epoch === epoch + 1;
      this.#late.set(version, after.version > version + 1 || !fits);
      return;
    }
    if (before !== undefined) before.supersededAtMs = createdAtMs;
    const fault = transitionFault(before?.manifest ?? null, manifest);
    if (fault !== null) this.#report(`manifest ${version}: ${fault}`);
    for (const number of this.#removedNumbers)
      if (number >= walFloor) this.#report(`B6: manifest ${version} needs the WAL from ${walFloor}, and ${number} was removed`);
  }

  /** Null: a child is not there. Of a version that had been removed that may be: nobody goes by it. */
  #manifestOf(version: number, bytes: Uint8Array): Manifest | null {
    const root = decodeRoot(version, bytes);
    const missing = root.children.find(({ key }) => !this.#children.has(key));
    if (missing === undefined)
      return assembleManifest(
        root,
        root.children.map((place) => decodeChild(place, this.#children.get(place.key)!)),
      );
    if (version > (this.#manifests.at(-1)?.version ?? 0)) this.#report(`B6: manifest ${version} names ${missing.key}, which is not there`);
    this.#late.set(version, true);
    return null;
  }

  #removedManifest(version: number): void {
    if (this.isKept(version)) this.#report(`B6: manifest ${version} was removed`);
    this.#late.delete(version);
    this.#manifests = this.#manifests.filter((manifest) => manifest.version !== version);
  }

  #removedFile(key: string): void {
    for (const { version, files } of this.#manifests) {
      if (files.has(key) && this.isKept(version)) this.#report(`B6: ${key} was removed, manifest ${version} names it`);
    }
  }

  #removedWal(number: number, who: string): void {
    const floor = this.#manifests.at(-1)?.walFloor ?? 0;
    if (number >= floor) this.#report(`B6: WAL object ${number} was removed, it is needed from ${floor}`);
    if (this.#manifests.at(-1)?.manifest.capture != null)
      this.#report(`B6: WAL object ${number} was removed, and readers of changes may ask for it for years`);
    // Who has put it knows that it is there, and will not try its number again.
    const isSettled = this.#makers.get(number)?.has(who) === true;
    const fences = [number, ...(isSettled || this.#isBehindFence(number) ? [] : this.#startsBehind(number).slice(0, 1))];
    for (const fence of fences) if (this.#fences(fence)) this.#report(`B10: WAL object ${number} was removed, and ${fence} fences`);
    const isSeal = this.#first.get(number)?.kind === 'seal';
    if (isSeal && !this.#isBehindFence(number)) this.#report(`B10: WAL object ${number} was removed, a seal`);
    this.#wal.delete(number);
    this.#removedNumbers.add(number);
  }

  #fences(number: number): boolean {
    const first = this.#first;
    return number > 1 && this.#wal.has(number) && first.get(number)?.kind === 'epoch-start' && first.get(number - 1)?.kind !== 'epoch-end';
  }

  /** Starts of epochs within the numbers that the writer of this one may have had in flight with it. Only the first fences that writer. */
  #startsBehind(number: number): number[] {
    const ahead = Array.from({ length: WINDOW }, (_, index) => number + index + 1);
    return ahead.filter((each) => this.#first.get(each)?.kind === 'epoch-start');
  }

  /** Was it put by a former writer under a number behind the start of an epoch? */
  #isBehindFence(number: number): boolean {
    const epoch = this.#first.get(number)?.epoch ?? 0;
    for (let fence = number - 1; fence > number - WINDOW; fence--) {
      const first = this.#first.get(fence);
      if (first?.kind === 'epoch-start' && first.epoch > epoch) return true;
    }
    return false;
  }

  /** Is the manifest of this version current, retained, or was in force within the grace time? */
  isKept(version: number): boolean {
    const { now, graceMs, retainVersions } = this.#options;
    const manifest = this.#manifests.find((each) => each.version === version);
    if (manifest === undefined || this.#late.has(version)) return false;
    const { supersededAtMs } = manifest;
    return supersededAtMs === null || version > this.#manifests.at(-1)!.version - retainVersions || now() - supersededAtMs < graceMs;
  }

  #report(text: string): void {
    this.#options.onViolation(new Violation(text));
  }
}
