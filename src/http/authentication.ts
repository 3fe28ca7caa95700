/** Bearer tokens. */
import type { Role, RoleOf } from '../base/index.ts';

/** The role of whoever sends this Authorization header, the scheme in any case; undefined for one that may not come in. */
export function roleOfHeader(roleOf: RoleOf, authorization: string | undefined): Role | undefined {
  return roleOf(/^bearer +([^ ]+) *$/i.exec(authorization ?? '')?.[1]);
}
