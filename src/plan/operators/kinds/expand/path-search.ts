import type { PathSelector } from '../../../../cypher/index.ts';
import { reading, uniteAll } from '../../../effects.ts';
import { formatExpression } from '../../../expressions/format-expression.ts';
import { changed } from '../../../expressions/mapping.ts';
import type { Operator, OperatorBase, PlanExpression } from '../../../plan.ts';
import { SHORTEST_PATH } from '../../cost-units.ts';
import type { Description, OperatorFacts } from '../facts.ts';
import { ONE_INPUT } from '../inputs.ts';
import { mapPredicates } from '../mapping.ts';
import { never } from '../single-row.ts';
import type { ShortestPath } from './shortest-path.ts';
import type { VariableExpand } from './variable-expand.ts';

declare module '../../../plan.ts' {
  interface OperatorsByKind {
    readonly pathSearch: PathSearch;
  }
}

/** A path pattern as an automaton; states and steps are named by their indexes. See match/path-automaton.ts. */
export interface PathAutomaton {
  readonly start: number;
  readonly accept: number;
  /** For each state the index in `nodeTests` of the test of its node; -1 for none. */
  readonly states: readonly number[];
  readonly steps: readonly PathStep[];
  readonly skips: readonly (readonly [from: number, to: number])[];
  readonly nodeTests: readonly { readonly node: string; readonly predicate: PlanExpression }[];
  readonly stepTests: readonly NonNullable<VariableExpand['step']>[];
}

/** A step of a path search: it takes a relationship from one state to another. */
export interface PathStep {
  readonly from: number;
  readonly to: number;
  readonly types: readonly string[] | null;
  readonly direction: 'out' | 'in' | 'both';
  /** The index of the test in `stepTests`; -1 for none. */
  readonly test: number;
}

/** A variable of the pattern: it holds the nodes at the states in `places`, or the relationships of the steps in `places`. */
export interface PathOutput {
  readonly variable: string;
  readonly of: 'node' | 'relationship';
  readonly isList: boolean;
  readonly places: readonly number[];
}

/**
 * Searches paths from a bound end, and adds the variables of `outputs`: one row for each path that the selector
 * chooses, for each other end (`into`: `to` is bound already, and the only other end).
 */
export interface PathSearch extends OperatorBase {
  readonly kind: 'pathSearch';
  readonly input: Operator;
  readonly from: string;
  readonly to: string;
  readonly into: boolean;
  /** The pattern is walked from its right end, so lists are reversed. */
  readonly reversed: boolean;
  readonly automaton: PathAutomaton;
  readonly outputs: readonly PathOutput[];
  readonly mode: ShortestPath['mode'];
  readonly count: PathSelector['count'];
}

/** The facts of path searches. */
export const pathSearch: OperatorFacts<PathSearch> = {
  inputs: ONE_INPUT,
  subplan: null,
  mapExpressions: (search, map) => {
    const { automaton } = search;
    const nodeTests = mapPredicates(automaton.nodeTests, map);
    const stepTests = mapPredicates(automaton.stepTests, map);
    return changed(search, { automaton: changed(automaton, { nodeTests, stepTests }) });
  },
  reads: ({ from, into, to }) => [from, ...(into ? [to] : [])],
  binds: ({ outputs }) => outputs.map(({ variable }) => variable),
  effects: ({ automaton }) => uniteAll(automaton.steps.map(({ types }) => reading({ types: types === null ? 'all' : new Set(types) }))),
  updates: false,
  isSingleRow: never,
  holdsAllRows: false,
  followsRows: false,
  passesDuplicates: 'nowhere',
  loads: ({ automaton }) => automaton.steps.map(({ types }) => ({ kind: 'types', types })),
  readsByPage: true,
  hasConstantSteps: false,
  cost: (_, rowsIn) => rowsIn * SHORTEST_PATH,
  describe,
};

function describe({ from, to, mode, count, into, automaton }: PathSearch): Description {
  const wanted = typeof count === 'number' ? count : formatExpression(count);
  const kept = mode === 'all' ? 'all' : `${wanted}${mode === 'groups' ? ' groups' : ''}`;
  const types = [...new Set(automaton.steps.flatMap((step) => step.types ?? ['*']))];
  const tests = [...automaton.nodeTests, ...automaton.stepTests].map(({ predicate }) => formatExpression(predicate));
  const conditions = tests.length === 0 ? '' : ` WHERE ${tests.join(' AND ')}`;
  return {
    name: `PathSearch(${into ? 'Into' : 'All'})`,
    details: `${kept} from (${from}) to (${to}) by ${types.join('|')}, ${automaton.states.length} places${conditions}`,
  };
}
