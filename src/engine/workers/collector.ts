/** Collects the garbage of this thread's heap, all of it, now. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Returns the function that collects. */
export function collector(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void; // as: what the flag defines
}
