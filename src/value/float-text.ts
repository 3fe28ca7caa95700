/** Floats as text. */

/** Writes a Float as Cypher does: `1.0`, `-0.0`, `1.5`, `1.0E10`, `2.5E-7`, `NaN`, `Infinity`. Reads back as the same Float. */
export function floatText(x: number): string {
  if (!Number.isFinite(x)) return String(x);
  const magnitude = Math.abs(x);
  if (magnitude !== 0 && (magnitude >= 1e7 || magnitude < 1e-3)) return scientific(x);
  if (Object.is(x, -0)) return '-0.0';
  return Number.isInteger(x) ? `${x}.0` : String(x);
}

/** Writes a mantissa with a point, then E and the exponent, in the fewest digits that read back as the same number. */
function scientific(x: number): string {
  const [mantissa = '', exponent = ''] = x.toExponential().split('e');
  return `${mantissa.includes('.') ? mantissa : `${mantissa}.0`}E${exponent.replace('+', '')}`;
}
