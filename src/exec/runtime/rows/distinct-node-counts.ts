/** The states of count(DISTINCT node). */

import type { MemoryAccount } from './memory-account.ts';
import { giveNodeSet, type NodeSet, takeNodeSet } from './node-set.ts';
import { OrdinalSet } from './ordinal-map.ts';

const BATCH = 1024;

/** Counts the distinct nodes of each group. */
export class DistinctNodeCounts {
  private readonly memory: MemoryAccount;
  private readonly sets: (OrdinalSet | undefined)[] = [];
  private uncharged = 0;

  constructor(memory: MemoryAccount) {
    this.memory = memory;
  }

  add(group: number, ordinal: number): void {
    const set = (this.sets[group] ??= new OrdinalSet());
    if (!set.add(ordinal) || ++this.uncharged < BATCH) return;
    this.uncharged = 0;
    this.memory.charge(BATCH, 0);
  }

  get(group: number): number {
    return this.sets[group]?.size ?? 0;
  }
}

/**
 * Counts the distinct nodes of an aggregation without groups.
 *
 * A walk delivers runs of nodes without duplicates. As long as there is only one run, its nodes are counted without
 * being marked in the set; nodes from elsewhere make it mark all of them.
 */
export class DistinctNodeCount {
  private readonly memory: MemoryAccount;
  private readonly nodeLimit: number;
  private set: NodeSet | null = null;
  private count = 0;
  /** The run that all nodes come from, if they are not marked in the set; null if they are marked, or if there are none. */
  private run: unknown = null;
  private charged = 0;

  constructor(memory: MemoryAccount, nodeLimit: number) {
    this.memory = memory;
    this.nodeLimit = nodeLimit;
  }

  add(_group: number, node: number): void {
    const set = this.marked();
    set.add(node);
    if (set.size >= this.charged + BATCH) this.charge(set.size);
  }

  /** Adds nodes of a run, all below the node limit and distinct from the earlier nodes of the run. */
  addRun(run: unknown, nodes: Uint32Array, from: number, to: number): void {
    if (this.run === run || (this.set ??= takeNodeSet(this.nodeLimit)).size === 0) {
      this.run = run;
      this.set!.append(nodes, from, to);
    } else this.marked().addAll(nodes, from, to);
    this.charge(this.set!.size);
  }

  /** Returns the count, and gives the set back. Call it only after all nodes have been added. */
  get(_group: number): number {
    const { set } = this;
    if (set === null) return this.count;
    this.count = set.size;
    this.set = null;
    giveNodeSet(set);
    return this.count;
  }

  private marked(): NodeSet {
    const set = (this.set ??= takeNodeSet(this.nodeLimit));
    if (this.run === null) return set;
    this.run = null;
    set.markAll();
    return set;
  }

  private charge(size: number): void {
    this.memory.charge(size - this.charged, 0);
    this.charged = size;
  }
}
