/** The data that an operator or an expression must find in memory, in terms that `exec/requirements/` folds into tables and columns. */
import type { ProcedureYield } from '../cypher/index.ts';
import type { OperatorsByKind, PlanExpression } from './plan.ts';

/** Data that must be in memory. */
export type Load =
  /** Nodes of any label. */
  | { readonly kind: 'everyNode' }
  /** Nodes of a label, which `variable` is bound to. */
  | { readonly kind: 'label'; readonly label: string; readonly variable: string }
  /** Columns of property keys, of all nodes or of all relationships. */
  | { readonly kind: 'keys'; readonly keys: readonly string[]; readonly of: 'node' | 'relationship' }
  /** The map that leads from identifiers to nodes. */
  | { readonly kind: 'identifiers' }
  /** Relationships of the types; null: of all types. */
  | { readonly kind: 'types'; readonly types: readonly string[] | null }
  /** `variable` is bound to nodes where relationships of the types arrive. */
  | {
      readonly kind: 'ends';
      readonly variable: string;
      readonly types: readonly string[] | null;
      readonly direction: OperatorsByKind['expand']['direction'];
    }
  /** `variable` is bound to something made of the values, which holds an entity only if one of them can. */
  | { readonly kind: 'value'; readonly variable: string; readonly expressions: readonly PlanExpression[] }
  | { readonly kind: 'aggregation'; readonly aggregation: OperatorsByKind['aggregate']['aggregations'][number] }
  | { readonly kind: 'createdNode'; readonly variable: string }
  /** A relationship is created between two nodes, each of which is checked to exist still. */
  | { readonly kind: 'createdRelationship'; readonly source: string; readonly target: string }
  /** The value, an entity, is changed, so that it gets another row. */
  | { readonly kind: 'changed'; readonly entity: PlanExpression }
  /** A property of the value is read, if it is an entity. */
  | { readonly kind: 'property'; readonly of: PlanExpression; readonly key: string }
  /** All properties of the value are read, if it is an entity. */
  | { readonly kind: 'properties'; readonly of: PlanExpression }
  /** The labels of the value are read, if it is a node. */
  | { readonly kind: 'labels'; readonly of: PlanExpression }
  /** The identifier of the value is read, if it is an entity. */
  | { readonly kind: 'identifier'; readonly of: PlanExpression }
  | { readonly kind: 'call'; readonly procedure: string; readonly yields: readonly ProcedureYield[] };
