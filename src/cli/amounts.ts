/** Formats counts and sizes for people. */

/** Formats a count as `1,000`, without a locale, whose first use takes some 20 ms. */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/** Formats a count with its noun: `1,000 rows`, `1 row`. */
export function counted(count: number, noun: string): string {
  return `${grouped(count)} ${count === 1 ? noun : noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`}`;
}

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const;

/** Formats bytes with three digits and a unit: `512 B`, `1.25 MiB`. */
export function size(bytes: number): string {
  const exponent = Math.min(Math.max(Math.floor(Math.log2(bytes || 1) / 10), 0), UNITS.length - 1);
  const amount = bytes / 1024 ** exponent;
  return `${exponent === 0 || amount >= 100 ? Math.round(amount) : amount.toPrecision(3)} ${UNITS[exponent]}`;
}
