/**
 * The ways to find the nodes of one variable without coming from another: by identifier, by index, by label, by looking at all. Every way consumes the predicates
 * that it has answered; the caller filters by the others.
 */
import type { LabelExpression } from '../../cypher/index.ts';
import { SCAN_ROW, SEEK, SEEK_ROW } from '../cost/cost.ts';
import { type Estimator, ratio } from '../cost/estimator.ts';
import { nodesWith } from '../cost/labels.ts';
import { labelAnd } from '../expressions/build.ts';
import { requiredLabels } from '../pattern/predicates.ts';
import type { Predicate } from '../pattern/query-graph.ts';
import type { Operator } from '../plan.ts';
import type { Lookup } from './lookups.ts';

export interface Leaf {
  /** Rows and cost per input row. */
  readonly rows: number;
  readonly cost: number;
  /** One row at most per input row, provably. */
  readonly single: boolean;
  /** A seek: few rows by its nature, worth trying as a second anchor. */
  readonly seek: boolean;
  readonly consumed: ReadonlySet<Predicate>;
  build(input: Operator, estimatedRows: number): Operator;
}

export interface LeafRequest {
  readonly variable: string;
  /** Predicates on the variable alone and lookups in values that are known where the leaf would stand. */
  readonly lookups: readonly Lookup[];
  readonly labels: readonly Predicate[];
}

const UNKNOWN_LIST = 10;
const NONE: ReadonlySet<Predicate> = new Set();

export function leavesOf(estimator: Estimator, request: LeafRequest): readonly Leaf[] {
  return [...identifierSeeks(request), ...indexSeeks(estimator, request), ...indexRanges(estimator, request), scan(estimator, request)];
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

/** Equality on all keys of an index, or IN on a single one. */
function indexSeeks(estimator: Estimator, request: LeafRequest): readonly Leaf[] {
  const byKey = new Map<string, Lookup>();
  for (const lookup of request.lookups) {
    if (lookup.key === null || (lookup.operator !== '=' && lookup.operator !== 'in')) continue;
    if (!byKey.has(lookup.key) || (byKey.get(lookup.key)!.operator === 'in' && lookup.operator === '=')) byKey.set(lookup.key, lookup);
  }
  const found: Leaf[] = [];
  for (const { label, predicate } of labelNames(request)) {
    for (const keys of keySets([...byKey.keys()])) {
      const lookups = keys.map((key) => byKey.get(key)!);
      if (keys.length > 1 && lookups.some((lookup) => lookup.operator === 'in')) continue;
      const index = estimator.statistics.findIndex(label, keys);
      if (index !== null) found.push(indexSeek(estimator, request.variable, { label, predicate, lookups, unique: index.unique }));
    }
  }
  return found;
}

interface IndexMatch {
  readonly label: string;
  readonly predicate: Predicate;
  readonly lookups: readonly Lookup[];
  readonly unique: boolean;
}

function indexSeek(estimator: Estimator, variable: string, { label, predicate, lookups, unique }: IndexMatch): Leaf {
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
    consumed: new Set([...lookups.map((lookup) => lookup.predicate), ...answered(predicate)]),
    build: (input, estimatedRows) => ({
      kind: 'nodeIndexSeek',
      input,
      variable,
      label,
      keys: lookups.map((lookup) => lookup.key!),
      values: lookups.map((lookup) => lookup.value),
      many,
      unique,
      estimatedRows,
    }),
  };
}

/** Ranges and prefixes. Their predicates are not consumed: an index orders values of all types, a comparison knows its own only. */
function indexRanges(estimator: Estimator, request: LeafRequest): readonly Leaf[] {
  const keys = new Set(request.lookups.filter((lookup) => lookup.key !== null && isRange(lookup)).map((lookup) => lookup.key!));
  const found: Leaf[] = [];
  for (const { label, predicate } of labelNames(request)) {
    for (const key of keys) {
      if (estimator.statistics.findIndex(label, [key]) === null) continue;
      found.push(
        indexRange(estimator, request.variable, {
          label,
          predicate,
          key,
          lookups: request.lookups.filter((lookup) => lookup.key === key && isRange(lookup)),
        }),
      );
    }
  }
  return found;
}

const isRange = (lookup: Lookup): boolean => lookup.operator !== '=' && lookup.operator !== 'in';

interface RangeMatch {
  readonly label: string;
  readonly predicate: Predicate;
  readonly key: string;
  readonly lookups: readonly Lookup[];
}

function indexRange(estimator: Estimator, variable: string, { label, predicate, key, lookups }: RangeMatch): Leaf {
  const low = lookups.find((lookup) => lookup.operator === '>' || lookup.operator === '>=');
  const high = lookups.find((lookup) => lookup.operator === '<' || lookup.operator === '<=');
  const prefix = low === undefined && high === undefined ? lookups.find((lookup) => lookup.operator === 'startsWith') : undefined;
  const used = [low, high, prefix].filter((lookup) => lookup !== undefined);
  const rows = used.reduce(
    (left, lookup) => left * estimator.predicateSelectivity(lookup.predicate),
    estimator.statistics.nodesWithLabel(label),
  );
  const bound = (lookup: Lookup | undefined, inclusive: string) =>
    lookup === undefined ? null : { value: lookup.value, inclusive: lookup.operator === inclusive };
  return {
    rows,
    cost: SEEK + SEEK_ROW * rows,
    single: false,
    seek: true,
    consumed: new Set(answered(predicate)),
    build: (input, estimatedRows) => ({
      kind: 'nodeIndexRange',
      input,
      variable,
      label,
      key,
      low: bound(low, '>='),
      high: bound(high, '<='),
      prefix: prefix?.value ?? null,
      estimatedRows,
    }),
  };
}

function scan(estimator: Estimator, { variable, labels }: LeafRequest): Leaf {
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
    cost: SCAN_ROW * rows + 3,
    single: false,
    seek: false,
    consumed: new Set(labels),
    build: (input, estimatedRows) => ({ kind: 'labelScan', input, variable, labels: expression, estimatedRows }),
  };
}

/** Label names that the node must have, with the predicate that says so. */
function labelNames({ labels }: LeafRequest): readonly { readonly label: string; readonly predicate: Predicate }[] {
  return labels.flatMap((predicate) => requiredLabels(predicate.labels!.labels).map((label) => ({ label, predicate })));
}

/** An index on a label answers the predicate when it asks for nothing but that label. */
const answered = (predicate: Predicate): readonly Predicate[] => (predicate.labels!.labels.kind === 'labelName' ? [predicate] : []);

function listLength(lookup: Lookup): number {
  return lookup.value.kind === 'list' ? lookup.value.items.length : UNKNOWN_LIST;
}

/** Single keys, and sets of up to four in the orders in which an index may have been declared. */
function keySets(keys: readonly string[]): readonly (readonly string[])[] {
  const sets: (readonly string[])[] = keys.map((key) => [key]);
  const extendBy = (chosen: readonly string[]): void => {
    for (const key of keys.slice(0, 5)) {
      if (chosen.includes(key)) continue;
      const longer = [...chosen, key];
      sets.push(longer);
      if (longer.length < 4) extendBy(longer);
    }
  };
  if (keys.length > 1) for (const key of keys.slice(0, 5)) extendBy([key]);
  return sets;
}
