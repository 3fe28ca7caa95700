/** Counts of nodes by label expression, from statistics: labels are taken to be independent where nothing better is known. */
import { unreachable } from '../../base/index.ts';
import type { LabelExpression } from '../../cypher/index.ts';
import type { GraphStatistics } from '../../graph/index.ts';

/** Estimates how many nodes satisfy a label expression. */
export function nodesWith(statistics: GraphStatistics, labels: LabelExpression): number {
  return statistics.nodeCount * labelSelectivity(statistics, labels);
}

/** Estimates the share of all nodes that satisfies a label expression. */
export function labelSelectivity(statistics: GraphStatistics, labels: LabelExpression): number {
  switch (labels.kind) {
    case 'labelName':
      return share(statistics.nodesWithLabel(labels.name), statistics.nodeCount);
    case 'labelWildcard':
      return 1;
    case 'labelDynamic':
      return 0.1;
    case 'labelNot':
      return 1 - labelSelectivity(statistics, labels.operand);
    case 'labelAnd':
      // Labels that occur together are usually nested (Message:Post): the rarest one decides.
      return labels.operands.reduce((least, operand) => Math.min(least, labelSelectivity(statistics, operand)), 1);
    case 'labelOr':
      return Math.min(
        1,
        labels.operands.reduce((sum, operand) => sum + labelSelectivity(statistics, operand), 0),
      );
    default:
      return unreachable(labels, 'label expression');
  }
}

/** Returns the share that a part has of a whole, between 0 and 1; 0 if the whole is 0 or less. */
export const share = (part: number, whole: number): number => (whole <= 0 ? 0 : Math.min(1, part / whole));
