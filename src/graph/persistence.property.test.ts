/**
 * Random commits, flushes, compactions and reopenings over a real namespace in memory: what is loaded, whole or in
 * part, is what the model says.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dropMemoryStore, openMemoryStore } from '../object-store/index.ts';
import { type Namespace, openNamespace } from '../storage/index.ts';
import type { GraphStore } from './graph-store.ts';
import type { Flush } from './loading/flush.ts';
import { EVERYTHING, type Requirements } from './loading/requirements.ts';
import { openGraphStore } from './open-graph-store.ts';
import { assertViewIs } from './testing/compare.ts';
import { ModelGraph } from './testing/model-graph.ts';
import { RandomSource } from './testing/random-source.ts';
import { RandomWriter } from './testing/random-writer.ts';
import type { GraphTransaction } from './view/view.ts';

const IDENTIFIERS: Requirements = {
  labels: [],
  ends: [],
  types: [],
  nodeKeys: [],
  relationshipKeys: [],
  ids: false,
  lookups: true,
  writes: false,
};

class Run {
  readonly random: RandomSource;
  readonly writer: RandomWriter;
  readonly uri;
  model = new ModelGraph();
  namespace!: Namespace;
  graph!: GraphStore;
  dropping: ReturnType<GraphStore['dropDeadRowsInSteps']> | null = null;

  constructor(seed: number) {
    this.random = new RandomSource(seed);
    this.writer = new RandomWriter(this.random);
    this.uri = { scheme: 'memory', name: `graph-persistence-seed-${seed}`, namespace: 'test' } as const;
  }

  async open(): Promise<void> {
    this.namespace = await openNamespace(openMemoryStore(this.uri), { name: 'test' });
    this.graph = await openGraphStore(this.namespace);
    const view = this.graph.snapshot();
    assert.deepEqual([view.nodeCount, view.relationshipCount], [this.model.nodes.size, this.model.relationships.size]);
  }

  async reopen(): Promise<void> {
    await this.namespace.close();
    this.dropping = null;
    await this.open();
  }

  async close(): Promise<void> {
    await this.namespace.close();
    dropMemoryStore(this.uri);
  }

  async end(transaction: GraphTransaction, model: ModelGraph): Promise<void> {
    if (this.random.chance(0.25) || !transaction.hasChanges) {
      transaction.rollback();
      return;
    }
    const changes = transaction.changes();
    const sequence = transaction.commit();
    await this.namespace.append({ sequence, changes });
    this.graph.publish(sequence);
    this.model = model;
  }

  async transaction(): Promise<void> {
    const transaction = this.graph.begin();
    await this.graph.require(transaction.view);
    const model = this.model.copy();
    if (this.random.chance(0.1)) this.writer.changeSchema(transaction);
    for (let i = this.random.below(12); i >= 0; i--) this.writer.write(transaction, model);
    await this.end(transaction, model);
  }

  /** Only creates, so that nothing but identifiers has to be in memory; some is loaded while it runs. */
  async blindTransaction(): Promise<void> {
    const transaction = this.graph.begin();
    await this.graph.require(transaction.view, IDENTIFIERS);
    const model = this.model.copy();
    for (let i = this.random.below(12); i >= 0; i--) {
      if (model.nodes.size > 0 && this.random.chance(0.5)) this.writer.createRelationship(transaction, model);
      else this.writer.createNode(transaction, model);
      if (this.random.chance(0.15)) await this.requireSome(transaction);
    }
    await this.end(transaction, model);
  }

  async requireSome(transaction: GraphTransaction | null): Promise<void> {
    const { random } = this;
    const some = <T>(choices: readonly T[]): T[] | 'all' => (random.chance(0.3) ? 'all' : choices.filter(() => random.chance(0.5)));
    const view = transaction?.view ?? this.graph.snapshot();
    await this.graph.require(view, {
      labels: some(['A', 'B', 'C']),
      ends: random.chance(0.5) ? [{ type: random.pick(['KNOWS', 'LIKES']), end: random.pick(['source', 'target']) }] : [],
      types: some(['KNOWS', 'LIKES']),
      nodeKeys: some(['p', 'q', 'r', '_s']),
      relationshipKeys: some(['p', 'q', 'r', '_s']),
      ids: random.chance(0.3),
      lookups: random.chance(0.2),
      writes: random.chance(0.1),
    });
  }

  async flush(): Promise<void> {
    if (this.random.chance(0.2)) {
      this.graph.collectFlush();
      return;
    }
    const steps = this.graph.collectFlushInSteps();
    if (steps === null) return;
    const flush = this.random.chance(0.3) ? await this.besideAnOpenTransaction(steps) : await this.besideTransactions(steps);
    if (this.random.chance(0.3)) this.dropSome();
    if (this.random.chance(0.5)) await this.transaction();
    if (this.random.chance(0.3)) this.dropSome();
    await this.namespace.publish(flush.edit);
    this.graph.flushed(flush);
  }

  /** Dead rows are dropped at once, or in steps, of which the next ones come later, beside whatever happens until then. */
  dropSome(): void {
    if (this.dropping === null && this.random.chance(0.3)) {
      this.graph.dropDeadRows(() => this.random.chance(0.7));
      return;
    }
    this.dropping ??= this.graph.dropDeadRowsInSteps(() => this.random.chance(0.7));
    for (let steps = this.random.below(12); steps >= 0; steps--) {
      if (this.dropping.next().done !== true) continue;
      this.dropping = null;
      return;
    }
  }

  async besideTransactions(steps: Generator<number, Flush>): Promise<Flush> {
    for (let step = steps.next(); ; step = steps.next()) {
      if (step.done === true) return step.value;
      const roll = this.random.next();
      if (roll < 0.05) await this.transaction();
      else if (roll < 0.1) await this.blindTransaction();
      else if (roll < 0.15) await this.requireSome(null);
      else if (roll < 0.4) this.dropSome();
    }
  }

  async besideAnOpenTransaction(steps: Generator<number, Flush>): Promise<Flush> {
    const transaction = this.graph.begin();
    await this.graph.require(transaction.view);
    const model = this.model.copy();
    for (let step = steps.next(); ; step = steps.next()) {
      if (step.done !== true) {
        if (this.random.chance(0.2)) this.writer.write(transaction, model);
        continue;
      }
      await this.end(transaction, model);
      return step.value;
    }
  }

  /** Other files take the place of those that the graph knows, which are gone at once. */
  async compact(): Promise<void> {
    const { random } = this;
    await this.namespace.compact({ everything: random.chance(0.5), maxFlushedFiles: 2 });
    this.graph.takeFiles(this.namespace.manifest);
    await this.namespace.collectGarbage({ graceMs: 0, retainVersions: 1 });
  }

  async check(): Promise<void> {
    const view = this.graph.snapshot();
    await this.graph.require(view, EVERYTHING);
    assertViewIs(view, this.model);
    assert.equal(this.graph.require(view), null);
  }

  async step(): Promise<void> {
    const roll = this.random.next();
    if (roll < 0.3) await this.transaction();
    else if (roll < 0.55) await this.blindTransaction();
    else if (roll < 0.7) await this.flush();
    else if (roll < 0.85) await this.reopen();
    else if (roll < 0.88) await this.requireSome(null);
    else if (roll < 0.92) await this.compact();
    else if (roll < 0.96) this.dropSome();
    else await this.check();
  }
}

for (let seed = 1; seed <= 12; seed++) {
  test(`what was committed is there after reopening (seed ${seed})`, async () => {
    const run = new Run(seed);
    await run.open();
    for (let i = 0; i < 50; i++) await run.step();
    await run.check();
    await run.reopen();
    await run.check();
    await run.close();
  });
}
