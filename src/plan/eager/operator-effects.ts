/** The effects of one operator, its sub-plans and expressions included, its inputs left out. */
import type { LabelExpression, RemoveItem, SetItem, VariableType } from '../../cypher/index.ts';
import { type EntityRead, functionNamed } from '../../functions/index.ts';
import { forEachChild } from '../expressions/children.ts';
import { expressionsOf, inputsOf, subplanOf } from '../operators/references.ts';
import type { CreateNode, CreateRelationship, Operator, PlanExpression } from '../plan.ts';
import {
  type Effects,
  mayHoldEntities,
  type Names,
  NO_EFFECTS,
  NO_WRITES,
  READS_ALL,
  reading,
  unite,
  uniteAll,
  WRITES_ALL,
  writing,
} from './effects.ts';

type Types = ReadonlyMap<string, VariableType>;

export function effectsOf(operator: Operator, types: Types): Effects {
  const effects = uniteAll([ownEffects(operator, types), ...expressionsOf(operator).map(expressionEffects)]);
  const subplan = subplanOf(operator);
  return subplan === null ? effects : unite(effects, planEffects(subplan, types));
}

/** Of a whole plan. */
export function planEffects(plan: Operator, types: Types): Effects {
  return inputsOf(plan).reduce((effects, input) => unite(effects, planEffects(input, types)), effectsOf(plan, types));
}

function ownEffects(operator: Operator, types: Types): Effects {
  switch (operator.kind) {
    case 'allNodesScan':
      return reading({ scans: 'all' });
    case 'labelScan':
      return reading({ scans: scannedLabels(operator.labels), labels: true });
    case 'nodeByIdSeek':
      return reading({ identifiers: true });
    case 'nodeIndexSeek':
      return reading({ lookups: new Set([operator.label]), keys: new Set(operator.keys) });
    case 'nodeIndexRange':
      return reading({ lookups: new Set([operator.label]), keys: new Set([operator.key]) });
    case 'relationshipScan':
    case 'expand':
    case 'variableExpand':
    case 'shortestPath':
      return reading({ types: operator.types === null ? 'all' : new Set(operator.types) });
    case 'pathSearch':
      return operator.automaton.steps
        .map(({ types }) => reading({ types: types === null ? 'all' : new Set(types) }))
        .reduce(unite, NO_EFFECTS);
    case 'relationshipIndexSeek':
      return reading({ types: new Set(operator.types), keys: new Set(operator.keys) });
    case 'relationshipIndexRange':
      return reading({ types: new Set(operator.types), keys: new Set([operator.key]) });
    case 'multiwayJoin':
      return operator.legs.map(({ types }) => reading({ types: types === null ? 'all' : new Set(types) })).reduce(unite);
    case 'relationshipByIdSeek':
      return reading({ types: 'all' });
    case 'create':
      return uniteAll(operator.items.map(createEffects));
    case 'merge':
      return uniteAll([
        ...operator.create.map(createEffects),
        ...[...operator.onCreate, ...operator.onMatch].map((item) => setEffects(item, types)),
      ]);
    case 'setProperties':
      return uniteAll(operator.items.map((item) => setEffects(item, types)));
    case 'removeItems':
      return uniteAll(operator.items.map((item) => removeEffects(item, types)));
    case 'delete':
      return writing({ deletes: true });
    case 'procedureCall':
      return { reads: READS_ALL, writes: operator.writes ? WRITES_ALL : NO_WRITES };
    case 'show':
      return { reads: READS_ALL, writes: NO_WRITES };
    default:
      return NO_EFFECTS;
  }
}

/** Labels of which a node needs one to satisfy the expression; 'all' when it may have any. */
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
    default:
      return 'all';
  }
}

function createEffects(item: CreateNode | CreateRelationship): Effects {
  if (item.kind === 'createRelationship') return writing({ createdTypes: typeof item.type === 'string' ? new Set([item.type]) : 'all' });
  const names = item.labels.filter((label) => typeof label === 'string');
  const isStatic = names.length === item.labels.length;
  return writing({
    createdLabels: isStatic ? new Set(names.length === 0 ? [''] : names) : 'all',
    createdIdentifiers: mayContainKey(item.properties, '_id'),
  });
}

function mayContainKey(properties: PlanExpression | null, key: string): boolean {
  if (properties === null) return false;
  return properties.kind !== 'map' || properties.entries.some((entry) => entry.key === key);
}

function setEffects(item: SetItem, types: Types): Effects {
  switch (item.kind) {
    case 'setProperty':
      return setKey(item.target, types);
    case 'setAll': {
      const keys: Names = item.merge && item.value.kind === 'map' ? new Set(item.value.entries.map((entry) => entry.key)) : 'all';
      const set = writing({ setKeys: new Map([[item.variable.name, keys]]), setsNodes: isPerhapsNode(types.get(item.variable.name)) });
      const copies = item.value.kind === 'variable' && mayHoldEntities(types.get(item.value.name));
      return copies ? unite(set, reading({ keys: 'all' })) : set;
    }
    case 'setLabels':
      return writing({ setsLabels: true });
  }
}

function removeEffects(item: RemoveItem, types: Types): Effects {
  return item.kind === 'removeLabels' ? writing({ setsLabels: true }) : setKey(item.target, types);
}

function setKey(target: Extract<SetItem, { kind: 'setProperty' }>['target'], types: Types): Effects {
  const { subject } = target;
  const keys: Names = target.kind === 'property' ? new Set([target.key]) : 'all';
  // Of an expression nobody knows which entity it is: a name that no variable has, so it differs from all others.
  const name = subject.kind === 'variable' ? subject.name : `(${JSON.stringify(subject.span)})`;
  return writing({ setKeys: new Map([[name, keys]]), setsNodes: isPerhapsNode(subject.kind === 'variable' ? types.get(name) : undefined) });
}

const isPerhapsNode = (type: VariableType | undefined): boolean => type !== 'relationship';

/** What a function reads of an entity among its arguments. Neither identifiers nor types of what there is can change. */
const ENTITY_READS: Readonly<Record<EntityRead, Effects>> = {
  nothing: NO_EFFECTS,
  identifier: NO_EFFECTS,
  labels: reading({ labels: true }),
  type: NO_EFFECTS,
  properties: reading({ keys: 'all' }),
};

export function expressionEffects(expression: PlanExpression): Effects {
  let effects = partEffects(expression);
  forEachChild(expression, (child) => {
    effects = unite(effects, expressionEffects(child));
  });
  return effects;
}

function partEffects(expression: PlanExpression): Effects {
  switch (expression.kind) {
    case 'property':
      return reading({ keys: new Set([expression.key]) });
    case 'index': {
      const { index } = expression;
      if (index.kind === 'literal') return typeof index.value === 'string' ? reading({ keys: new Set([index.value]) }) : NO_EFFECTS;
      return reading({ keys: 'all' });
    }
    case 'mapProjection':
      return reading({ keys: expression.all ? 'all' : new Set(expression.entries.map((entry) => entry.key)) });
    case 'hasLabels':
      return reading({ labels: true });
    case 'function':
      return ENTITY_READS[functionNamed(expression.name)?.facts.reads ?? 'nothing'];
    case 'planSubquery':
      return planEffects(expression.plan, new Map());
    default:
      return NO_EFFECTS;
  }
}
