/** Finds the tables whose rows a commit changes or deletes, so that they can be loaded before the commit is replayed. */

import type { GraphData } from '../data/graph-data.ts';
import { mayHold } from '../tables/table-files.ts';
import { type ChangeVisitor, readChangesInSteps } from '../transaction/change-reader.ts';
import type { TableRequirement } from './table-requirement.ts';

/** Finds the tables whose existing rows a commit changes or deletes. Runs in steps that yield how many records the next one reads. */
export function* tablesChangedBy(changes: Uint8Array, source: string, data: GraphData): Generator<number, TableRequirement[], void> {
  const changed = new ChangedTables();
  yield* readChangesInSteps(changes, source, changed);
  const nodes = data.nodeTables.filter(({ files }) => files !== null && changed.nodes.some((ordinal) => mayHold(files, ordinal)));
  const relationships = data.relationshipTables.filter((table) => table !== undefined && changed.types.has(table.type));
  return [...nodes, ...relationships].map((table) => {
    const whole = table as NonNullable<typeof table>;
    return { table: whole, keys: [...(whole.files?.unloadedKeys ?? [])], ids: true };
  });
}

/** Collects the nodes and the relationship types that a commit changes or deletes. */
class ChangedTables implements ChangeVisitor {
  readonly nodes: number[] = [];
  readonly types = new Set<number>();

  define(): void {}
  createNode(): void {}
  createRelationship(): void {}
  createIndex(): void {}
  dropIndex(): void {}
  createConstraint(): void {}
  dropConstraint(): void {}

  setNodeProperty(ordinal: number): void {
    this.nodes.push(ordinal);
  }

  addLabels(ordinal: number): void {
    this.nodes.push(ordinal);
  }

  removeLabels(ordinal: number): void {
    this.nodes.push(ordinal);
  }

  deleteNode(ordinal: number): void {
    this.nodes.push(ordinal);
  }

  setRelationshipProperty(name: { readonly type: number }): void {
    this.types.add(name.type);
  }

  deleteRelationship(name: { readonly type: number }): void {
    this.types.add(name.type);
  }
}
