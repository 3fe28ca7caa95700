/**
 * Bearer tokens. The comparison takes the same time whatever the token: both sides are hashed to one length first, under a key of this
 * process, so that neither length nor common prefix shows.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** Says whether an Authorization header carries the token; the scheme in any case. */
export type TokenCheck = (authorization: string | undefined) => boolean;

/** Without a token every request passes. */
export function createTokenCheck(token: string | undefined): TokenCheck {
  if (token === undefined) return () => true;
  const key = randomBytes(32);
  const digest = (text: string) => createHmac('sha256', key).update(text).digest();
  const expected = digest(token);
  return (authorization) => {
    const given = /^bearer +([^ ]+) *$/i.exec(authorization ?? '')?.[1];
    return given !== undefined && timingSafeEqual(digest(given), expected);
  };
}
