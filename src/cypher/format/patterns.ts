/** Path patterns as canonical text. */
import { unreachable } from '../../base/index.ts';
import type {
  LabelExpression,
  NodePattern,
  PathPattern,
  PathSelector,
  PatternElement,
  QuantifiedPattern,
  RelationshipPattern,
} from '../ast.ts';
import { formatExpression, formatWhere } from './expressions.ts';
import { formatLabels } from './labels.ts';
import { formatVariable } from './names.ts';

/** Formats a path pattern. */
export function formatPathPattern(pattern: PathPattern): string {
  const variable = pattern.variable === null ? '' : `${formatVariable(pattern.variable.name)} = `;
  const elements = pattern.elements.map(formatElement).join('');
  if (pattern.selector === null) return variable + elements;
  if (!pattern.selector.legacy) return `${variable}${formatSelector(pattern.selector)} ${elements}`;
  return `${variable}${pattern.selector.kind === 'shortest' ? 'shortestPath' : 'allShortestPaths'}(${elements})`;
}

function formatSelector({ kind, count: wanted }: PathSelector): string {
  const count = typeof wanted === 'number' ? wanted : formatExpression(wanted);
  switch (kind) {
    case 'shortest':
      return `SHORTEST ${count}`;
    case 'allShortest':
      return 'ALL SHORTEST';
    case 'shortestGroups':
      return `SHORTEST ${count} GROUPS`;
    case 'any':
      return `ANY ${count}`;
    default:
      return unreachable(kind, 'selector');
  }
}

function formatElement(element: PatternElement): string {
  switch (element.kind) {
    case 'nodePattern':
      return `(${formatInside(element, element.labels, '')})`;
    case 'relationshipPattern':
      return formatRelationship(element);
    case 'quantifiedPattern':
      return ` (${formatPathPattern(element.path)}${formatWhere(element.where)})${formatQuantifier(element)} `;
    default:
      return unreachable(element, 'pattern element');
  }
}

function formatInside(part: NodePattern | RelationshipPattern, labels: LabelExpression | null, length: string): string {
  const variable = part.variable === null ? '' : formatVariable(part.variable.name);
  const named = `${variable}${labels === null ? '' : `:${formatLabels(labels, { barEnds: false })}`}${length}`;
  const properties = part.properties === null ? '' : formatExpression(part.properties);
  // A map after WHERE would be read as the properties of a variable named WHERE.
  const where = formatWhere(part.where).replace(/^ WHERE (\{.*)$/s, ' WHERE ($1)');
  return `${[named, properties].filter((each) => each !== '').join(' ')}${where}`.trimStart();
}

function formatRelationship(relationship: RelationshipPattern): string {
  const inside = formatInside(relationship, relationship.types, formatLength(relationship.length));
  const body = inside === '' ? '' : `[${inside}]`;
  return `${relationship.direction === 'in' ? '<' : ''}-${body}-${relationship.direction === 'out' ? '>' : ''}`;
}

function formatLength(length: RelationshipPattern['length']): string {
  if (length === null) return '';
  if (length.max === length.min) return `*${length.min}`;
  if (length.max === null) return length.min === 1 ? '*' : `*${length.min}..`;
  return `*${length.min}..${length.max}`;
}

function formatQuantifier({ min, max }: QuantifiedPattern): string {
  return min === max ? `{${min}}` : `{${min},${max ?? ''}}`;
}
