/** Sorts numbers in place, ascending, and removes duplicates. @returns the same array */
export function ascendingOnce(numbers: number[]): readonly number[] {
  if (numbers.length < 2) return numbers;
  numbers.sort((left, right) => left - right);
  let count = 1;
  for (let i = 1; i < numbers.length; i++) if (numbers[i] !== numbers[i - 1]) numbers[count++] = numbers[i] as number;
  numbers.length = count;
  return numbers;
}
