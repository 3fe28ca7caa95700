/** Bearer tokens. */
import { createTokenCheck } from '../base/index.ts';

/** Says whether an Authorization header carries the token; the scheme in any case. Without a token every request passes. */
export function createHeaderCheck(token: string | undefined): (authorization: string | undefined) => boolean {
  if (token === undefined) return () => true;
  const isToken = createTokenCheck(token);
  return (authorization) => {
    const given = /^bearer +([^ ]+) *$/i.exec(authorization ?? '')?.[1];
    return given !== undefined && isToken(given);
  };
}
