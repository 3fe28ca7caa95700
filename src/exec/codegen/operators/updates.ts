/** Writes CREATE, MERGE, SET, REMOVE, DELETE and FOREACH, with one call of the runtime for each change. Only generic code contains them. */
import { unreachable } from '../../../base/index.ts';
import type { Expression, RemoveItem, SetItem } from '../../../cypher/index.ts';
import type {
  Create,
  CreateNode,
  CreateRelationship,
  Delete,
  EmptyResult,
  Foreach,
  Merge,
  PlanExpression,
  RemoveItems,
  SetProperties,
} from '../../../plan/index.ts';
import type { Codegen, Consume, Environment } from '../codegen.ts';
import { nodeOf } from '../environment.ts';
import { compileExpression, compileValue } from '../expressions/expression.ts';
import { compilePathBuild } from '../expressions/path.ts';
import { toValue } from '../expressions/to-value.ts';
import { createMany } from '../many-creations.ts';
import { any, node, relationship, type Typed } from '../typed.ts';
import { withNames } from './needs.ts';
import { produce } from './produce.ts';
import { openElements } from './rows.ts';
import { type StoredRow, storeRow } from './stored-row.ts';

/** Items of a clause that are carried out between two points at which the statement can yield the thread. */
const ITEMS_TOGETHER = 8;

type Needed = ReadonlySet<string>;
type CreateItem = CreateNode | CreateRelationship;

/** Writes CREATE. */
export function produceCreate(cg: Codegen, create: Create, outer: Environment, needed: Needed, consume: Consume): void {
  produce(cg, create.input, outer, withNames(needed, create.items), (environment) => {
    cg.work('1');
    consume(createMany(cg, create.items, environment, needed) ?? createItems(cg, create.items, environment));
  });
}

function createItems(cg: Codegen, items: readonly CreateItem[], environment: Environment): Environment {
  const bound = new Map(environment);
  for (const [i, item] of items.entries()) {
    countItem(cg, i);
    bound.set(item.variable, item.kind === 'createNode' ? createNode(cg, bound, item) : createRelationship(cg, bound, item));
  }
  return bound;
}

/** Lets other statements run between the items of a clause that has many. */
function countItem(cg: Codegen, index: number): void {
  if (index > 0 && index % ITEMS_TOGETHER === 0) cg.work(`${ITEMS_TOGETHER}`);
}

function createNode(cg: Codegen, environment: Environment, item: CreateNode): Typed {
  const { labels } = item;
  if (areNames(labels)) {
    const properties = writtenProperties(cg, environment, item.properties);
    if (properties !== null)
      return node(cg.f.local('n', `writes.createNodeOf(${creationForm(cg, labels, properties.keys)}, ${properties.values})`), false);
  }
  return node(
    cg.f.local('n', `writes.createNode(${labelNames(cg, environment, labels)}, ${propertiesOf(cg, environment, item.properties)})`),
    false,
  );
}

function createRelationship(cg: Codegen, environment: Environment, item: CreateRelationship): Typed {
  const source = endpoint(cg, environment, item.source);
  const target = endpoint(cg, environment, item.target);
  const properties = writtenProperties(cg, environment, item.properties);
  let creation: string;
  if (typeof item.type === 'string' && properties !== null) {
    creation = `writes.createRelationshipOf(${creationForm(cg, [item.type], properties.keys)}, ${source}, ${target}, ${properties.values})`;
  } else {
    const type = typeof item.type === 'string' ? cg.constant(item.type) : compileValue(cg, environment, item.type);
    creation = `writes.createRelationship(${type}, ${source}, ${target}, ${propertiesOf(cg, environment, item.properties)})`;
  }
  const created = cg.f.local('rel', creation);
  const facts = { typeCode: cg.f.local('rt', `${created}.type`), rowCode: cg.f.local('rr', `${created}.row`), type: null, source, target };
  return relationship(facts, false);
}

function areNames(labels: readonly (string | PlanExpression)[]): labels is readonly string[] {
  return labels.every((label) => typeof label === 'string');
}

/** Returns a local with the form of a creation: its labels or type, and its keys, which are looked up once for all rows. */
function creationForm(cg: Codegen, names: readonly string[], keys: readonly string[]): string {
  const [namesCode, keysCode] = [cg.constant(names), cg.constant(keys)];
  return cg.f.hoist(`creation:${namesCode}:${keysCode}`, 'form', `writes.creationForm(${namesCode}, ${keysCode})`);
}

