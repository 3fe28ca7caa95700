/** The connected parts of a query graph. Patterns of different parts share no variable that is still to be found. */

import type { Problem, RelationshipInfo } from './problem.ts';

/** A connected part of a query graph. */
export interface Component {
  readonly nodes: readonly { readonly variable: string; readonly bit: bigint }[];
  readonly relationships: readonly RelationshipInfo[];
  /** The bits of everything that is known once the component has been matched. */
  readonly bits: bigint;
}

/** Returns the connected parts of a query graph. */
export function componentsOf(problem: Problem): readonly Component[] {
  const groups: Component[] = problem.nodes.map((node) => ({ nodes: [node], relationships: [], bits: node.bit }));
  let components = groups;
  for (const info of problem.relationships) {
    const { left, right } = info.relationship;
    const touched = components.filter((component) => component.nodes.some((node) => node.variable === left || node.variable === right));
    const merged: Component = {
      nodes: touched.flatMap((component) => component.nodes),
      relationships: [...touched.flatMap((component) => component.relationships), info],
      bits: touched.reduce((bits, component) => bits | component.bits, info.bit),
    };
    components = [...components.filter((component) => !touched.includes(component)), merged];
  }
  return components;
}
