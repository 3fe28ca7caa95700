/**
 * The ways to find the nodes of one variable without coming from another: by identifier, by index, by label, by
 * scanning all nodes. Every way consumes the predicates that it has answered; the caller filters by the others.
 */
import type { LabelExpression } from '../../cypher/index.ts';
import { type Estimator, ratio } from '../estimates/estimator.ts';
import { nodesWith } from '../estimates/labels.ts';
import { labelAnd, variable } from '../expressions/build.ts';
import { SCAN_ROW, SEEK, SEEK_ROW, UNION_ROW } from '../operators/cost-units.ts';
import { freeVariables } from '../operators/free-variables.ts';
import { requiredLabels } from '../pattern/predicates.ts';
import type { Predicate } from '../pattern/query-graph.ts';
import type { Operator } from '../plan.ts';
import { boundsOf, type IndexBounds, listLength, rangeCandidates, seekCandidates } from './index-lookups.ts';
import type { Alternatives, Lookup } from './lookups.ts';

/** A way to find the nodes of a variable. */
export interface Leaf {
  /** Estimated rows and cost per input row. */
  readonly rows: number;
  readonly cost: number;
  /** Provably gives at most one row per input row. */
  readonly single: boolean;
  /** A seek: few rows by its nature, worth trying as a second anchor. */
  readonly seek: boolean;
  readonly consumed: ReadonlySet<Predicate>;
  build(input: Operator, estimatedRows: number): Operator;
}

/** The variable whose nodes are looked for, and what is known of it. */
export interface LeafRequest {
  readonly variable: string;
  /** Predicates on the variable alone and lookups in values that are known where the leaf would stand. */
  readonly lookups: readonly Lookup[];
  readonly labels: readonly Predicate[];
  readonly alternatives: readonly Alternatives[];
  /** The statement writes: later rows may find more nodes than there are when it is planned. */
  readonly mayGrow: boolean;
}

/**
 * Least nodes that a label which may grow is taken to have when a scan is weighed against a seek: otherwise MERGE into
 * an empty label would scan, for each row, what it has created.
 */
const LEAST_GROWN = 100;

const NONE: ReadonlySet<Predicate> = new Set();

/** Returns the ways to find the nodes of a variable. */
export function leavesOf(estimator: Estimator, request: LeafRequest): readonly Leaf[] {
  return [...seeks(estimator, request), ...seekUnions(estimator, request), scan(estimator, request)];
}

function seeks(estimator: Estimator, request: LeafRequest): readonly Leaf[] {
  return [...identifierSeeks(request), ...indexSeeks(estimator, request), ...indexRanges(estimator, request)];
}

function identifierSeeks({ variable, lookups }: LeafRequest): readonly Leaf[] {
  return lookups
    .filter((lookup) => lookup.key === null)
    .map((lookup) => {
      const many = lookup.operator === 'in';
      const rows = many ? listLength(lookup) : 1;
      return {
        rows,
        cost: SEEK * rows,
        single: !many,
        seek: true,
        consumed: new Set([lookup.predicate]),
        build: (input, estimatedRows) => ({ kind: 'nodeByIdSeek', input, variable, id: lookup.value, many, estimatedRows }),
      } satisfies Leaf;
    });
}

/** Returns the seeks by equality on all keys of an index, or by IN on a single one. */
function indexSeeks(estimator: Estimator, request: LeafRequest): readonly Leaf[] {
  const found: Leaf[] = [];
  const candidates = seekCandidates(request.lookups);
  for (const { label, predicate } of labelNames(request)) {
    for (const lookups of candidates) {
      const keys = lookups.map((lookup) => lookup.key!);
      const index = estimator.statistics.findIndex({ entity: 'node', labelOrType: label, keys, question: 'equality' });
      if (index !== null) found.push(indexSeek(estimator, request.variable, { label, predicate, lookups, ...index }));
    }
  }
  return found;
}

interface IndexMatch {
  readonly label: string;
  readonly predicate: Predicate;
  readonly lookups: readonly Lookup[];
  readonly unique: boolean;
  readonly automatic: boolean;
  readonly isExact: boolean;
}

function indexSeek(estimator: Estimator, variable: string, match: IndexMatch): Leaf {
  const { label, predicate, lookups, unique, automatic, isExact } = match;
  const many = lookups[0]!.operator === 'in';
  const nodes = estimator.statistics.nodesWithLabel(label);
  const perValue = unique
    ? 1
    : lookups.reduce((rows, lookup) => ratio(rows, estimator.statistics.distinctValues(label, lookup.key!) ?? 10), nodes);
  const rows = many ? listLength(lookups[0]!) * perValue : perValue;
  return {
    rows,
    cost: SEEK * (many ? listLength(lookups[0]!) : 1) + SEEK_ROW * rows,
    single: unique && !many,
    seek: true,
    consumed: new Set([...(isExact ? lookups.map((lookup) => lookup.predicate) : []), ...answered(predicate)]),
    build: (input, estimatedRows) => ({
      kind: 'nodeIndexSeek',
      input,
      variable,
      label,
      keys: lookups.map((lookup) => lookup.key!),
      values: lookups.map((lookup) => lookup.value),
      many,
      unique,
      automatic,
      estimatedRows,
    }),
  };
}

