/**
 * Labels that a query does not mention but the data implies: when (nearly) all relationships of a type end at nodes of
 * one label, a node at that end has it. For estimates only: it may stop being true tomorrow.
 */
import type { GraphStatistics } from '../../graph/index.ts';
import type { QueryRelationship } from '../pattern/query-graph.ts';

/** Least share of a type's relationships that must have a label at an end for the label to be implied. */
const NEARLY_ALL = 0.98;
/** Most labels of a store that are tried; in a store with more, no label counts as implied. */
const LABELS_TRIED = 40;

type End = 'source' | 'target';

/** Finds labels that the data implies. */
export class ImpliedLabels {
  readonly #statistics: GraphStatistics;
  readonly #known = new Map<string, ReadonlySet<string>>();

  constructor(statistics: GraphStatistics) {
    this.#statistics = statistics;
  }

  /** Returns the labels that the data implies for the left or right node of a relationship pattern. */
  of(relationship: QueryRelationship, side: 'left' | 'right'): ReadonlySet<string> {
    if (relationship.types === null || relationship.types.length === 0) return new Set();
    const ends: readonly End[] =
      relationship.direction === 'both'
        ? ['source', 'target']
        : (relationship.direction === 'out') === (side === 'left')
          ? ['source']
          : ['target'];
    const [first, ...others] = relationship.types.flatMap((type) => ends.map((end) => this.#ofEnd(type, end)));
    return new Set([...first!].filter((label) => others.every((labels) => labels.has(label))));
  }

  #ofEnd(type: string, end: End): ReadonlySet<string> {
    const key = `${end} ${type}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const total = this.#statistics.relationshipsOfType(type);
    const isImplied = (label: string): boolean =>
      (end === 'source' ? this.#statistics.relationships(type, label, null) : this.#statistics.relationships(type, null, label)) >=
      total * NEARLY_ALL;
    const labels = this.#statistics.labelNames ?? [];
    const implied = new Set(total === 0 || labels.length > LABELS_TRIED ? [] : labels.filter(isImplied));
    this.#known.set(key, implied);
    return implied;
  }
}
