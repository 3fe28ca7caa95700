/** Failures as text, complete enough to write a test from. */

import type { GraphSpec } from './generate/graph.ts';
import { literal } from './generate/literals.ts';
import type { ReadFailure } from './reads.ts';
import type { Step } from './session.ts';
import type { UpdateFailure } from './updates.ts';

export function readReport({ spec, query, how, reason }: ReadFailure): string {
  return `${how}\n${graphText(spec)}\n${query}\n${reason}`;
}

export function updateReport({ spec, steps, reason }: UpdateFailure): string {
  return `${graphText(spec)}\n${steps.map(stepText).join('\n')}\nthen ${reason}`;
}

function stepText({ kind, text }: Step): string {
  return kind === 'statement' ? text : kind.toUpperCase();
}

/** A statement that makes the graph. */
function graphText({ nodes, relationships }: GraphSpec): string {
  const properties = (map: GraphSpec['nodes'][number]['properties']): string =>
    map.size === 0 ? '' : ` {${[...map].map(([key, value]) => `${key}: ${literal(value)}`).join(', ')}}`;
  const parts = [
    ...nodes.map(({ labels, properties: map }, i) => `(n${i}${labels.map((label) => `:${label}`).join('')}${properties(map)})`),
    ...relationships.map(({ type, source, target, properties: map }) => `(n${source})-[:${type}${properties(map)}]->(n${target})`),
  ];
  return parts.length === 0 ? '(an empty graph)' : `CREATE ${parts.join(', ')}`;
}
