/** Sources of randomness. Code that a simulation or a test controls takes a function with the signature of `randomFraction` instead. */
import { randomBytes, randomUUID } from 'node:crypto';

/** Returns a number in [0, 1); not for secrets. */
export function randomFraction(): number {
  return Math.random();
}

/** Returns a random UUID (version 4), from the system's secure source. */
export function randomUuid(): string {
  return randomUUID();
}

/** Returns `bytes` random bytes from the system's secure source, as twice as many hexadecimal digits. */
export function randomHex(bytes: number): string {
  return randomBytes(bytes).toString('hex');
}