function endpoint(cg: Codegen, environment: Environment, name: string): string {
  return nodeOf(cg, environment, name)?.code ?? '-1';
}

/** Returns the keys of a map literal, or of no map, and JavaScript for a list of their values; null for any other expression. */
function writtenProperties(
  cg: Codegen,
  environment: Environment,
  properties: PlanExpression | null,
): { readonly keys: readonly string[]; readonly values: string } | null {
  if (properties === null) return { keys: [], values: '[]' };
  if (properties.kind !== 'map') return null;
  // As in any map, the last of those with the same key counts.
  const entries = [...new Map(properties.entries.map((entry) => [entry.key, entry])).values()];
  const values = entries.map(({ value }) => toValue(compileExpression(cg, environment, value)));
  return { keys: entries.map(({ key }) => key), values: `[${values.join(', ')}]` };
}

/** Returns JavaScript for two arguments, keys and values. An expression that is no map literal is split into them when the code runs. */
function propertiesOf(cg: Codegen, environment: Environment, properties: PlanExpression | null): string {
  const written = writtenProperties(cg, environment, properties);
  if (written !== null) return `${cg.constant(written.keys)}, ${written.values}`;
  const map = cg.f.local('map', `writes.propertyMap(${compileValue(cg, environment, properties!)})`);
  return `[...${map}.keys()], [...${map}.values()]`;
}

/** Writes MERGE. */
export function produceMerge(cg: Codegen, merge: Merge, outer: Environment, needed: Needed, consume: Consume): void {
  const below = withNames(needed, merge.match, merge.create, merge.path, merge.onCreate, merge.onMatch);
  produce(cg, merge.input, outer, below, (environment) => {
    const wanted = new Set(merge.variables);
    checkMergeProperties(cg, environment, merge.create);
    const rows = cg.f.local('rows', '[]');
    cg.holds();
    const created = cg.f.variable('created', 'false');
    let stored: StoredRow | null = null;
    const keep = (inner: Environment): void => {
      stored = storeRow(cg, dynamic(inner, wanted), new Map(), wanted);
      cg.f.emit(`${rows}.push([${stored.fields.join(', ')}]);`);
      cg.f.emit(`if ((${rows}.length & 255) === 0) memory.hold(256 * ${40 + 24 * stored.fields.length});`);
    };
    produce(cg, merge.match, environment, wanted, keep);
    cg.f.open(`if (${rows}.length === 0) {`);
    cg.f.emit(`${created} = true;`);
    keep(createItems(cg, merge.create, environment));
    cg.f.close();
    const row = cg.f.fresh('row');
    cg.f.open(`for (const ${row} of ${rows}) {`);
    cg.work('1');
    const bound = withPath(cg, (stored as StoredRow | null)!.load(row, environment), merge);
    setWhen(cg, created, merge.onCreate, bound);
    setWhen(cg, `!${created}`, merge.onMatch, bound);
    consume(bound);
    cg.f.close();
  });
}

function withPath(cg: Codegen, environment: Environment, { path }: Merge): Environment {
  return path === null ? environment : new Map(environment).set(path.variable, compilePathBuild(cg, environment, path.expression.elements));
}

/** Brings the variables of a match and of a creation into one form. */
function dynamic(environment: Environment, names: Needed): Environment {
  const result = new Map<string, Typed>();
  for (const name of [...names].sort()) {
    const typed = environment.get(name);
    if (typed === undefined) continue;
    if (typed.type === 'node') result.set(name, node(typed.code, false));
    else if (typed.type === 'relationship') result.set(name, relationship({ ...typed.relationship!, type: null }, false));
    else result.set(name, any(toValue(typed)));
  }
  return result;
}

/** Writes the check that no property that a MERGE would match and create is null. */
function checkMergeProperties(cg: Codegen, environment: Environment, items: readonly CreateItem[]): void {
  for (const item of items) {
    if (item.properties === null) continue;
    cg.f.emit(`checkMergeProperties(${compileValue(cg, environment, item.properties)});`);
  }
}

function setWhen(cg: Codegen, condition: string, items: readonly SetItem[], environment: Environment): void {
  if (items.length === 0) return;
  cg.f.open(`if (${condition}) {`);
  for (const item of items) setItem(cg, environment, item);
  cg.f.close();
}

