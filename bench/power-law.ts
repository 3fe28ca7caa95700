/**
 * A graph for benchmarks, the same each time: persons who know each other, with degrees that follow a power law.
 *
 * Out-degrees are drawn from a Pareto distribution and scaled to the wanted sum. One target in seven is the source of a relationship drawn
 * at random, so who knows many is known by many; the others are drawn evenly. With 100,000 nodes and 2 million relationships there are some
 * 61 million paths of two. Relationships come sorted by source, and may be parallel.
 */

import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { seededRandom } from '../test/support/random.ts';

export interface PowerLawGraph {
  readonly nodes: number;
  /** Relationship i goes from `sources[i]` to `targets[i]`; ascending by source. */
  readonly sources: Uint32Array;
  readonly targets: Uint32Array;
  /** Ages from 18 to 90, indexed by node. */
  readonly ages: Int32Array;
}

const PARETO_SHAPE = 1.6;
const MOST_DEGREE = 1_500;
const DRAWN_BY_DEGREE = 0.14;

export function powerLawGraph(nodes: number, relationships: number, seed = 1): PowerLawGraph {
  const random = seededRandom(seed);
  const sources = sourcesOf(nodes, relationships, () => random.between(1, 1_000_000) / 1_000_000);
  const targets = sources.map(() =>
    random.chance(DRAWN_BY_DEGREE) ? sources[random.between(0, relationships - 1)]! : random.between(0, nodes - 1),
  );
  const ages = Int32Array.from({ length: nodes }, () => random.between(18, 90));
  return { nodes, sources, targets, ages };
}

function sourcesOf(nodes: number, relationships: number, unit: () => number): Uint32Array {
  const weights = Float64Array.from({ length: nodes }, () => unit() ** (-1 / PARETO_SHAPE));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const sources = new Uint32Array(relationships);
  let filled = 0;
  for (let node = 0; node < nodes; node++) {
    const degree = Math.min(MOST_DEGREE, Math.floor((weights[node]! / total) * relationships));
    sources.fill(node, filled, filled + degree);
    filled += degree;
  }
  for (; filled < relationships; filled++) sources[filled] = Math.floor(unit() * nodes) % nodes;
  return sources.sort();
}

/**
 * Writes the graph as CSV for `graphdb import`: `--nodes Person=<nodes file> --relationships KNOWS=<relationships file>`.
 *
 * @param textLength the length of a text without spaces that each person has; 0: there is none
 */
export async function writeCsv(graph: PowerLawGraph, nodesFile: string, relationshipsFile: string, textLength = 0): Promise<void> {
  const random = seededRandom(2);
  const letters = Array.from({ length: 2 ** 20 }, () => random.between(0, 35).toString(36)).join('');
  const textOf = (node: number): string => {
    const start = (node * 7_919) % (letters.length - textLength);
    return `,${letters.slice(start, start + textLength)}`;
  };
  const header = `id:ID(Person){id-type: long},age:int${textLength === 0 ? '' : ',text'}`;
  await writeLines(nodesFile, header, graph.nodes, (node) => `${node},${graph.ages[node]}${textLength === 0 ? '' : textOf(node)}`);
  await writeLines(
    relationshipsFile,
    ':START_ID(Person),:END_ID(Person),since:int',
    graph.sources.length,
    (row) => `${graph.sources[row]},${graph.targets[row]},${2000 + (row % 25)}`,
  );
}

async function writeLines(file: string, header: string, count: number, line: (index: number) => string): Promise<void> {
  const out = createWriteStream(file);
  let lines = [header];
  for (let index = 0; index < count; index++) {
    lines.push(line(index));
    if (lines.length < 10_000 && index < count - 1) continue;
    if (!out.write(`${lines.join('\n')}\n`)) await once(out, 'drain');
    lines = [];
  }
  out.end();
  await once(out, 'finish');
}