/** Returns the seeks by ranges, prefixes and areas. */
function indexRanges(estimator: Estimator, request: LeafRequest): readonly Leaf[] {
  const ranges = rangeCandidates(request.lookups);
  const found: Leaf[] = [];
  for (const { label, predicate } of labelNames(request)) {
    for (const [key, lookups] of ranges) {
      const { question, used, ...bounds } = boundsOf(lookups);
      const index = estimator.statistics.findIndex({ entity: 'node', labelOrType: label, keys: [key], question });
      if (index === null) continue;
      found.push(indexRange(estimator, request.variable, { label, predicate, key, used, bounds, isExact: index.isExact }));
    }
  }
  return found;
}

interface RangeMatch {
  readonly label: string;
  readonly predicate: Predicate;
  readonly key: string;
  readonly used: readonly Lookup[];
  readonly bounds: IndexBounds;
  readonly isExact: boolean;
}

function indexRange(estimator: Estimator, variable: string, { label, predicate, key, used, bounds, isExact }: RangeMatch): Leaf {
  const rows = used.reduce(
    (left, lookup) => left * estimator.predicateSelectivity(lookup.predicate),
    estimator.statistics.nodesWithLabel(label),
  );
  return {
    rows,
    cost: SEEK + SEEK_ROW * rows,
    single: false,
    seek: true,
    consumed: new Set([...(isExact ? used.map((lookup) => lookup.predicate) : []), ...answered(predicate)]),
    build: (input, estimatedRows) => ({
      kind: 'nodeIndexRange',
      input,
      variable,
      label,
      key,
      ...bounds,
      estimatedRows,
    }),
  };
}

/**
 * Returns unions of seeks: they find the nodes of any part of a disjunction, each node once, and then test the whole of
 * it, since a part may be looked up by one of its conditions only.
 */
function seekUnions(estimator: Estimator, request: LeafRequest): readonly Leaf[] {
  return request.alternatives.flatMap((alternatives) => {
    const cheapest = alternatives.parts.map((lookups) => cheapestOf(seeks(estimator, { ...request, lookups })));
    return cheapest.every((leaf) => leaf !== null) ? [seekUnion(request, alternatives, cheapest)] : [];
  });
}

function cheapestOf(leaves: readonly Leaf[]): Leaf | null {
  return leaves.reduce<Leaf | null>((least, leaf) => (least === null || leaf.cost < least.cost ? leaf : least), null);
}

function seekUnion({ variable, labels }: LeafRequest, { predicate, parts }: Alternatives, leaves: readonly Leaf[]): Leaf {
  const rows = leaves.reduce((sum, leaf) => sum + leaf.rows, 0);
  const known = new Set(parts.flat().flatMap(({ value }) => [...freeVariables(value)]));
  return {
    rows,
    cost: leaves.reduce((sum, leaf) => sum + leaf.cost, 0) + UNION_ROW * rows,
    single: false,
    seek: true,
    consumed: new Set([predicate, ...labels.filter((label) => leaves.every((leaf) => leaf.consumed.has(label)))]),
    build: (input, estimatedRows) => {
      const row: Operator = { kind: 'argument', variables: [...known], estimatedRows: 1 };
      const inputs = leaves.map((leaf) => onlyNode(variable, leaf.build(row, leaf.rows)));
      const all: Operator = { kind: 'unionAll', inputs, variables: [variable], estimatedRows: rows };
      const each: Operator = { kind: 'distinct', input: all, variables: [variable], estimatedRows: rows };
      const isAlone = input.kind === 'argument' && input.variables.length === 0;
      const found: Operator = isAlone ? each : { kind: 'apply', input, plan: each, unit: false, estimatedRows };
      return { kind: 'filter', input: found, predicate: predicate.expression, estimatedRows };
    },
  };
}

function onlyNode(name: string, input: Operator): Operator {
  const items = [{ variable: name, expression: variable(name) }];
  return { kind: 'project', input, items, discard: true, estimatedRows: input.estimatedRows };
}

function scan(estimator: Estimator, { variable, labels, mayGrow }: LeafRequest): Leaf {
  if (labels.length === 0) {
    const rows = estimator.statistics.nodeCount;
    return {
      rows,
      cost: SCAN_ROW * rows + 5,
      single: false,
      seek: false,
      consumed: NONE,
      build: (input, estimatedRows) => ({ kind: 'allNodesScan', input, variable, estimatedRows }),
    };
  }
  const expression: LabelExpression = labelAnd(labels.map((predicate) => predicate.labels!.labels));
  const rows = nodesWith(estimator.statistics, expression);
  return {
    rows,
    cost: SCAN_ROW * (mayGrow ? Math.max(rows, LEAST_GROWN) : rows) + 3,
    single: false,
    seek: false,
    consumed: new Set(labels),
    build: (input, estimatedRows) => ({ kind: 'labelScan', input, variable, labels: expression, estimatedRows }),
  };
}

/** Returns the label names that the node must have, each with the predicate that requires it. */
function labelNames({ labels }: LeafRequest): readonly { readonly label: string; readonly predicate: Predicate }[] {
  return labels.flatMap((predicate) => requiredLabels(predicate.labels!.labels).map((label) => ({ label, predicate })));
}

/** Returns the predicate if an index on a label answers it, that is, if it asks for nothing but that label. */
const answered = (predicate: Predicate): readonly Predicate[] => (predicate.labels!.labels.kind === 'labelName' ? [predicate] : []);
