/** A binary heap of numbers, the least first. */
export class NumberHeap {
  private readonly numbers: number[] = [];

  get size(): number {
    return this.numbers.length;
  }

  /** Removes all numbers. */
  clear(): void {
    this.numbers.length = 0;
  }

  /** Adds a number. O(log size). */
  add(number: number): void {
    const { numbers } = this;
    let at = numbers.length;
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (numbers[above]! <= number) break;
      numbers[at] = numbers[above]!;
      at = above;
    }
    numbers[at] = number;
  }

  /** Removes the least number, and returns it. The heap must not be empty. O(log size). */
  take(): number {
    const { numbers } = this;
    const least = numbers[0]!;
    const last = numbers.pop()!; // The heap is not empty.
    if (numbers.length > 0) this.sink(last);
    return least;
  }

  /** Puts a number at the top, and moves it down to its place. */
  private sink(number: number): void {
    const { numbers } = this;
    let at = 0;
    for (let child = 1; child < numbers.length; child = 2 * at + 1) {
      if (child + 1 < numbers.length && numbers[child + 1]! < numbers[child]!) child++;
      if (numbers[child]! >= number) break;
      numbers[at] = numbers[child]!;
      at = child;
    }
    numbers[at] = number;
  }
}
