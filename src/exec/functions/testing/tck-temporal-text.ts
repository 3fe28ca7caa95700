/**
 * Formats temporal values in results as the TCK does: like Java's `toString()`, which leaves out seconds that are zero
 * (`12:00+01:00`). The feature files Temporal1 to Temporal4, Temporal9 and WithOrderBy1 show this; Temporal6 shows
 * results of toString(), but none with such seconds.
 */
export function tckTemporalText(text: string): string {
  return text.replace(/^((?:[+-]?\d{4,}-\d\d-\d\dT)?\d\d:\d\d):00(?!\.)/, '$1');
}