/** Writes SET. */
export function produceSet(cg: Codegen, set: SetProperties, outer: Environment, needed: Needed, consume: Consume): void {
  produce(cg, set.input, outer, withNames(needed, set.items), (environment) => {
    cg.work('1');
    for (const [i, item] of set.items.entries()) {
      countItem(cg, i);
      setItem(cg, environment, item);
    }
    consume(environment);
  });
}

function setItem(cg: Codegen, environment: Environment, item: SetItem): void {
  switch (item.kind) {
    case 'setProperty': {
      const target = compileValue(cg, environment, item.target.subject);
      const key = propertyKey(cg, environment, item.target);
      cg.f.emit(`writes.setProperty(${target}, ${key}, ${compileValue(cg, environment, item.value)});`);
      break;
    }
    case 'setAll': {
      const target = compileValue(cg, environment, item.variable);
      const many = cg.f.local('many', `writes.setAll(${target}, ${compileValue(cg, environment, item.value)}, ${item.merge})`);
      cg.f.emit(`if (${many} !== null) yield* writes.setMany(${target}, ${many});`);
      break;
    }
    case 'setLabels':
      cg.f.emit(`writes.setLabels(${compileValue(cg, environment, item.variable)}, ${labelNames(cg, environment, item.labels)});`);
      break;
    default:
      unreachable(item, 'SET item');
  }
}

function propertyKey(
  cg: Codegen,
  environment: Environment,
  target: { kind: 'property'; key: string } | { kind: 'index'; index: Expression },
): string {
  return target.kind === 'property' ? cg.constant(target.key) : `propertyName(${compileValue(cg, environment, target.index)})`;
}

function labelNames(cg: Codegen, environment: Environment, labels: readonly (string | PlanExpression)[]): string {
  const names = labels.map((label) => (typeof label === 'string' ? cg.constant(label) : compileValue(cg, environment, label)));
  return `namesOfLabels([${names.join(', ')}])`;
}

/** Writes REMOVE. */
export function produceRemove(cg: Codegen, remove: RemoveItems, outer: Environment, needed: Needed, consume: Consume): void {
  produce(cg, remove.input, outer, withNames(needed, remove.items), (environment) => {
    cg.work('1');
    for (const item of remove.items) removeItem(cg, environment, item);
    consume(environment);
  });
}

function removeItem(cg: Codegen, environment: Environment, item: RemoveItem): void {
  if (item.kind === 'removeProperty') {
    const target = compileValue(cg, environment, item.target.subject);
    cg.f.emit(`writes.setProperty(${target}, ${propertyKey(cg, environment, item.target)}, null);`);
    return;
  }
  cg.f.emit(`writes.removeLabels(${compileValue(cg, environment, item.variable)}, ${labelNames(cg, environment, item.labels)});`);
}

/** Writes DELETE. */
export function produceDelete(cg: Codegen, remove: Delete, outer: Environment, needed: Needed, consume: Consume): void {
  produce(cg, remove.input, outer, withNames(needed, ...remove.expressions), (environment) => {
    for (const expression of remove.expressions) deleteOne(cg, compileExpression(cg, environment, expression), remove.detach);
    consume(environment);
  });
}

function deleteOne(cg: Codegen, typed: Typed, detach: boolean): void {
  if (detach) cg.holds();
  if (typed.type !== 'node') {
    cg.f.emit(`yield* writes.delete(${toValue(typed)}, ${detach});`);
    return;
  }
  cg.work('1');
  const deletion = `writes.deleteNodeAtOnce(${typed.code}, ${detach})`;
  const many = cg.f.local('many', typed.valid === null ? deletion : `${typed.valid} ? ${deletion} : null`);
  if (detach) cg.f.emit(`if (${many} !== null) yield* writes.deleteNodeWith(${typed.code}, ${many});`);
}

/** Writes FOREACH. */
export function produceForeach(cg: Codegen, foreach: Foreach, outer: Environment, needed: Needed, consume: Consume): void {
  produce(cg, foreach.input, outer, withNames(needed, foreach.list, foreach.plan), (environment) => {
    const element = openElements(cg, foreach.list, environment);
    cg.work('1');
    produce(cg, foreach.plan, new Map(environment).set(foreach.variable, element), new Set(), () => undefined);
    cg.f.close();
    consume(environment);
  });
}

/** Writes the end of a statement without rows. */
export function produceEmptyResult(cg: Codegen, empty: EmptyResult, outer: Environment): void {
  produce(cg, empty.input, outer, new Set(), () => undefined);
}
