/** Numbers that identify objects across threads. */
const numbers = new WeakMap<object, number>();
let last = 0;

/** Returns the number of an object: always the same for one object, and different for any two. */
export function identityOf(object: object): number {
  const known = numbers.get(object);
  if (known !== undefined) return known;
  numbers.set(object, ++last);
  return last;
}
