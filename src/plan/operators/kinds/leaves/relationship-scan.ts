import { reading } from '../../../effects.ts';
import type { Operator, OperatorBase } from '../../../plan.ts';
import { scanCost } from '../costs.ts';
import type { OperatorFacts } from '../facts.ts';
import { ONE_INPUT } from '../inputs.ts';
import { never } from '../single-row.ts';
import { patternText, uniquenessText } from '../texts.ts';

declare module '../../../plan.ts' {
  interface OperatorsByKind {
    readonly relationshipScan: RelationshipScan;
  }
}

/** Adds `relationship`, `from` and `to` of every relationship of the types (null: all). `both`: each comes twice, a self-loop once. */
export interface RelationshipScan extends OperatorBase {
  readonly kind: 'relationshipScan';
  readonly input: Operator;
  readonly relationship: string;
  readonly from: string;
  readonly to: string;
  readonly types: readonly string[] | null;
  readonly direction: 'out' | 'in' | 'both';
  readonly uniqueAgainst: readonly string[];
}

/** The facts of scans of relationships. */
export const relationshipScan: OperatorFacts<RelationshipScan> = {
  inputs: ONE_INPUT,
  subplan: null,
  mapExpressions: null,
  reads: ({ uniqueAgainst }) => uniqueAgainst,
  binds: ({ relationship, from, to }) => [relationship, from, to],
  effects: ({ types }) => reading({ types: types === null ? 'all' : new Set(types) }),
  updates: false,
  isSingleRow: never,
  holdsAllRows: false,
  followsRows: false,
  passesDuplicates: 'nowhere',
  loads: ({ types, from, to }) => [
    { kind: 'types', types },
    { kind: 'ends', variable: from, types, direction: 'both' },
    { kind: 'ends', variable: to, types, direction: 'both' },
  ],
  readsByPage: true,
  hasConstantSteps: true,
  cost: scanCost,
  describe: (scan) => ({
    name: scan.types === null ? 'AllRelationshipsScan' : 'RelationshipTypeScan',
    details: patternText({ ...scan, length: '' }) + uniquenessText(scan.uniqueAgainst),
  }),
};
