/** Scans of nodes, table by table: of all nodes, or of those with labels. */
import { unreachable } from '../../../../base/index.ts';
import type { LabelExpression } from '../../../../cypher/index.ts';
import { type Names, reading } from '../../../effects.ts';
import { formatLabels } from '../../../expressions/format-expression.ts';
import { asExpression, changed, mapLabels } from '../../../expressions/mapping.ts';
import type { Operator, OperatorBase } from '../../../plan.ts';
import { scanCost } from '../costs.ts';
import type { OperatorFacts } from '../facts.ts';
import { ONE_INPUT } from '../inputs.ts';
import { noNames } from '../nothing.ts';
import { never } from '../single-row.ts';

declare module '../../../plan.ts' {
  interface OperatorsByKind {
    readonly allNodesScan: AllNodesScan;
    readonly labelScan: LabelScan;
  }
}

/** For each input row, adds each node as `variable`, in the order of tables and rows, which users must not rely on. */
export interface AllNodesScan extends OperatorBase {
  readonly kind: 'allNodesScan';
  readonly input: Operator;
  readonly variable: string;
}

/** The facts of scans of all nodes. */
export const allNodesScan: OperatorFacts<AllNodesScan> = {
  inputs: ONE_INPUT,
  subplan: null,
  mapExpressions: null,
  reads: noNames,
  binds: ({ variable }) => [variable],
  effects: () => reading({ scans: 'all' }),
  updates: false,
  isSingleRow: never,
  holdsAllRows: false,
  followsRows: false,
  passesDuplicates: 'inputs',
  loads: () => [{ kind: 'everyNode' }],
  readsByPage: true,
  hasConstantSteps: true,
  cost: scanCost,
  describe: ({ variable }) => ({ name: 'AllNodesScan', details: variable }),
};

/** For each input row, adds each node that satisfies the label expression as `variable`. */
export interface LabelScan extends OperatorBase {
  readonly kind: 'labelScan';
  readonly input: Operator;
  readonly variable: string;
  readonly labels: LabelExpression;
}

/** The facts of scans of labels. */
export const labelScan: OperatorFacts<LabelScan> = {
  inputs: ONE_INPUT,
  subplan: null,
  mapExpressions: (scan, map) => changed(scan, { labels: mapLabels(scan.labels, (expression) => asExpression(map(expression))) }),
  reads: noNames,
  binds: ({ variable }) => [variable],
  effects: ({ labels }) => reading({ scans: scannedLabels(labels), labels: true }),
  updates: false,
  isSingleRow: never,
  holdsAllRows: false,
  followsRows: false,
  passesDuplicates: 'inputs',
  loads: ({ labels, variable }) =>
    labels.kind === 'labelName' ? [{ kind: 'label', label: labels.name, variable }] : [{ kind: 'everyNode' }],
  readsByPage: true,
  hasConstantSteps: true,
  cost: scanCost,
  describe: ({ variable, labels }) => ({ name: 'NodeByLabelScan', details: `${variable}:${formatLabels(labels)}` }),
};

/** Returns the labels of which a node needs one to satisfy the expression; 'all' if it may have any. */
function scannedLabels(labels: LabelExpression): Names {
  switch (labels.kind) {
    case 'labelName':
      return new Set([labels.name]);
    case 'labelAnd': {
      const parts = labels.operands.map(scannedLabels);
      return parts.find((part) => part !== 'all') ?? 'all';
    }
    case 'labelOr': {
      const parts = labels.operands.map(scannedLabels);
      return parts.some((part) => part === 'all') ? 'all' : new Set(parts.flatMap((part) => [...part]));
    }
    case 'labelNot':
    case 'labelWildcard':
    case 'labelDynamic':
      return 'all';
    default:
      return unreachable(labels, 'label expression');
  }
}
