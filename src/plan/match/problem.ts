/**
 * A query graph prepared for the search: every variable that has to be found, and every relationship pattern, is a bit;
 * what is known at some point is a set of bits, and a predicate is ready when its own bits are among them. Variables of
 * the outer row have no bit: they are always known.
 */
import { type Variable, walk } from '../../cypher/index.ts';
import type { PlanContext } from '../context.ts';
import { Estimator, knownLabels } from '../estimates/estimator.ts';
import { isVolatile, tellsOfRow } from '../expressions/walk.ts';
import { freeVariables } from '../operators/free-variables.ts';
import type { Predicate, QueryGraph, QueryRelationship, QueryShortestPath } from '../pattern/query-graph.ts';
import { relationshipVariables } from '../pattern/query-graph.ts';
import type { RowState } from '../row-state.ts';
import { DistinctNodes } from './distinct-nodes.ts';
import type { Leaf } from './leaves.ts';
import { alternativesOf, type Lookup, lookupsOf } from './lookups.ts';

/** A predicate in the search, with its dependencies. */
export interface PredicateInfo {
  readonly predicate: Predicate;
  readonly mask: bigint;
  readonly selectivity: number;
  /** The place of the predicate among all predicates of the problem. */
  readonly at: number;
}

/** A look-up in the search, with its dependencies. */
export interface LookupInfo {
  readonly lookup: Lookup;
  readonly mask: bigint;
}

/**
 * A disjunction each of whose parts can be looked up. `parts`: for each part the lookups, any of which finds all that
 * satisfies the part.
 */
export interface AlternativesInfo {
  readonly predicate: Predicate;
  readonly subject: string;
  readonly parts: readonly (readonly LookupInfo[])[];
}

/** A relationship in the search. */
export interface RelationshipInfo {
  readonly relationship: QueryRelationship;
  /** The bit of the pattern, which is known once the pattern has been matched. */
  readonly bit: bigint;
  readonly left: bigint;
  readonly right: bigint;
  /** The bit of the relationship variable if it had a value before; otherwise `bit`. */
  readonly variable: bigint;
  /**
   * Bits of the rows so far that conditions inside a variable-length pattern refer to; the pattern can only be matched
   * on top of those rows.
   */
  readonly needs: bigint;
}

/** The ways to find the nodes of a variable, by what is known. */
export interface NodeLeaves {
  /** The bits that the lookups of the variable depend on. */
  readonly needed: bigint;
  /** The ways, by those of the needed bits that are known. */
  readonly byKnown: Map<bigint, readonly Leaf[]>;
}

/** A query graph that is prepared for the search. */
export interface Problem {
  readonly context: PlanContext;
  readonly estimator: Estimator;
  /** Variables that have a value before the graph is matched. */
  readonly scope: ReadonlySet<string>;
  readonly nodes: readonly { readonly variable: string; readonly bit: bigint }[];
  readonly relationships: readonly RelationshipInfo[];
  readonly shortestPaths: readonly { readonly path: QueryShortestPath; readonly bit: bigint }[];
  readonly distinctNodes: DistinctNodes;
  readonly predicates: readonly PredicateInfo[];
  /** Predicates by each of the bits of what they depend on, in the order of the query text. */
  readonly predicatesByBit: ReadonlyMap<bigint, readonly PredicateInfo[]>;
  readonly lookups: readonly LookupInfo[];
  readonly alternatives: readonly AlternativesInfo[];
  /** Cache of the ways to find a node, by the bit of the node. */
  readonly foundLeaves: Map<bigint, NodeLeaves>;
  /** The variables that lookups and alternatives find. */
  readonly soughtAfter: ReadonlySet<string>;
  /** Some predicate gives another answer each time; none may be tested twice. */
  readonly isVolatile: boolean;
  /** Some predicate refers to the row of LOAD CSV, so it can only be tested on rows that continue from there. */
  readonly tellsOfRow: boolean;
  maskOf(names: Iterable<string>): bigint;
}

