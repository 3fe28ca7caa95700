/** The labels and types that a pattern wants. */
import type { LabelExpression, RelationshipPattern } from '../../cypher/index.ts';
import type { Program } from '../program.ts';

/** Returns the types that a relationship of a pattern may have. */
export function wantedTypes(program: Program, { types }: RelationshipPattern): ReadonlySet<string> {
  return new Set(typesOf(program, types) ?? program.shape.relationships.map(({ type }) => type));
}

/** Returns the labels that a node must all carry; null: the expression is not such a list. */
export function requiredLabels(labels: LabelExpression | null): string[] | null {
  if (labels === null) return [];
  if (labels.kind === 'labelName') return [labels.name];
  if (labels.kind !== 'labelAnd') return null;
  const parts = labels.operands.map(requiredLabels);
  return parts.includes(null) ? null : [...new Set(parts.flatMap((part) => part ?? []))];
}

/** Returns the types that a relationship may have; null: any. */
function typesOf(program: Program, types: LabelExpression | null): string[] | null {
  if (types === null || types.kind === 'labelWildcard') return null;
  if (types.kind === 'labelName') return [types.name];
  if (types.kind === 'labelOr') {
    const parts = types.operands.map((operand) => typesOf(program, operand));
    if (!parts.includes(null)) return [...new Set(parts.flatMap((part) => part ?? []))];
  }
  throw program.refuse('such an expression of types', types);
}
