/**
 * APOC's label filters: `+A` allows nodes with a label, `-B` excludes them; `/C` marks ends at which a path stops, `>D`
 * ends from which it may continue. A label without a sign is allowed. Several are separated by `|`, the steps of a
 * sequence by commas. Labels joined by colons, as in `+Person:Admin`, stand for the nodes that have all of them.
 */

/** The decision of a label filter on a node of a path. */
export interface Verdict {
  /** Whether the node may end a path. */
  readonly isIncluded: boolean;
  /** Whether paths may continue from the node. */
  readonly goesOn: boolean;
}

const ALL: Verdict = { isIncluded: true, goesOn: true };
const END: Verdict = { isIncluded: true, goesOn: false };
const THROUGH: Verdict = { isIncluded: false, goesOn: true };
const NONE: Verdict = { isIncluded: false, goesOn: false };

/** Labels that a node must have, all of them. */
type Labels = readonly string[];

interface Step {
  readonly allowed: readonly Labels[];
  readonly denied: readonly Labels[];
  readonly stops: readonly Labels[];
  readonly ends: readonly Labels[];
}

/** A label filter of `apoc.path.*`, with one step or a sequence of them. */
export class LabelFilter {
  private readonly steps: readonly Step[];
  /** Whether the filter names ends, in which case no other node ends a path. */
  private readonly endsOnly: boolean;

  constructor(filter: string) {
    this.steps = filter.split(',').map(parseStep);
    this.endsOnly = this.steps.some(({ stops, ends }) => stops.length + ends.length > 0);
  }

  get readsLabels(): boolean {
    return this.steps.some(({ allowed, denied, stops, ends }) => allowed.length + denied.length + stops.length + ends.length > 0);
  }

  /** The verdict on a node that is not filtered, such as the start of a path. */
  get unfiltered(): Verdict {
    return this.endsOnly ? THROUGH : ALL;
  }

  /**
   * Returns the verdict on a node with these labels. Below the least length of paths, no node ends a path, nor stops it.
   *
   * @param place the index of the node in the sequence, from 0 on
   */
  verdict(labels: readonly string[], place: number, isBelowMinLevel: boolean): Verdict {
    const verdict = this.verdictAt(labels, place);
    return isBelowMinLevel && verdict !== NONE ? THROUGH : verdict;
  }

  private verdictAt(labels: readonly string[], place: number): Verdict {
    const { allowed, denied, stops, ends } = this.steps[place % this.steps.length]!;
    const has = (alternatives: readonly Labels[]): boolean =>
      alternatives.some((all) => all.every((name) => name === '*' || labels.includes(name)));
    if (has(denied)) return NONE;
    if (has(stops)) return END;
    if (has(ends)) return ALL;
    return allowed.length === 0 || has(allowed) ? this.unfiltered : NONE;
  }
}

function parseStep(filter: string): Step {
  const parts = filter.split('|').map((part) => part.trim());
  const behind = (sign: string): Labels[] => parts.filter((part) => part.startsWith(sign)).map((part) => labelsOf(part.slice(1)));
  const unsigned = parts.filter((part) => part !== '' && !/^[-+/>]/.test(part)).map(labelsOf);
  return { allowed: [...behind('+'), ...unsigned], denied: behind('-'), stops: behind('/'), ends: behind('>') };
}

/** Returns the labels of a term such as `Person:Admin`. A colon between backticks belongs to a name. */
function labelsOf(term: string): Labels {
  const names = term.replace(/^:/, '').match(/(?:`[^`]*`|[^:])+/g) ?? [''];
  return names.map((name) => name.replace(/^`(.*)`$/, '$1'));
}
