/** Compares two relationships by type, ends and row, as far as possible before the code runs. */
import type { RelationshipFacts, Typed } from '../typed.ts';

/** Returns a condition that is true when two relationships, neither of them null, are the same; `false` when they cannot be. */
export function sameRelationship(left: Typed, right: Typed): string {
  const a = left.relationship!;
  const b = right.relationship!;
  if (a.type !== null && b.type !== null) {
    if (a.type !== b.type) return 'false';
    if (a.loopFree === true && (isSame(a.target, b.source) || isSame(a.source, b.target))) return 'false';
    const rows = `${a.lateRow ?? a.rowCode} === ${b.lateRow ?? b.rowCode}`;
    const ends = sameEnds(a, b);
    return ends === null ? rows : `${ends} && ${rows}`;
  }
  return `${a.rowCode} === ${b.rowCode} && ${a.typeCode} === ${b.typeCode}`;
}

function isSame(one: string | null, other: string | null): boolean {
  return one !== null && one === other;
}

/**
 * Returns a condition on the ends that holds when two relationships are the same, and hardly ever otherwise, so that
 * locals are compared before rows are read. Null when no ends can be compared.
 */
function sameEnds(a: RelationshipFacts, b: RelationshipFacts): string | null {
  if (a.source !== null && a.target !== null && b.source !== null && b.target !== null) {
    const tests = [
      [a.source, b.source],
      [a.target, b.target],
    ].filter(([one, other]) => one !== other);
    return tests.length === 0 ? null : tests.map(([one, other]) => `${one} === ${other}`).join(' && ');
  }
  const [one, other] = [endsOf(a), endsOf(b)];
  if (one === null || other === null) return null;
  for (const at of [0, 1]) {
    const shared = other.indexOf(one[at]!);
    if (shared >= 0) return `${one[1 - at]} === ${other[1 - shared]}`;
  }
  return null;
}

function endsOf({ source, target, ends }: RelationshipFacts): readonly [string, string] | null {
  return source !== null && target !== null ? [source, target] : (ends ?? null);
}
