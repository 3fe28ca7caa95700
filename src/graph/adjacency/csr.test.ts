import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildCsr, hasLists } from './csr.ts';

/** One node has more neighbours than are sorted in place, and more than a comparison sort is taken for. */
for (const [nodes, entries] of [
  [1, 40],
  [300, 1],
  [300, 3_000],
  [40, 3_000],
  [2, 12_000],
] as const) {
  test(`each node's entries lie by neighbour, then by row: ${entries} among ${nodes} nodes`, () => {
    let state = entries;
    const below = (limit: number): number => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      return (state >>> 8) % limit;
    };
    const draw = (): Uint32Array => Uint32Array.from({ length: entries }, () => 100 + below(nodes));
    const input = {
      nodes: draw(),
      neighbours: draw(),
      firstRow: entries >> 3,
      rowCount: entries,
      isIncluded: (row: number) => row % 5 !== 1,
    };
    const rows = Array.from({ length: entries }, (_, row) => row).filter((row) => row >= input.firstRow && input.isIncluded(row));
    const order = (a: number, b: number): number =>
      input.nodes[a]! - input.nodes[b]! || input.neighbours[a]! - input.neighbours[b]! || a - b;
    const expected = rows.toSorted(order);
    const csr = buildCsr(input);
    assert.deepEqual([...csr.rows!], expected);
    assert.deepEqual(
      [...csr.neighbours],
      expected.map((row) => input.neighbours[row]),
    );
    for (let node = csr.base; node < csr.limit; node++) {
      const list = csr.rows!.subarray(csr.offsets[node - csr.base]!, csr.offsets[node - csr.base + 1]!);
      assert.deepEqual(
        [...list],
        expected.filter((row) => input.nodes[row] === node),
      );
    }
    assert.equal(
      hasLists(csr),
      expected.some((row, at) => at > 0 && input.nodes[expected[at - 1]!] === input.nodes[row]),
    );
  });
}
