/**
 * APOC's filters of labels: `+A` allows nodes, `-B` keeps them out, `/C` are ends at which a path stops, `>D` are ends
 *   through which it goes on; a label without a sign is allowed. Several stand with `|` between,
 * steps of a sequence with commas.
 */
export interface Verdict {
  /** The node can end a path. */
  readonly isIncluded: boolean;
  /** Paths go on through it. */
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

/** A filter of labels. */
export class LabelFilter {
  private readonly steps: readonly Step[];
  /** Ends are named: nothing else ends a path. */
  private readonly endsOnly: boolean;

  constructor(filter: string) {
    this.steps = filter.split(',').map(parseStep);
    this.endsOnly = this.steps.some(({ stops, ends }) => stops.length + ends.length > 0);
  }

  get readsLabels(): boolean {
    return this.steps.some(({ allowed, denied, stops, ends }) => allowed.length + denied.length + stops.length + ends.length > 0);
  }

  /** A node that no label keeps out, as the one a path begins at. */
  get unfiltered(): Verdict {
    return this.endsOnly ? THROUGH : ALL;
  }

  /** @param place of the node in the sequence, from 0 on */
  verdict(labels: readonly string[], place: number): Verdict {
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
