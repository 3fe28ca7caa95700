/**
 * The codes of the vectors of some clusters while an artefact is built: they are added in the order of rows, and read
 * by cluster. Memory: the codes, and 16 bytes for each vector.
 */
import { entriesIn, newEntryPage } from './cluster-pages.ts';
import { type CodeShape, quantiseResidual, residualScale } from './code-shape.ts';
import { MOST_ENTRIES } from './probe-clusters.ts';

/** Gathers the codes of vectors while an artefact is built. */
export class ClusteredCodes {
  readonly #shape: CodeShape;
  readonly #clusters: Uint32Array;
  readonly #positions: Uint32Array;
  readonly #scales: Float32Array;
  readonly #halves: Float32Array;
  readonly #planes: Uint8Array;
  readonly #residual: Float32Array;
  #count = 0;

  constructor(shape: CodeShape, most: number) {
    this.#shape = shape;
    this.#clusters = new Uint32Array(most);
    this.#positions = new Uint32Array(most);
    this.#scales = new Float32Array(most);
    this.#halves = new Float32Array(most);
    this.#planes = new Uint8Array(most * 2 * shape.planeBytes);
    this.#residual = new Float32Array(shape.padded);
  }

  /** Adds a vector. Returns the square of its residual. */
  add(vector: Float32Array, centroid: Float32Array, cluster: number, position: number): number {
    const residual = this.#residual;
    let [square, own] = [0, 0];
    for (let i = 0; i < residual.length; i++) {
      const each = vector[i]! - centroid[i]!;
      residual[i] = each;
      square += each * each;
      own += vector[i]! * vector[i]!;
    }
    const { planeBytes } = this.#shape;
    const at = this.#count++;
    const from = 2 * planeBytes * at;
    const scale = residualScale(residual);
    quantiseResidual(residual, scale, this.#planes.subarray(from, from + planeBytes), this.#planes.subarray(from + planeBytes));
    this.#clusters[at] = cluster;
    this.#positions[at] = position;
    this.#scales[at] = scale;
    this.#halves[at] = own / 2;
    return square;
  }

  /** Yields the pages of the clusters from `first` to before `end`, by cluster, each of at most `mostBytes` bytes. */
  *pages(first: number, end: number, mostBytes: number): Generator<{ readonly cluster: number; readonly bytes: Uint8Array }> {
    const byCluster = orderByCluster(this.#clusters.subarray(0, this.#count), first, end);
    const perPage = Math.min(MOST_ENTRIES, entriesIn(this.#shape, mostBytes));
    for (let cluster = first; cluster < end; cluster++) {
      const [from, to] = [byCluster.firsts[cluster - first]!, byCluster.firsts[cluster - first + 1]!];
      for (let at = from; at < to; at += perPage)
        yield { cluster, bytes: this.#page(byCluster.order.subarray(at, Math.min(at + perPage, to))) };
    }
  }

  #page(entries: Uint32Array): Uint8Array {
    const { planeBytes } = this.#shape;
    const { bytes, page } = newEntryPage(this.#shape, entries.length);
    for (let i = 0; i < entries.length; i++) {
      const at = entries[i]!;
      const from = 2 * planeBytes * at;
      page.positions[i] = this.#positions[at]!;
      page.scales[i] = this.#scales[at]!;
      page.halves[i] = this.#halves[at]!;
      bytes.set(this.#planes.subarray(from, from + planeBytes), page.upper + i * planeBytes);
      bytes.set(this.#planes.subarray(from + planeBytes, from + 2 * planeBytes), page.lower + i * planeBytes);
    }
    return bytes;
  }
}

/** Orders vectors by cluster with a counting sort; vectors of one cluster stay in their order. */
function orderByCluster(clusters: Uint32Array, first: number, end: number): { readonly order: Uint32Array; readonly firsts: Uint32Array } {
  const firsts = new Uint32Array(end - first + 1);
  for (const cluster of clusters) firsts[cluster - first + 1]!++;
  for (let i = 1; i < firsts.length; i++) firsts[i]! += firsts[i - 1]!;
  const next = firsts.slice();
  const order = new Uint32Array(clusters.length);
  for (let at = 0; at < clusters.length; at++) order[next[clusters[at]! - first]!++] = at;
  return { order, firsts };
}
