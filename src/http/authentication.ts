/** Bearer tokens. */
import type { Caller, Identify } from '../base/index.ts';

/** Whoever sends this Authorization header, the scheme in any case; undefined: one that may not come in. */
export function callerOfHeader(identify: Identify, authorization: string | undefined): Caller | undefined | Promise<Caller | undefined> {
  return identify(/^bearer +([^ ]+) *$/i.exec(authorization ?? '')?.[1]);
}
