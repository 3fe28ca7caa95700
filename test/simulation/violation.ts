/** A report of a simulation that the database is wrong. */

export class Violation extends Error {}

/** Texts of several lines: says which lines are missing, and which are there and should not be. */
export function assertSame(actual: unknown, expected: unknown, what: string): void {
  if (actual === expected) return;
  const [found, wanted] = [String(actual).split('\n'), String(expected).split('\n')];
  const differences = [
    ...found.filter((line) => !wanted.includes(line)).map((line) => `+ ${line}`),
    ...wanted.filter((line) => !found.includes(line)).map((line) => `- ${line}`),
  ];
  throw new Violation(`${what} differ:\n${differences.join('\n')}`);
}
