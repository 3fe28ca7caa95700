/** Makes canonical Values of typed JavaScript. */
import { unreachable } from '../../../base/index.ts';
import type { Codegen } from '../codegen.ts';
import { any, type Typed } from '../typed.ts';

/** Returns a Date of which only the day is read until the Date itself is needed. */
export function date(day: string, valid: string | null): Typed {
  const made = `new CypherDate(${day})`;
  return { ...any(valid === null ? made : `(${valid} ? ${made} : null)`), day: { code: day, valid } };
}

/** Returns JavaScript for the canonical Value, null included. */
export function toValue(typed: Typed): string {
  const present = presentValue(typed);
  return typed.valid === null || typed.type === 'null' ? present : `(${typed.valid} ? ${present} : null)`;
}

function presentValue(typed: Typed): string {
  switch (typed.type) {
    case 'null':
      return 'null';
    case 'float':
      return `makeFloat(${typed.code})`;
    case 'node':
      return `new NodeValue(${typed.code})`;
    case 'relationship': {
      const facts = typed.relationship!;
      if (facts.source !== null && facts.target !== null) {
        return `new RelationshipValue(${facts.typeCode}, ${facts.rowCode}, ${facts.source}, ${facts.target})`;
      }
      return `reads.relationshipValue(${facts.typeCode}, ${facts.rowCode})`;
    }
    case 'boolean':
    case 'integer':
    case 'string':
    case 'any':
      return typed.code;
    default:
      return unreachable(typed.type, 'type');
  }
}

/** Returns the Value as a name or number, so that it can be read twice: in a local, unless it is one already. */
export function valueLocal(cg: Codegen, typed: Typed): string {
  const code = toValue(typed);
  return /^[A-Za-z0-9_]+$/.test(code) ? code : cg.f.local('x', code);
}
