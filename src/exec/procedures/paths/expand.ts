/**
 * Expands paths from start nodes for `apoc.path.*`: breadth first or depth first, filtered by types, directions, labels
 * and lists of nodes. Each path is stored as its last node and the path before it, so that paths share their
 * beginnings; it is assembled when it is returned.
 */
import { PathValue, type RelationshipValue } from '../../../value/index.ts';
import type { ProcedureContext } from '../../runtime/procedure-context.ts';
import { OrdinalSet } from '../../runtime/rows/ordinal-map.ts';
import { Cursor } from '../../runtime/walks/walk.ts';
import type { Expansion } from './expansion.ts';
import type { Verdict } from './label-filter.ts';
import { adjacentsOfSteps } from './relationship-filter.ts';

/** Bytes for a path: an object of six members, and its place in a list. */
const BYTES_PER_PATH = 80;
const PATHS_CHARGED_TOGETHER = 256;
/** Binary logarithm of the members of a path compared in the time of one step. */
const COMPARED = 3;

/** A node that was reached, with the path to it. */
export interface Reached {
  readonly node: number;
  readonly depth: number;
  readonly before: Reached | null;
  readonly relationship: RelationshipValue | null;
}

/** Yields the accepted paths in order; null where other statements should run. Memory is charged for all paths walked. */
export function* expand(context: ProcedureContext, expansion: Expansion): Generator<Reached | null> {
  const steps = adjacentsOfSteps(context, expansion.relationshipFilter);
  const seen = new Seen(expansion);
  const waiting: Reached[] = [];
  let charged = 0;
  let found = 0;
  const add = (reached: Reached): void => {
    waiting.push(reached);
    if (charged++ % PATHS_CHARGED_TOGETHER === 0) context.chargeBytes(BYTES_PER_PATH * PATHS_CHARGED_TOGETHER);
  };
  for (const node of expansion.starts) if (seen.add(null, node, null)) add({ node, depth: 0, before: null, relationship: null });
  if (!expansion.isBreadthFirst) waiting.reverse();
  const cursor = new Cursor();
  for (let at = 0; expansion.isBreadthFirst ? at < waiting.length : waiting.length > 0; at++) {
    if (found >= expansion.limit) return;
    const path = expansion.isBreadthFirst ? waiting[at]! : waiting.pop()!;
    if (context.worked(1)) yield null;
    const { isIncluded, goesOn } = verdictOf(context, expansion, path);
    if (isIncluded && path.depth >= expansion.minLevel) {
      found++;
      yield path;
    }
    if (!goesOn || path.depth >= expansion.maxLevel) continue;
    const first = waiting.length;
    cursor.open(path.node, stepAt(steps, path.depth, expansion));
    while (cursor.advance()) {
      if (context.worked(1 + (seen.comparesPaths ? path.depth >> COMPARED : 0))) yield null;
      const relationship = cursor.relationship();
      if (seen.add(path, cursor.neighbour, relationship))
        add({ node: cursor.neighbour, depth: path.depth + 1, before: path, relationship });
    }
    if (!expansion.isBreadthFirst) reverseFrom(waiting, first);
  }
}

/** Reverses the paths from index `first` on, so that the path found first is taken from the stack first. */
function reverseFrom(paths: Reached[], first: number): void {
  for (let low = first, high = paths.length - 1; low < high; low++, high--) [paths[low], paths[high]] = [paths[high]!, paths[low]!];
}

/** Returns the step that leads from a node at this depth. The steps repeat; one that leads to the start of a sequence does not. */
function stepAt<Step>(steps: readonly Step[], depth: number, { sequenceAtStart }: Expansion): Step {
  const isRepeated = sequenceAtStart || depth === 0 || steps.length === 1;
  return isRepeated ? steps[depth % steps.length]! : steps[1 + ((depth - 1) % (steps.length - 1))]!;
}

const NONE: Verdict = { isIncluded: false, goesOn: false };

/** Returns the verdict of all filters together: each may keep a node from ending a path, and from being passed. */
function verdictOf(context: ProcedureContext, expansion: Expansion, { node, depth }: Reached): Verdict {
  const { ends, terminators, allowed, denied } = expansion;
  const isFiltered = depth > 0 || expansion.filterStart;
  const isTerminator = terminators.has(node);
  const isEnd = isTerminator || ends.has(node);
  if (isFiltered && (denied.has(node) || (allowed !== null && !allowed.has(node) && !isEnd))) return NONE;
  const byLabel = verdictByLabel(context, expansion, { node, depth });
  if (ends.size + terminators.size === 0) return byLabel;
  if (!isFiltered || depth < expansion.minLevel) return { isIncluded: false, goesOn: byLabel.goesOn };
  return { isIncluded: byLabel.isIncluded && isEnd, goesOn: byLabel.goesOn && !isTerminator };
}

function verdictByLabel({ view }: ProcedureContext, expansion: Expansion, { node, depth }: Pick<Reached, 'node' | 'depth'>): Verdict {
  const { labels, filterStart, sequenceAtStart, minLevel } = expansion;
  const isFiltered = depth > 0 || (filterStart && sequenceAtStart);
  if (!isFiltered || !labels.readsLabels) return labels.unfiltered;
  const names = view.nodeLabels(node).map((id) => view.labels.name(id));
  return labels.verdict(names, sequenceAtStart ? depth : depth - 1, depth < minLevel);
}

/** Tracks nodes or relationships that were reached before, as the kind of uniqueness requires. */
class Seen {
  readonly comparesPaths: boolean;
  private readonly uniqueness: Expansion['uniqueness'];
  private readonly nodes = new OrdinalSet();
  private readonly relationships = new Map<number, OrdinalSet>();

  constructor({ uniqueness }: Expansion) {
    this.uniqueness = uniqueness;
    this.comparesPaths = uniqueness === 'RELATIONSHIP_PATH' || uniqueness === 'NODE_PATH';
  }

  /** Tells whether a path may be extended along the relationship to the node, and records both. */
  add(path: Reached | null, node: number, relationship: RelationshipValue | null): boolean {
    switch (this.uniqueness) {
      case 'NONE':
        return true;
      case 'NODE_GLOBAL':
        return this.nodes.add(node);
      case 'RELATIONSHIP_GLOBAL':
        return relationship === null || this.addRelationship(relationship);
      case 'NODE_PATH':
        for (let at = path; at !== null; at = at.before) if (at.node === node) return false;
        return true;
      case 'RELATIONSHIP_PATH':
        if (relationship === null) return true;
        for (let at = path; at !== null; at = at.before) if (isSame(at.relationship, relationship)) return false;
        return true;
    }
  }

  private addRelationship({ type, row }: RelationshipValue): boolean {
    const rows = this.relationships.get(type) ?? new OrdinalSet();
    this.relationships.set(type, rows);
    return rows.add(row);
  }
}

const isSame = (one: RelationshipValue | null, other: RelationshipValue): boolean => one?.type === other.type && one.row === other.row;

/** Returns the path to a node that was reached. */
export function pathOf(reached: Reached): PathValue {
  const nodes: number[] = [];
  const relationships: RelationshipValue[] = [];
  for (let at: Reached | null = reached; at !== null; at = at.before) {
    nodes.push(at.node);
    if (at.relationship !== null) relationships.push(at.relationship);
  }
  return new PathValue(nodes.reverse(), relationships.reverse());
}
