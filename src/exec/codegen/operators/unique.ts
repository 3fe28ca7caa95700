/** Writes the condition under which a relationship may join a row: the relationships of one MATCH differ from each other. */
import { assert } from '../../../base/index.ts';
import type { Environment } from '../codegen.ts';
import { sameRelationship } from '../expressions/same-relationship.ts';
import type { Typed } from '../typed.ts';

/** Returns a condition that is true when a relationship is none of those in the variables `against`; null when nothing needs a test. */
export function uniqueCondition(environment: Environment, relationship: Typed, against: readonly string[]): string | null {
  const facts = relationship.relationship!;
  const conditions: string[] = [];
  for (const name of against) {
    const other = environment.get(name);
    assert(other !== undefined, `relationship ${name} is not in scope`);
    if (other.type === 'relationship') {
      const same = sameRelationship(relationship, other);
      if (same !== 'false') conditions.push(`!(${same})`);
    } else if (other.type === 'any') {
      conditions.push(`!holdsRelationship(${other.code}, ${facts.typeCode}, ${facts.rowCode})`);
    }
  }
  return conditions.length === 0 ? null : conditions.join(' && ');
}
