/** Random transactions against a naive model: what each view must show, while others write, roll back and reorganise. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createGraphStore, type GraphStore } from './graph-store.ts';
import { assertViewIs } from './testing/compare.ts';
import { ModelGraph } from './testing/model-graph.ts';
import { RandomIndexes } from './testing/random-indexes.ts';
import { RandomSource } from './testing/random-source.ts';
import { RandomWriter } from './testing/random-writer.ts';
import type { GraphView } from './view/view.ts';

interface Held {
  readonly view: GraphView;
  readonly model: ModelGraph;
}

/** One store, its model at the newest, committed and published state, and snapshots held for later. */
class Run {
  readonly store: GraphStore = createGraphStore();
  readonly random: RandomSource;
  readonly writer: RandomWriter;
  /** Models by sequence, from the published one on. */
  readonly models: ModelGraph[] = [new ModelGraph()];
  readonly indexes: RandomIndexes;
  readonly held: Held[] = [];
  dropping: ReturnType<GraphStore['dropDeadRowsInSteps']> | null = null;
  readonly log: { sequence: number; changes: Uint8Array }[] = [];

  constructor(seed: number) {
    this.random = new RandomSource(seed);
    this.writer = new RandomWriter(this.random);
    this.indexes = new RandomIndexes(this.store, this.random);
  }

  get committed(): ModelGraph {
    return this.models[this.store.committedSequence] as ModelGraph;
  }

  get published(): ModelGraph {
    return this.models[this.store.publishedSequence] as ModelGraph;
  }

  transaction(): void {
    const model = this.committed.copy();
    const transaction = this.store.begin();
    if (this.random.chance(0.15)) this.writer.changeSchema(transaction);
    const writes = 1 + this.random.below(this.random.chance(0.2) ? 60 : 8);
    const looks = this.random.chance(0.5);
    for (let i = 0; i < writes; i++) {
      this.writer.write(transaction, model);
      if (looks) transaction.refresh();
    }
    if (this.random.chance(0.3)) this.indexes.step();
    for (let i = this.random.below(4); i > 0; i--) this.writer.write(transaction, model);
    if (this.random.chance(0.02)) for (let i = 0; i < 2500; i++) this.writer.createRelationship(transaction, model);
    if (this.random.chance(0.3)) {
      transaction.refresh();
      assertViewIs(transaction.view, model);
    }
    if (this.random.chance(0.3)) {
      transaction.rollback();
      return;
    }
    const changes = transaction.changes();
    const changed = transaction.hasChanges;
    const sequence = transaction.commit();
    if (!changed) return;
    this.models[sequence] = model;
    this.log.push({ sequence, changes });
  }

  step(): void {
    if (this.random.chance(0.6)) this.indexes.step();
    const roll = this.random.next();
    if (roll < 0.6) this.transaction();
    else if (roll < 0.85) this.store.publish(this.store.publishedSequence + this.random.below(this.pending() + 1));
    else if (roll < 0.9) this.rollBack();
    else if (roll < 0.96) this.dropSome();
    else this.hold();
  }

  /** Dead rows are dropped at once, or in steps, of which the next ones come later, beside whatever happens until then. */
  dropSome(): void {
    if (this.dropping === null && this.random.chance(0.3)) {
      this.store.dropDeadRows(() => this.random.chance(0.7));
      return;
    }
    this.dropping ??= this.store.dropDeadRowsInSteps(() => this.random.chance(0.7));
    for (let steps = this.random.below(12); steps >= 0; steps--) {
      if (this.dropping.next().done !== true) continue;
      this.dropping = null;
      return;
    }
  }

  pending(): number {
    return this.store.committedSequence - this.store.publishedSequence;
  }

  rollBack(): void {
    const sequence = this.store.publishedSequence + this.random.below(this.pending() + 1);
    this.store.rollbackTo(sequence);
    while ((this.log.at(-1)?.sequence ?? 0) > sequence) this.log.pop();
  }

  hold(): void {
    this.held.push({ view: this.store.snapshot(), model: this.published });
    if (this.held.length > 4) this.held.splice(this.random.below(4), 1);
  }

  check(): void {
    assertViewIs(this.store.snapshot(), this.published);
    for (const { view, model } of this.held) assertViewIs(view, model);
  }
}

for (let seed = 1; seed <= 12; seed++) {
  test(`views show what the model says (seed ${seed})`, () => {
    const run = new Run(seed);
    for (let i = 0; i < 50; i++) {
      run.step();
      if (i % 12 === 11) run.check();
    }
    run.store.publish(run.store.committedSequence);
    run.check();
    assert.ok(run.indexes.shown > 0);
    const replayed = createGraphStore();
    for (const commit of run.log) replayed.applyChanges(commit);
    assertViewIs(replayed.snapshot(), run.published);
    assert.equal(replayed.publishedSequence, run.store.publishedSequence);
  });
}
