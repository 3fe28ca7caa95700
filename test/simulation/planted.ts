/**
 * `npm run sim -- --planted`: mistakes in fencing, group commit, collecting, flushing, merging and following, each made
 * by a change of text as the sources are loaded. The simulation must find every one within SEEDS seeds: otherwise it does
 * not look where such a mistake would show.
 */
import { type Mistake, runWithMistake } from '../support/planted.ts';

const SEEDS = 600;

export const MISTAKES: readonly Mistake[] = [
  // ------------------------------------------------------------ fencing
  {
    name: 'a writer whose number a successor has taken tries the next one',
    file: 'src/storage/wal/wal-writer.ts',
    right: "if (known.kind === 'taken') await this.#numbers.explainTaken(number, known.existing);",
    wrong: "if (known.kind === 'taken') return true;",
  },
  {
    name: 'opening puts no start of its epoch into the WAL',
    file: 'src/storage/open-namespace.ts',
    right: 'const mayFollow = await startEpoch(context, manifest, tail);',
    wrong: 'const mayFollow = false;',
  },
  {
    name: 'opening does not look for a successor at its end',
    file: 'src/storage/open-namespace.ts',
    right: 'await checkSuccessor(context, manifest);',
    wrong: '',
  },
  {
    name: 'opening does not look for manifests after its own',
    file: 'src/storage/open-namespace.ts',
    right: 'if ((await listManifestVersions(store, manifest.version)).length === 0) return',
    wrong: 'return',
  },
  {
    name: 'publishing goes past the manifest of a successor',
    file: 'src/storage/publisher.ts',
    right: 'if (existing.epoch > epoch) throw fenced({ epochs: { own: epoch, successor: existing.epoch } });',
    wrong: 'if (existing.epoch > epoch) return void (this.#manifest = { ...this.#manifest, version });',
  },
  {
    name: 'publishing does not look for a successor',
    file: 'src/storage/publisher.ts',
    right: 'await this.#checkSuccessor(next.version);',
    wrong: '',
  },
  {
    name: 'a write that changes nothing is answered without a look at the bucket',
    file: 'src/engine/writing/committer.ts',
    right: 'return hasWritten ? this.confirmed() : this.durableSoFar();',
    wrong: 'return this.durableSoFar();',
  },
  // ------------------------------------------------------------ changes
  {
    name: 'the log is collected as if nobody read changes',
    file: 'src/storage/maintenance/collect-garbage.ts',
    right: 'Math.max(walGraceMs, options.inForce().manifest.capture?.retentionMs ?? 0)',
    wrong: 'walGraceMs',
  },
  {
    name: 'what a writer has taken back is told as a change',
    file: 'src/storage/changes/log-cursor.ts',
    right: 'this.#pending = this.#pending.filter(({ sequence }) => sequence < takenBackFrom);',
    wrong: '',
  },
  {
    name: 'who has read what was taken back is not told',
    file: 'src/storage/changes/log-cursor.ts',
    right: 'if (takenBackFrom <= this.#sequence) throw',
    wrong: 'if (takenBackFrom < 0) throw',
  },
  {
    name: 'a transaction does not say what was there before a second change of a node',
    file: 'src/graph/transaction/image-log.ts',
    right: 'if (this.#nodes.has(ordinal)) return;\n    this.#nodes.add(ordinal);\n    const keys = table.keysOf(row);',
    wrong: 'if (!this.#nodes.has(ordinal)) return void this.#nodes.add(ordinal);\n    const keys = table.keysOf(row);',
  },
  // ------------------------------------------------------------ group commit
  {
    name: 'commits are answered before they are stored',
    file: 'src/storage/wal/wal-writer.ts',
    right: 'const group = this.#takeGroup();',
    wrong: 'const group = this.#takeGroup();\n    for (const { resolve } of group) resolve();',
  },
  {
    name: 'the second commit of a group is answered though the put failed',
    file: 'src/storage/wal/wal-writer.ts',
    right: 'for (const { reject } of failed.flatMap(({ waiting }) => waiting)) reject(error);',
    wrong: 'for (const { waiting } of failed) waiting.forEach(({ resolve, reject }, i) => (i === 1 ? resolve() : reject(error)));',
  },
  {
    name: 'a put whose answer was lost is taken for stored',
    file: 'src/storage/settled-put.ts',
    right: 'failure = error;',
    wrong: 'return CREATED;',
  },
  {
    name: 'what is there already is taken for our own',
    file: 'src/storage/settled-put.ts',
    right: "Buffer.compare(existing, bytes) === 0 ? CREATED : { kind: 'taken', existing }",
    wrong: 'CREATED',
  },
  // A put whose answer was lost and that settled-put.ts took for failed would do no harm: the seal finds the object, and that it is ours.
  {
    name: 'a commit is refused without a seal of its number',
    file: 'src/storage/wal/wal-writer.ts',
    right: 'if (!isStoreUnavailable(error) || error.outcomeUnknown) throw error;',
    wrong: 'throw error;',
  },
  {
    name: 'a number that an abandoned put has taken after all is not gone past',
    file: 'src/storage/wal/wal-writer.ts',
    right: "if (outcome.kind === 'vanished') throw await this.#numbers.contradiction(number);\n    return outcome.kind",
    wrong: `if (outcome.kind === 'vanished') throw await this.#numbers.contradiction(number);
    if (outcome.kind === 'taken') return this.#sealFailed({ number } as PutInFlight);
    return outcome.kind`,
  },
  {
    name: 'what a writer takes back in the WAL is read nevertheless',
    file: 'src/storage/wal/wal-replay.ts',
    right: 'this.#commits = this.#commits.filter((commit) => commit.sequence < sequence);',
    wrong: '',
  },
  {
    name: 'a seal takes nothing back',
    file: 'src/storage/wal/wal-replay.ts',
    right: "object.kind !== 'epoch-start'",
    wrong: "object.kind === 'commits'",
  },
  {
    name: 'what could not be stored stays in memory',
    file: 'src/engine/writing/committer.ts',
    right: 'this.graph.rollbackTo(this.namespace.durableSequence);',
    wrong: '',
  },
  {
    name: 'snapshots show commits before they are stored',
    file: 'src/engine/writing/committer.ts',
    right: `const durable = stored.then(
      () => {
        this.graph.publish(sequence);`,
    wrong: `this.graph.publish(sequence);
    const durable = stored.then(
      () => {`,
  },
  {
    name: 'a write that changes nothing is answered though the commits that it saw have failed',
    file: 'src/storage/wal/wal-writer.ts',
    right: 'waiting: [...group, ...confirmations],',
    wrong: 'waiting: [...group, ...confirmations.filter(({ resolve }) => void resolve())],',
  },
  // ------------------------------------------------------------ several puts in flight
  {
    name: 'a reader counts what was put while a number that holds a seal was in flight',
    file: 'src/storage/wal/wal-replay.ts',
    right: 'const stands = object.depth <= this.#run;',
    wrong: 'const stands = true;',
  },
  {
    name: 'a writer answers before a lower number is stored',
    file: 'src/storage/wal/wal-writer.ts',
    right: `outcome: this.#numbers.put(number, bytes).catch((error: unknown) => ({ kind: 'failed', error })),
    });`,
    wrong: `outcome: this.#numbers
        .put(number, bytes)
        .catch((error: unknown) => ({ kind: 'failed' as const, error }))
        .then((outcome) => {
          if (outcome.kind === 'created') for (const { resolve } of group) resolve();
          return outcome;
        }),
    });`,
  },
  {
    name: 'an object does not tell how many numbers were in flight',
    file: 'src/storage/wal/wal-writer.ts',
    right: 'depth: this.#inFlight.length, firstSequence',
    wrong: 'depth: 0, firstSequence',
  },
  {
    name: 'a successor starts behind a gap',
    file: 'src/storage/wal/wal-tail.ts',
    right: `await this.#checkBehindGap(left, listed.slice(index));
          return numbers;`,
    wrong: `await this.#checkBehindGap(left, listed.slice(index));
          continue;`,
  },
  {
    name: 'a successor leaves numbers open that the former writer has in flight',
    file: 'src/storage/open-namespace.ts',
    right: 'const seals = mayFollow ? await closeWindow(',
    wrong: 'const seals = mayFollow && epochStart < 0 ? await closeWindow(',
  },
  {
    name: 'a writer goes on behind a window that has failed without settling it',
    file: 'src/storage/wal/wal-writer.ts',
    right: 'const isSeal = (await put.outcome).kind',
    wrong: `failed.puts.length = 0;
      break;
      const isSeal = (await put.outcome).kind`,
  },
  {
    name: 'a writer waits for a look that has ended',
    file: 'src/storage/wal/wal-writer.ts',
    right: 'const [lowest] = this.#inFlight;',
    wrong: 'this.#news = Promise.withResolvers();\n    const [lowest] = this.#inFlight;',
  },
  {
    name: 'a flush moves the floor into a window that has failed',
    file: 'src/storage/wal/wal-writer.ts',
    right: 'this.#failed?.from ?? this.#inFlight',
    wrong: 'this.#failed?.puts[0]?.number ?? this.#inFlight',
  },
  // ------------------------------------------------------------ collecting
  {
    name: 'the WAL object at the floor is removed',
    file: 'src/storage/maintenance/collect-garbage.ts',
    right: 'Number.POSITIVE_INFINITY) < manifests.walFloor',
    wrong: 'Number.POSITIVE_INFINITY) <= manifests.walFloor',
  },
  {
    name: 'publishing sets the floor one too high',
    file: 'src/storage/publisher.ts',
    right: 'this.#hooks.floorFor(edit.sequence)',
    wrong: 'this.#hooks.floorFor(edit.sequence) + 1',
  },
  {
    name: 'files that a retained manifest names are removed',
    file: 'src/storage/maintenance/collect-garbage.ts',
    right: 'const kept = [current, ...recent, ...older]',
    wrong: 'const kept = [current, ...recent]',
  },
  {
    name: 'the grace time is not waited for',
    file: 'src/storage/maintenance/collect-garbage.ts',
    right: 'inForceWithin(options.graceMs, index)',
    wrong: 'inForceWithin(0, index)',
  },
  {
    name: 'the grace time ends earlier when a manifest took long to put',
    file: 'src/storage/maintenance/collect-garbage.ts',
    right: 'currentInfo.lastModifiedMs - confirmedAtMs',
    wrong: 'currentInfo.lastModifiedMs - current.createdAtMs',
  },
  {
    name: 'what fences paused writers is removed',
    file: 'src/storage/maintenance/lasting-objects.ts',
    right: 'at > 1 && kinds.get(at) ===',
    wrong: 'at < 1 && kinds.get(at) ===',
  },
  {
    name: 'the object before a fence is removed',
    file: 'src/storage/maintenance/lasting-objects.ts',
    right: '(start !== undefined && fences(start)) || ',
    wrong: '',
  },
  {
    name: 'only the last object before a fence stays',
    file: 'src/storage/maintenance/lasting-objects.ts',
    right: 'Array.from({ length: WINDOW }, (_, index) => index + 1)',
    wrong: 'Array.from({ length: 1 }, (_, index) => index + 1)',
  },
  {
    name: 'seals are removed',
    file: 'src/storage/maintenance/lasting-objects.ts',
    right: "kind === 'seal' || kind === 'unreadable' || seals.has(number)",
    wrong: "kind === 'unreadable'",
  },
  {
    name: 'uploads that wait for their manifest are removed',
    file: 'src/storage/maintenance/collect-garbage.ts',
    right: ' && !pending.has(file.key)',
    wrong: '',
  },
  {
    name: 'who was overtaken collects',
    file: 'src/storage/maintenance/collect-garbage.ts',
    // Each of the two would do: the second alone tells the wrong reason.
    right: `if (current.epoch !== options.epoch) throw fenced({ epochs: { own: options.epoch, successor: current.epoch } });
  // Published meanwhile, or an abandoned publication that the store completed late: the writer may take that one back,
  // under another generation.
  const { manifest: ours, confirmedAtMs } = options.inForce();
  if (current.version !== ours.version || current.generation !== ours.generation) throw justChanged();`,
    wrong: 'const { confirmedAtMs } = options.inForce();',
  },
  // ------------------------------------------------------------ following
  {
    name: 'who reads the log does not look whether it was collected meanwhile',
    file: 'src/storage/read-state.ts',
    right: 'const newer = await readNewerRoot(store, root.version);',
    wrong: 'const newer = null as ManifestRoot | null;',
  },
  {
    name: 'a flush moves the floor past a commit that was given up and is not taken back',
    file: 'src/storage/wal/wal-writer.ts',
    right: 'this.#givenUp ?? this.#failed?.from ?? this.#inFlight',
    wrong: 'this.#inFlight',
  },
  {
    name: 'a follower whose clock was set back waits until it has caught up',
    file: 'src/storage/follower.ts',
    right: 'Math.abs(nowMs - this.#listedAtMs)',
    wrong: '(nowMs - this.#listedAtMs)',
  },
  {
    name: 'a follower that begins again keeps the files that it knew',
    file: 'src/storage/follower.ts',
    right: `this.#manifest = manifest;
    this.#tail = tail;`,
    wrong: 'this.#tail = tail;',
  },
  {
    name: 'a follower does not notice that the WAL went on without it',
    file: 'src/storage/follower.ts',
    right: 'const fellBehind = walFloor > this.#tail.nextNumber || sequence > this.#tail.replay.lastSequence;',
    wrong: 'const fellBehind = walFloor < 0 && sequence < 0;',
  },
  {
    name: 'a follower does not mind that the files hold more than it met in the log',
    file: 'src/storage/follower.ts',
    right: ' || sequence > this.#tail.replay.lastSequence;',
    wrong: ' || sequence < 0;',
  },
  // That it looks at the manifests again after an empty object is too rare a chance for these seeds: namespace.test.ts has it.
  {
    name: 'a follower does not mind that the writer took something back',
    file: 'src/storage/follower.ts',
    right: 'this.#tail.replay.takenBackFrom <= this.#deliveredSequence',
    wrong: 'false',
  },
  {
    name: 'a follower that begins again has only the commits that are left of those it was given',
    file: 'src/engine/background/following.ts',
    right: 'anew: this.beginAgain',
    wrong: 'anew: false',
  },
  // ------------------------------------------------------------ copying
  {
    name: 'a copy has only what is in files',
    file: 'src/storage/maintenance/copy-namespace.ts',
    right: 'await appendCommits(source.recovered, target);',
    wrong: '',
  },
  {
    name: 'a copy does not mind that files are gone',
    file: 'src/storage/maintenance/copy-namespace.ts',
    right: 'if (!(error instanceof MissingFileError)) throw error;',
    wrong: 'throw error;',
  },
  // ------------------------------------------------------------ artefacts
  {
    name: 'artefacts are collected though manifests name them',
    file: 'src/storage/manifest/manifest-outline.ts',
    right: '[...tables, ...artefacts]',
    wrong: '[...tables, ...artefacts.slice(0, 0)]',
  },
  {
    name: 'a copy leaves out the artefacts',
    file: 'src/storage/maintenance/copy-namespace.ts',
    right: 'addArtefacts: artefacts,',
    wrong: '',
  },
  {
    name: 'an adjacency has tombstones for relationships',
    file: 'src/storage/artefacts/covered-rows.ts',
    right: 'positions[row] = NOT_LIVE',
    wrong: 'positions[row]! += 0',
  },
  {
    name: 'an artefact stays though new content or a merge has removed its files',
    file: 'src/storage/manifest/edit-artefacts.ts',
    right: '!dropped.has(artefact.id) && isThere(artefact)',
    wrong: '!dropped.has(artefact.id)',
  },
  {
    name: 'an artefact is asked about rows that later files replace',
    file: 'src/storage/artefacts/covered-look.ts',
    right: '!isReplaced(ordinal)',
    wrong: '(!isReplaced(ordinal) || segment.artefact !== null)',
  },
  {
    name: 'an artefact of another subject is asked',
    file: 'src/storage/artefacts/covered-look.ts',
    right: 'artefact.kindVersion === kind.version && subjectId(artefact) === id',
    wrong: 'artefact.kindVersion === kind.version && artefact.kind === kind.name',
  },
  {
    name: 'files of an artefact that waits for its manifest are collected',
    file: 'src/storage/files/data-files.ts',
    right: 'return this.#create(artefactKey(this.freshId()), bytes);',
    wrong: `const key = await this.#create(artefactKey(this.freshId()), bytes);
    this.#pending.delete(key);
    return key;`,
  },
  // ------------------------------------------------------------ children of manifests
  {
    name: 'children are collected though manifests name them',
    file: 'src/storage/manifest/manifest-outline.ts',
    right: 'return [...keys, ...children.map(({ key }) => key)];',
    wrong: 'return keys;',
  },
  {
    name: 'a child that waits for its manifest is collected',
    file: 'src/storage/files/data-files.ts',
    right: 'return this.#create(childKey(this.freshId()), bytes);',
    wrong: `const key = await this.#create(childKey(this.freshId()), bytes);
    this.#pending.delete(key);
    return key;`,
  },
  {
    name: 'a manifest does not wait for its child',
    file: 'src/storage/publisher.ts',
    right: 'const key = await this.#files.createChild(bytes);',
    wrong: `const key = \`data/\${this.freshId()}.manifest\`;
    this.#context.store.putIfAbsent(key, bytes).catch(() => {});`,
  },
  {
    name: 'a child that takes in others leaves out what they said',
    file: 'src/storage/manifest/child-manifests.ts',
    right: 'changes = changesBetween(stateOf(children), manifest);',
    wrong: '',
  },
  {
    name: 'a follower goes on with the children that it had',
    file: 'src/storage/manifest/manifest-store.ts',
    right: 'list.length === root.children.length && list.every((child, index) => isSame(child, root.children[index]!))',
    wrong: 'list.length === root.children.length',
  },
  {
    name: 'files that replace others come before all that stay',
    file: 'src/storage/manifest/manifest-changes.ts',
    right: 'let last = former[start - 1]?.key ?? null;',
    wrong: 'let last: string | null = null;',
  },
  // ------------------------------------------------------------ flushing, merging, reading
  {
    name: 'a flush loses deletions of nodes',
    file: 'src/graph/data/unflushed.ts',
    right: 'nodesDeletedBetween(table, reader, { from, to, rowsInFiles: extent.rowsInFiles })',
    wrong: 'nodesDeletedBetween(table, reader, { from: to, to, rowsInFiles: extent.rowsInFiles })',
  },
  {
    name: 'a flush loses changes of relationships',
    file: 'src/graph/data/unflushed.ts',
    right: 'table.chains.find(homeRow, sequence) === entry) yield homeRow;',
    wrong: 'table.chains.find(homeRow, sequence) === entry - 1) yield homeRow;',
  },
  {
    name: 'what comes while a flush is under way is taken for flushed',
    file: 'src/graph/graph-store.ts',
    right: 'table.setFlushed(rows, changes);',
    wrong: 'table.setFlushed(Math.max(rows, table.published.rowCount), changes);',
  },
  {
    name: 'what is committed and not published is taken for flushed',
    file: 'src/graph/loading/flush.ts',
    right: 'const changes = table.chains.countUpTo(sequence);',
    wrong: 'const changes = table.chains.length;',
  },
  {
    name: 'a merge drops tombstones though older files stay',
    file: 'src/storage/maintenance/compactor.ts',
    right: 'dropTombstones: chosen[0] === files[0],',
    wrong: 'dropTombstones: true,',
  },
  {
    name: 'a merge keeps the older version of a row',
    file: 'src/storage/compaction/merge-table.ts',
    right: 'cursor.compare(first) <= 0',
    wrong: 'cursor.compare(first) < 0',
  },
  {
    name: 'merged files come after those that were flushed meanwhile',
    file: 'src/storage/manifest/manifest-edit.ts',
    right: 'files.splice(at, 0, file);',
    wrong: 'files.push(file);',
  },
  {
    name: 'an index reads the newest state instead of that of the snapshot',
    file: 'src/graph/tables/node-reader.ts',
    right: 'const index = reader.directory.tableAt(ordinal, reader.sequence);',
    wrong: 'const index = reader.directory.tableAt(ordinal, 2 ** 31);',
  },
  {
    name: 'a snapshot shows what is not published yet',
    file: 'src/graph/graph-store.ts',
    right: `sequence: this.publishedSequence,
        publishedSequence: this.publishedSequence,`,
    wrong: `sequence: this.committedSequence,
        publishedSequence: this.committedSequence,`,
  },
];

/** True when the simulation found all of them. `only`: those whose name has this text. */
export async function findPlanted(only = ''): Promise<boolean> {
  const chosen = MISTAKES.filter(({ name }) => name.includes(only));
  let missed = 0;
  for (const mistake of chosen) {
    const { output, failed } = await runWithMistake(mistake, 'simulation', ['--seeds', String(SEEDS)]);
    const seed = /seed (\d+) failed/.exec(output)?.[1];
    if (failed && seed === undefined) throw new Error(`"${mistake.name}": the simulation broke off:\n${output}`);
    if (!failed) missed++;
    const how = /^(?:\w*Error|Violation).*$/m.exec(output)?.[0] ?? '';
    console.log(failed ? `found by seed ${seed}: ${mistake.name}\n    ${how.slice(0, 160)}` : `MISSED: ${mistake.name}`);
  }
  console.log(`${chosen.length - missed} of ${chosen.length} planted mistakes were found within ${SEEDS} seeds`);
  return missed === 0;
}
