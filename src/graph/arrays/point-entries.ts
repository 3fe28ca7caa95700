/**
 * The spatial form of an index on one key: the points of all rows read so far, per coordinate reference system in a k-d tree over x and y
 * (implicit: the arrays themselves are ordered, a subtree is a range of them), and an unordered tail of later points, which is scanned.
 * An entry says "this row had this point once"; the reader verifies it. The tree is built at the first look-up, O(n log n); a look-up then
 * takes O(√n + candidates + tail).
 *
 * Source: J. L. Bentley, "Multidimensional binary search trees used for associative searching", 1975.
 */
import type { AreaCover, CoordinateBox, Point } from '../../value/index.ts';
import { EMPTY_F64, EMPTY_U32, grown } from './shared-array.ts';

/** The tail is sorted into the tree when it has more entries than this, and more than `TAIL_SHARE` of the tree. */
const LONGEST_TAIL = 1024;
const TAIL_SHARE = 0.1;
/** The most points of a leaf: scanning these costs less than descending further. */
const LEAF = 32;

/** The points of an index, of all coordinate reference systems. */
export class PointEntries {
  readonly #systems = new Map<number, PlaneEntries>();

  add({ srid, x, y }: Point, row: number): void {
    let entries = this.#systems.get(srid);
    if (entries === undefined) this.#systems.set(srid, (entries = new PlaneEntries()));
    entries.add(x, y, row);
  }

  /** Calls `visit` with every row that has had a point in the cover, in no particular order; a row may come several times. */
  forEach({ srid, boxes }: AreaCover, visit: (row: number) => void): void {
    const entries = this.#systems.get(srid);
    for (const box of boxes) entries?.forEach(box, visit);
  }
}

class PlaneEntries {
  #xs = EMPTY_F64;
  #ys = EMPTY_F64;
  #rows = EMPTY_U32;
  #length = 0;
  /** How many of the first entries the tree covers; the entries after these are the tail. */
  #treeLength = 0;

  add(x: number, y: number, row: number): void {
    const at = this.#length++;
    this.#xs = grown(this.#xs, this.#length);
    this.#ys = grown(this.#ys, this.#length);
    this.#rows = grown(this.#rows, this.#length);
    this.#xs[at] = x;
    this.#ys[at] = y;
    this.#rows[at] = row;
  }

  forEach(box: CoordinateBox, visit: (row: number) => void): void {
    const tail = this.#length - this.#treeLength;
    if (tail > Math.max(LONGEST_TAIL, this.#treeLength * TAIL_SHARE)) {
      this.#order(0, this.#length, true);
      this.#treeLength = this.#length;
    }
    this.#visitTree(0, this.#treeLength, true, box, visit);
    this.#visitAll(this.#treeLength, this.#length, box, visit);
  }

  /** On the axis of a level (x, y in turn) no point left of the middle has a larger coordinate than it, none to the right a smaller one. */
  #visitTree(from: number, to: number, byX: boolean, box: CoordinateBox, visit: (row: number) => void): void {
    if (to - from <= LEAF) return this.#visitAll(from, to, box, visit);
    const middle = (from + to) >>> 1;
    const coordinate = (byX ? this.#xs : this.#ys)[middle] as number;
    if ((byX ? box.minX : box.minY) <= coordinate) this.#visitTree(from, middle, !byX, box, visit);
    this.#visitAll(middle, middle + 1, box, visit);
    if ((byX ? box.maxX : box.maxY) >= coordinate) this.#visitTree(middle + 1, to, !byX, box, visit);
  }

  #visitAll(from: number, to: number, { minX, minY, maxX, maxY }: CoordinateBox, visit: (row: number) => void): void {
    const xs = this.#xs;
    const ys = this.#ys;
    for (let i = from; i < to; i++) {
      const x = xs[i] as number;
      const y = ys[i] as number;
      if (x >= minX && x <= maxX && y >= minY && y <= maxY) visit(this.#rows[i] as number);
    }
  }

  #order(from: number, to: number, byX: boolean): void {
    if (to - from <= LEAF) return;
    const middle = (from + to) >>> 1;
    this.#select(middle, from, to - 1, byX ? this.#xs : this.#ys);
    this.#order(from, middle, !byX);
    this.#order(middle + 1, to, !byX);
  }

  /**
   * Quickselect: moves the entry that sorting would put at `at` there, with no larger key before and no smaller key after it. Equal keys
   * are split evenly.
   */
  #select(at: number, first: number, last: number, keys: Float64Array): void {
    let [low, high] = [first, last];
    while (high > low) {
      const pivot = medianOf(keys[low] as number, keys[(low + high) >>> 1] as number, keys[high] as number);
      let i = low;
      let j = high;
      while (i <= j) {
        while ((keys[i] as number) < pivot) i++;
        while ((keys[j] as number) > pivot) j--;
        if (i <= j) this.#swap(i++, j--);
      }
      if (at <= j) high = j;
      else if (at >= i) low = i;
      else return;
    }
  }

  #swap(i: number, j: number): void {
    for (const array of [this.#xs, this.#ys, this.#rows]) {
      const value = array[i] as number;
      array[i] = array[j] as number;
      array[j] = value;
    }
  }
}

function medianOf(a: number, b: number, c: number): number {
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
}
