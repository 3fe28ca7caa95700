/**
 * APOC's label filters: `+A` allows nodes with a label, `-B` excludes them; `/C` marks ends at which a path stops, `>D`
 * ends from which it may continue. A label without a sign is allowed. Several are separated by `|`, the steps of a
 * sequence by commas.
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

interface Step {
  readonly allowed: readonly string[];
  readonly denied: readonly string[];
  readonly stops: readonly string[];
  readonly ends: readonly string[];
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
    const has = (names: readonly string[]): boolean => names.some((name) => name === '*' || labels.includes(name));
    if (has(denied)) return NONE;
    if (has(stops)) return END;
    if (has(ends)) return ALL;
    return allowed.length === 0 || has(allowed) ? this.unfiltered : NONE;
  }
}

function parseStep(filter: string): Step {
  const parts = filter.split('|').map((part) => part.trim());
  const behind = (sign: string): string[] => parts.filter((part) => part.startsWith(sign)).map((part) => name(part.slice(1)));
  const unsigned = parts.filter((part) => part !== '' && !/^[-+/>]/.test(part)).map(name);
  return { allowed: [...behind('+'), ...unsigned], denied: behind('-'), stops: behind('/'), ends: behind('>') };
}

const name = (label: string): string => label.replace(/^:/, '').replace(/^`(.*)`$/, '$1');
