/**
 * Finds the types of the two sides of a comparison before the statement runs, for warnings about sides that can hardly
 * be equal or ordered: a number and a text, or an entity's identifier, which is a text, and a number.
 */
import type { Expression } from '../../cypher/index.ts';
import { functionNamed } from '../../functions/index.ts';
import { CypherFloat } from '../../value/index.ts';

/** A type whose values are comparable with each other only. */
export type ComparedType = 'number' | 'text' | 'boolean';

/** One side of a comparison: its type if known, and the property key that it reads. */
export interface Side {
  readonly type: ComparedType | null;
  /** The property key if the side is a property of a node or relationship; otherwise null. */
  readonly key: string | null;
  /** True if the side is the identifier of an entity. */
  readonly isIdentifier: boolean;
}

const TYPES: Readonly<Record<string, ComparedType>> = {
  integer: 'number',
  float: 'number',
  Integer: 'number',
  Float: 'number',
  Number: 'number',
  string: 'text',
  String: 'text',
  boolean: 'boolean',
  Boolean: 'boolean',
};

/** Types by the code after the `#` in the parameter names of lifted literals. */
const LIFTED: Readonly<Record<string, ComparedType>> = { i: 'number', f: 'number', s: 'text', b: 'boolean' };

/** Returns what is known of one side of a comparison. @param variableType returns the type of a variable by its name */
export function sideOf(expression: Expression, variableType: (name: string) => string | undefined): Side {
  const known = (type: ComparedType | null | undefined): Side => ({ type: type ?? null, key: null, isIdentifier: false });
  switch (expression.kind) {
    case 'literal':
      return known(typeOfValue(expression.value));
    case 'parameter':
      return known(LIFTED[/^#([ifsb])\d+$/.exec(expression.name)?.[1] ?? '']);
    case 'variable':
      return known(TYPES[variableType(expression.name) ?? '']);
    case 'function': {
      const isIdentifier = ['id', 'elementid'].includes(expression.name.toLowerCase());
      return {
        ...known(TYPES[String(functionNamed(expression.name)?.facts.returns)]),
        isIdentifier,
        ...(isIdentifier ? { type: 'text' } : {}),
      };
    }
    case 'property': {
      const { subject, key } = expression;
      const isEntity = subject.kind === 'variable' && ['node', 'relationship'].includes(variableType(subject.name) ?? '');
      if (!isEntity) return known(null);
      return key === '_id' ? { type: 'text', key: null, isIdentifier: true } : { type: null, key, isIdentifier: false };
    }
    case 'index':
    case 'slice':
    case 'list':
    case 'map':
    case 'mapProjection':
    case 'unary':
    case 'arithmetic':
    case 'binary':
    case 'logical':
    case 'comparison':
    case 'isNull':
    case 'hasLabels':
    case 'isTyped':
    case 'isNormalized':
    case 'countStar':
    case 'case':
    case 'listComprehension':
    case 'patternComprehension':
    case 'quantifier':
    case 'reduce':
    case 'patternExpression':
    case 'subquery':
      return known(null);
  }
}

function typeOfValue(value: unknown): ComparedType | null {
  if (typeof value === 'number' || typeof value === 'bigint' || value instanceof CypherFloat) return 'number';
  if (typeof value === 'string') return 'text';
  return typeof value === 'boolean' ? 'boolean' : null;
}
