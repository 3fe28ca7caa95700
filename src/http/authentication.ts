/** Identifies callers by bearer tokens. */
import type { Caller, Identify } from '../base/index.ts';

/** Returns the caller that an Authorization header identifies, its scheme in any letter case; undefined if the caller is not admitted. */
export function callerOfHeader(identify: Identify, authorization: string | undefined): Caller | undefined | Promise<Caller | undefined> {
  return identify(/^bearer +([^ ]+) *$/i.exec(authorization ?? '')?.[1]);
}
