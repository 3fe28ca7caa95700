/**
 * `apoc.schema.assert`: makes sure that exactly the given indexes and constraints exist, apart from lookup indexes and
 * indexes over several labels.
 */
import type { CreateConstraint, CreateIndex } from '../../cypher/index.ts';
import type { ConstraintDefinition, IndexDefinition } from '../../graph/index.ts';
import { aType, typeFault, type Value } from '../../value/index.ts';
import type { Procedure } from '../runtime/procedure.ts';
import type { ProcedureContext } from '../runtime/procedure-context.ts';
import { properties, type Rows } from './writing-procedures.ts';

type Action = 'KEPT' | 'DROPPED' | 'CREATED';

interface Subject {
  readonly labelOrType: string;
  readonly keys: readonly string[];
}

function row({ labelOrType, keys }: Subject, isUnique: boolean, action: Action): readonly Value[] {
  return [labelOrType, keys.length === 1 ? keys[0]! : null, [...keys], isUnique, action];
}

/** Returns the label of an index; null for a lookup index or one over several labels, which stay as in APOC. */
function subjectOf(index: IndexDefinition): Subject | null {
  if ('labelOrType' in index) return index.kind === 'lookup' ? null : index;
  const [labelOrType, ...others] = index.labelsOrTypes;
  return labelOrType === undefined || others.length > 0 ? null : { labelOrType, keys: index.keys };
}

/** Keys requested for a label: a text stands for one key, a list for several. */
interface Wanted extends Subject {
  readonly isList: boolean;
}

function wantedOf(what: string, value: Value): Wanted[] {
  return [...properties(what, value)].flatMap(([labelOrType, list]) => {
    if (!Array.isArray(list)) throw typeFault(`${what} of ${labelOrType} are given as a List, not as ${aType(list)}`);
    return list.map((item) => {
      const isList = Array.isArray(item);
      const keys = isList ? item : [item];
      if (keys.length === 0 || !keys.every((key) => typeof key === 'string'))
        throw typeFault(`${what} of ${labelOrType} are Strings, or Lists of Strings that are not empty`);
      return { labelOrType, keys, isList };
    });
  });
}

/** Removes an existing definition from those requested. Returns whether it was requested. */
function take(wanted: Wanted[], fits: (one: Wanted) => boolean): boolean {
  const at = wanted.findIndex(fits);
  if (at >= 0) wanted.splice(at, 1);
  return at >= 0;
}

const isSame = (one: Subject, other: Subject): boolean =>
  one.labelOrType === other.labelOrType && one.keys.length === other.keys.length && one.keys.every((key, i) => key === other.keys[i]);

/** The source position of a command that is not part of a text. */
const NOWHERE = { span: { start: 0, end: 0 } };

const NEW = { ...NOWHERE, name: null, ifNotExists: false, entity: 'node', options: null } as const;

function newIndex({ labelOrType, keys }: Subject): CreateIndex {
  return { ...NEW, kind: 'createIndex', indexType: 'range', isOldForm: false, labelsOrTypes: [labelOrType], properties: keys, filters: [] };
}

function newConstraint({ labelOrType, keys, isList }: Wanted): CreateConstraint {
  return { ...NEW, kind: 'createConstraint', constraint: isList ? 'key' : 'unique', propertyType: null, labelOrType, properties: keys };
}

function* assertIndexes(context: ProcedureContext, wanted: Wanted[], dropsOthers: boolean): Rows {
  for (const index of context.view.schema.indexes) {
    const subject = subjectOf(index);
    if (subject === null) continue;
    const isWanted = 'labelOrType' in index && take(wanted, (one) => isSame(one, subject) && one.isList === subject.keys.length > 1);
    const isDropped = dropsOthers && !isWanted;
    if (isDropped) yield* context.changeSchema({ ...NOWHERE, kind: 'dropSchema', what: 'index', name: index.name, ifExists: false });
    yield row(subject, false, isDropped ? 'DROPPED' : 'KEPT');
  }
  for (const one of wanted) {
    yield* context.changeSchema(newIndex(one));
    yield row(one, false, 'CREATED');
  }
}

function* assertConstraints(context: ProcedureContext, wanted: Wanted[], dropsOthers: boolean): Rows {
  for (const constraint of context.view.schema.constraints as readonly ConstraintDefinition[]) {
    const isUnique = constraint.kind === 'unique' || constraint.kind === 'key';
    const isWanted = take(wanted, (one) => isSame(one, constraint));
    const isDropped = dropsOthers && !isWanted;
    if (isDropped)
      yield* context.changeSchema({ ...NOWHERE, kind: 'dropSchema', what: 'constraint', name: constraint.name, ifExists: false });
    yield row(constraint, isUnique, isDropped ? 'DROPPED' : 'KEPT');
  }
  for (const one of wanted) {
    yield* context.changeSchema(newConstraint(one));
    yield row(one, true, 'CREATED');
  }
}

/** The procedure `apoc.schema.assert`. */
export const schemaAssertion: Procedure = {
  name: 'apoc.schema.assert',
  inputs: [
    { name: 'indexes', type: 'MAP' },
    { name: 'constraints', type: 'MAP' },
    { name: 'dropExisting', type: 'BOOLEAN', default: true },
  ],
  outputs: [
    { name: 'label', type: 'ANY' },
    { name: 'key', type: 'STRING' },
    { name: 'keys', type: 'LIST<STRING>' },
    { name: 'unique', type: 'BOOLEAN' },
    { name: 'action', type: 'STRING' },
  ],
  mode: 'SCHEMA',
  description: 'Creates the given indexes and constraints, and drops all others unless dropExisting is false.',
  *call(context, [indexes, constraints, dropExisting]) {
    const dropsOthers = dropExisting === true;
    const wantedIndexes = wantedOf('indexes', indexes!);
    const wantedConstraints = wantedOf('constraints', constraints!);
    yield* assertIndexes(context, wantedIndexes, dropsOthers);
    yield* assertConstraints(context, wantedConstraints, dropsOthers);
  },
};
