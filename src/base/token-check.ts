/**
 * The token of a server. The comparison takes the same time whatever is given: both sides are hashed to one length first, under a key of this
 * process, so that neither length nor common prefix shows.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** Says whether this is the token. */
export type TokenCheck = (given: string) => boolean;

export function createTokenCheck(token: string): TokenCheck {
  const key = randomBytes(32);
  const digest = (text: string) => createHmac('sha256', key).update(text).digest();
  const expected = digest(token);
  return (given) => timingSafeEqual(digest(given), expected);
}
