import { reading } from '../../../effects.ts';
import { changed } from '../../../expressions/mapping.ts';
import type { Load } from '../../../loads.ts';
import type { Operator, OperatorBase, PlanExpression } from '../../../plan.ts';
import { VARIABLE_EXPAND_NODE, VARIABLE_EXPAND_ROW } from '../../cost-units.ts';
import type { Description, OperatorFacts, Subplan } from '../facts.ts';
import { ONE_INPUT } from '../inputs.ts';
import { mapPredicate } from '../mapping.ts';
import { never } from '../single-row.ts';
import { lengthText, patternText, stepText, uniquenessText } from '../texts.ts';

declare module '../../../plan.ts' {
  interface OperatorsByKind {
    readonly variableExpand: VariableExpand;
  }
}

/**
 * Follows paths of `min` to `max` relationships (null: no limit), and adds `relationships`, a list, and `to` (unless
 * `into`). `min` 0 gives the node itself with the empty list. No relationship occurs twice in one path, nor one of
 * `uniqueAgainst`. `step`: a predicate that every step must satisfy, over its `relationship`, `from`, `to` and outer
 * variables. `reversed`: the pattern is walked from its right end, so the list is reversed to be in pattern order.
 * `listNeeded` false: nothing reads the list. `distinctEnds`: only the distinct `to` per input row matter (set by a
 * rewrite; breadth-first).
 */
export interface VariableExpand extends OperatorBase {
  readonly kind: 'variableExpand';
  readonly input: Operator;
  readonly from: string;
  readonly relationships: string;
  readonly to: string;
  readonly types: readonly string[] | null;
  readonly direction: 'out' | 'in' | 'both';
  readonly min: number;
  readonly max: number | null;
  readonly into: boolean;
  readonly uniqueAgainst: readonly string[];
  readonly reversed: boolean;
  readonly relationshipsBound: boolean;
  readonly step: { readonly relationship: string; readonly from: string; readonly to: string; readonly predicate: PlanExpression } | null;
  readonly listNeeded: boolean;
  readonly distinctEnds: boolean;
  /**
   * A quantified path pattern `((a)-[r:R]->(b) WHERE …){1,5}`: each repetition is one run of `plan` (argument: `from`),
   * which binds `to`, the relationships `relationships` used in it, and the variables of `groups`, which become lists
   * outside (inner name → outer name). Null for plain variable length.
   */
  readonly quantified: {
    readonly plan: Operator;
    readonly from: string;
    readonly to: string;
    readonly relationships: readonly string[];
    readonly groups: readonly { readonly inner: string; readonly outer: string }[];
  } | null;
}

const REPETITION: Subplan<Pick<VariableExpand, 'quantified'>> = {
  of: ({ quantified }) => quantified?.plan ?? null,
  with: (operator, plan) => (operator.quantified === null ? operator : { ...operator, quantified: { ...operator.quantified, plan } }),
};

/** The facts of variable-length expands. */
export const variableExpand: OperatorFacts<VariableExpand> = {
  inputs: ONE_INPUT,
  subplan: REPETITION,
  mapExpressions: (operator, map) => (operator.step === null ? operator : changed(operator, { step: mapPredicate(operator.step, map) })),
  reads: ({ from, into, to, relationshipsBound, relationships, uniqueAgainst }) => [
    from,
    ...(into ? [to] : []),
    ...(relationshipsBound ? [relationships] : []),
    ...uniqueAgainst,
  ],
  binds: ({ quantified, relationshipsBound, relationships, into, to }) => [
    ...(relationshipsBound ? [] : [relationships]),
    ...(into ? [] : [to]),
    ...(quantified?.groups.map((group) => group.outer) ?? []),
  ],
  effects: ({ types }) => reading({ types: types === null ? 'all' : new Set(types) }),
  updates: false,
  isSingleRow: never,
  holdsAllRows: false,
  followsRows: true,
  passesDuplicates: 'inputs',
  loads: loadsOf,
  readsByPage: true,
  hasConstantSteps: false,
  cost: ({ estimatedRows }, rowsIn) => rowsIn * VARIABLE_EXPAND_NODE + estimatedRows * VARIABLE_EXPAND_ROW,
  describe,
};

function loadsOf({ types, into, min, quantified, to, direction }: VariableExpand): readonly Load[] {
  // A walk of no length ends where it begins.
  const endsAreNeighbours = !into && min > 0 && quantified === null;
  return endsAreNeighbours
    ? [
        { kind: 'types', types },
        { kind: 'ends', variable: to, types, direction },
      ]
    : [{ kind: 'types', types }];
}

function describe(operator: VariableExpand): Description {
  const flags = [
    operator.reversed ? 'reversed' : null,
    operator.relationshipsBound ? `${operator.relationships} known` : null,
    operator.listNeeded ? null : 'ends only',
    operator.distinctEnds ? 'distinct ends' : null,
  ].filter((flag) => flag !== null);
  const text = patternText({ ...operator, relationship: operator.relationships, length: lengthText(operator.min, operator.max) });
  return {
    name:
      operator.quantified !== null ? `Repeat(${operator.into ? 'Into' : 'Trail'})` : `VarLengthExpand(${operator.into ? 'Into' : 'All'})`,
    details: text + stepText(operator.step) + uniquenessText(operator.uniqueAgainst) + (flags.length === 0 ? '' : ` (${flags.join(', ')})`),
  };
}