/** Prepares a query graph for the search. */
export function createProblem(context: PlanContext, graph: QueryGraph, start: RowState): Problem {
  for (const [name, labels] of knownLabels(context.labels, graph.predicates)) context.labels.set(name, labels);
  for (const name of graph.nodes) if (!context.labels.has(name)) context.labels.set(name, new Set());
  for (const relationship of graph.relationships) addImplied(context, relationship);
  const estimator = new Estimator(context.statistics, context.labels);
  const bits = new Bits();
  for (const name of start.scope) if (!start.outer.has(name)) bits.add(name);
  for (const name of graph.nodes) if (!start.outer.has(name)) bits.add(name);
  const relationships = graph.relationships.map((relationship): RelationshipInfo => {
    const bit = bits.next();
    for (const name of relationshipVariables(relationship)) if (!start.scope.has(name)) bits.set(name, bit);
    return {
      relationship,
      bit,
      left: bits.of(relationship.left),
      right: bits.of(relationship.right),
      variable: relationship.bound ? bits.of(relationship.variable) : bit,
      needs: [...namesInside(relationship)].reduce((mask, name) => (start.scope.has(name) ? mask | bits.of(name) : mask), 0n),
    };
  });
  const shortestPaths = graph.shortestPaths.map((path) => ({ path, bit: bits.add(path.relationship.variable) }));
  for (const { variable } of graph.derived) bits.add(variable);
  const maskOf = (names: Iterable<string>): bigint => {
    let mask = 0n;
    for (const name of names) mask |= bits.of(name);
    return mask;
  };
  const withMask = (lookup: Lookup): LookupInfo => ({ lookup, mask: maskOf(freeVariables(lookup.value)) });
  const lookups = graph.predicates.flatMap((predicate) => lookupsOf(predicate).map(withMask));
  const alternatives = graph.predicates.flatMap((predicate) =>
    alternativesOf(predicate).map(({ subject, parts }) => ({ predicate, subject, parts: parts.map((part) => part.map(withMask)) })),
  );
  const predicates = graph.predicates.map(
    (predicate, at): PredicateInfo => ({
      predicate,
      mask: maskOf(predicate.dependencies),
      selectivity: estimator.predicateSelectivity(predicate),
      at,
    }),
  );
  return {
    context,
    estimator,
    scope: start.scope,
    nodes: graph.nodes.map((variable) => ({ variable, bit: bits.of(variable) })),
    relationships,
    shortestPaths,
    distinctNodes: new DistinctNodes(graph.predicates.map(({ expression }) => expression)),
    predicates,
    predicatesByBit: byBit(predicates),
    lookups,
    alternatives,
    foundLeaves: new Map(),
    soughtAfter: new Set([...lookups.map(({ lookup }) => lookup.subject), ...alternatives.map(({ subject }) => subject)]),
    isVolatile: graph.predicates.some((predicate) => isVolatile(predicate.expression)),
    tellsOfRow: graph.predicates.some((predicate) => tellsOfRow(predicate.expression)),
    maskOf,
  };
}

function byBit(predicates: readonly PredicateInfo[]): ReadonlyMap<bigint, readonly PredicateInfo[]> {
  const found = new Map<bigint, PredicateInfo[]>();
  for (const info of predicates) {
    for (const bit of bitsOf(info.mask)) {
      const known = found.get(bit);
      if (known === undefined) found.set(bit, [info]);
      else known.push(info);
    }
  }
  return found;
}

/** Yields the bits of a mask, the lowest first. */
export function* bitsOf(mask: bigint): Generator<bigint, void, void> {
  for (let rest = mask; rest !== 0n; rest &= rest - 1n) yield rest & -rest;
}

/** Returns the names of the variables in conditions on the steps of a pattern. */
function namesInside({ steps, quantified }: QueryRelationship): ReadonlySet<string> {
  const names = new Set(steps.flatMap((step) => [...freeVariables(step.expression)]));
  walk(quantified, (node) => {
    if (node.kind === 'variable') names.add((node as Variable).name);
    return true;
  });
  return names;
}

/** Gives a node without known labels those that the data implies for its end of the relationship. */
function addImplied(context: PlanContext, relationship: QueryRelationship): void {
  if (relationship.quantified !== null) return;
  for (const side of ['left', 'right'] as const) {
    const name = relationship[side];
    if (context.labels.get(name)?.size === 0) context.labels.set(name, context.impliedLabels.of(relationship, side));
  }
}

class Bits {
  readonly #bits = new Map<string, bigint>();
  #next = 1n;

  next(): bigint {
    const bit = this.#next;
    this.#next <<= 1n;
    return bit;
  }

  add(name: string): bigint {
    const known = this.#bits.get(name);
    if (known !== undefined) return known;
    const bit = this.next();
    this.#bits.set(name, bit);
    return bit;
  }

  set(name: string, bit: bigint): void {
    this.#bits.set(name, bit);
  }

  of(name: string): bigint {
    return this.#bits.get(name) ?? 0n;
  }
}
