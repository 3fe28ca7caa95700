/**
 * Where randomness comes from. What a simulation or a test is to control takes a function with the signature of
 * `randomFraction` instead.
 */
import { randomBytes, randomUUID } from 'node:crypto';

/** A number in [0, 1); not for secrets. */
export function randomFraction(): number {
  return Math.random();
}

/** A random UUID (version 4), from the system's secure source. */
export function randomUuid(): string {
  return randomUUID();
}

/** `bytes` bytes from the system's secure source, as twice as many hexadecimal digits. */
export function randomHex(bytes: number): string {
  return randomBytes(bytes).toString('hex');
}
