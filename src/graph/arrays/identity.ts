/** Numbers for objects, by which another thread knows them again. */
const numbers = new WeakMap<object, number>();
let last = 0;

/** Returns a number that is the same for the same object, and another for any other. */
export function identityOf(object: object): number {
  const known = numbers.get(object);
  if (known !== undefined) return known;
  numbers.set(object, ++last);
  return last;
}
