/** Whether two answers are the same: rows in any order, numbers within a billionth. */
export function sameAnswer(left: readonly (readonly unknown[])[], right: readonly (readonly unknown[])[]): boolean {
  if (left.length !== right.length) return false;
  const [a, b] = [sorted(left), sorted(right)];
  return a.every((row, index) => row.length === b[index]!.length && row.every((cell, column) => sameCell(cell, b[index]![column])));
}

function sorted(rows: readonly (readonly unknown[])[]): readonly (readonly unknown[])[] {
  const keyed = rows.map((row) => ({
    row,
    key: row.map((cell) => (typeof cell === 'number' ? cell.toPrecision(8) : String(cell))).join('|'),
  }));
  return keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)).map(({ row }) => row);
}

function sameCell(left: unknown, right: unknown): boolean {
  if (typeof left !== 'number' || typeof right !== 'number') return left === right;
  return Math.abs(left - right) <= 1e-9 * Math.max(1, Math.abs(left), Math.abs(right));
}
