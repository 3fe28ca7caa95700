/** count(DISTINCT node), by the group. */
import type { Execution } from './execution.ts';
import { OrdinalSet } from './ordinal-map.ts';

const BATCH = 1024;

export class DistinctNodeCounts {
  private readonly execution: Execution;
  private readonly sets: (OrdinalSet | undefined)[] = [];
  private uncharged = 0;

  constructor(execution: Execution) {
    this.execution = execution;
  }

  add(group: number, ordinal: number): void {
    const set = (this.sets[group] ??= new OrdinalSet());
    if (!set.add(ordinal) || ++this.uncharged < BATCH) return;
    this.uncharged = 0;
    this.execution.charge(BATCH, 0);
  }

  get(group: number): number {
    return this.sets[group]?.size ?? 0;
  }
}
