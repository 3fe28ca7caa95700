import type { SetItem } from '../../../../cypher/index.ts';
import { uniteAll } from '../../../effects.ts';
import { changed, mapList } from '../../../expressions/mapping.ts';
import type { Operator, OperatorBase, PathBuild } from '../../../plan.ts';
import { rowCost } from '../costs.ts';
import type { ExpressionMapper, OperatorFacts, Subplan } from '../facts.ts';
import { ONE_INPUT } from '../inputs.ts';
import {
  type CreateNode,
  type CreateRelationship,
  createdEnds,
  createEffects,
  createLoads,
  createText,
  mapCreated,
} from './create-items.ts';
import { mapSet, setEffects, setLoads, setText } from './set-items.ts';

declare module '../../../plan.ts' {
  interface OperatorsByKind {
    readonly merge: Merge;
  }
}

/**
 * Gives, per input row, the rows of `match` (argument: outer variables) after `onMatch` was applied to each; if there
 * are none, one row after `create` and `onCreate`.
 */
export interface Merge extends OperatorBase {
  readonly kind: 'merge';
  readonly input: Operator;
  readonly match: Operator;
  readonly create: readonly (CreateNode | CreateRelationship)[];
  /** Nodes and relationships that the merge binds. */
  readonly variables: readonly string[];
  /** The named path of the pattern, where ON CREATE or ON MATCH reads it; else null. */
  readonly path: NamedPath | null;
  readonly onCreate: readonly SetItem[];
  readonly onMatch: readonly SetItem[];
}

/** A named path, built of the variables of its pattern. */
export interface NamedPath {
  readonly variable: string;
  readonly expression: PathBuild;
}

const MATCH: Subplan<Pick<Merge, 'match'>> = { of: ({ match }) => match, with: (operator, match) => ({ ...operator, match }) };

/** The facts of MERGE. */
export const merge: OperatorFacts<Merge> = {
  inputs: ONE_INPUT,
  subplan: MATCH,
  mapExpressions: (operator, map) =>
    changed(operator, {
      create: mapList(operator.create, (item) => mapCreated(item, map)),
      path: mapPath(operator.path, map),
      onCreate: mapList(operator.onCreate, (item) => mapSet(item, map)),
      onMatch: mapList(operator.onMatch, (item) => mapSet(item, map)),
    }),
  reads: ({ create }) => create.flatMap(createdEnds),
  binds: ({ variables, path }) => (path === null ? variables : [...variables, path.variable]),
  effects: ({ create, onCreate, onMatch }, types) =>
    uniteAll([...create.map(createEffects), ...[...onCreate, ...onMatch].map((item) => setEffects(item, types))]),
  updates: true,
  isSingleRow: ({ input, match }, below) => below(input) && below(match),
  holdsAllRows: false,
  followsRows: false,
  passesDuplicates: 'nowhere',
  loads: ({ create, onCreate, onMatch }) => [...create.flatMap(createLoads), ...[...onCreate, ...onMatch].flatMap(setLoads)],
  readsByPage: false,
  hasConstantSteps: false,
  cost: rowCost,
  describe: (operator) => ({ name: 'Merge', details: detailsOf(operator) }),
};

// A path stays one: it has no parts, and no rewrite changes its kind.
function mapPath(path: NamedPath | null, map: ExpressionMapper): NamedPath | null {
  return path === null ? null : changed(path, { expression: map(path.expression) as PathBuild });
}

function detailsOf({ create, onCreate, onMatch }: Merge): string {
  const parts = [create.map(createText).join(', ')];
  if (onCreate.length > 0) parts.push(`ON CREATE SET ${onCreate.map(setText).join(', ')}`);
  if (onMatch.length > 0) parts.push(`ON MATCH SET ${onMatch.map(setText).join(', ')}`);
  return parts.join(' ');
}
