/**
 * Writes clauses that create many items whose names and values are all literals or parameters: as a loop over a table
 * of the items, in place of lines for each of them.
 */
import type { CreateNode, CreateRelationship, PlanExpression } from '../../plan/index.ts';
import type { CreationItem } from '../runtime/creations.ts';
import type { KnownValue } from '../runtime/known-values.ts';
import type { Codegen, Environment } from './codegen.ts';
import { nodeOf } from './environment.ts';
import { knownValue } from './known-values.ts';
import { node, relationship } from './typed.ts';

/** The least number of items for which a table is used: fewer are faster by lines of their own. */
const MANY_ITEMS = 64;
/** Items that are created between two points at which the statement can yield the thread. */
const ITEMS_TOGETHER = 8;

/**
 * Writes the creation of the items from a table, and returns the environment with those of their variables that are
 * needed. Returns null, with nothing written, when the items are few, or one of them depends on the row.
 */
export function createMany(
  cg: Codegen,
  items: readonly (CreateNode | CreateRelationship)[],
  environment: Environment,
  needed: ReadonlySet<string>,
): Environment | null {
  if (items.length < MANY_ITEMS) return null;
  const table = tableOf(items);
  if (table === null) return null;
  const brought = table.brought.map((name) => nodeOf(cg, environment, name)?.code ?? '-1');
  const { f } = cg;
  const creations = f.hoist(`creations:${cg.constant(table.items)}`, 'creations', `rt.creations(${cg.constant(table.items)})`);
  const created = f.local('created', `${creations}.begin([${brought.join(', ')}])`);
  const place = f.fresh('i');
  f.open(`for (let ${place} = 0; ${place} < ${items.length}; ${place} += ${ITEMS_TOGETHER}) {`);
  cg.work(`${ITEMS_TOGETHER}`);
  f.emit(`${created}.create(${place}, ${place} + ${ITEMS_TOGETHER});`);
  f.close();
  return withCreated(cg, { items, created, needed }, environment);
}

interface Bound {
  readonly items: readonly (CreateNode | CreateRelationship)[];
  /** The local with the created items of the row. */
  readonly created: string;
  readonly needed: ReadonlySet<string>;
}

function withCreated(cg: Codegen, { items, created, needed }: Bound, environment: Environment): Environment {
  const bound = new Map(environment);
  const nodeAt = (place: number) => node(cg.f.local('n', `${created}.nodes[${place}]`), false);
  const places = new Map(items.map((item, place) => [item.variable, place]));
  const end = (name: string) => {
    const place = places.get(name);
    return place === undefined ? (nodeOf(cg, environment, name)?.code ?? '-1') : `${created}.nodes[${place}]`;
  };
  for (const [place, item] of items.entries()) {
    if (!needed.has(item.variable)) continue;
    if (item.kind === 'createNode') bound.set(item.variable, nodeAt(place));
    else {
      const value = `${created}.relationships[${place}]`;
      const facts = { typeCode: cg.f.local('rt', `${value}.type`), rowCode: cg.f.local('rr', `${value}.row`), type: null };
      bound.set(item.variable, relationship({ ...facts, source: end(item.source), target: end(item.target) }, false));
    }
  }
  return bound;
}

/**
 * Returns the items in the form that the runtime takes, and the variables of nodes that relationships begin or end at
 * and that the clause does not create; null when an item depends on the row.
 */
function tableOf(items: readonly (CreateNode | CreateRelationship)[]): { items: CreationItem[]; brought: string[] } | null {
  const places = new Map<string, number>();
  const brought: string[] = [];
  const placeOf = (name: string): number => {
    let place = places.get(name);
    if (place === undefined) {
      place = items.length + brought.push(name) - 1;
      places.set(name, place);
    }
    return place;
  };
  const table: CreationItem[] = [];
  for (const [place, item] of items.entries()) {
    const names = item.kind === 'createNode' ? item.labels : [item.type];
    const properties = knownProperties(item.properties);
    if (properties === null || !names.every((name) => typeof name === 'string')) return null;
    const ends = item.kind === 'createNode' ? null : ([placeOf(item.source), placeOf(item.target)] as const);
    if (ends === null) places.set(item.variable, place);
    table.push({ names, ...properties, ends });
  }
  return { items: table, brought };
}

/** Returns the keys and values of a map of literals and parameters, or of no map; null for any other expression. */
function knownProperties(properties: PlanExpression | null): Pick<CreationItem, 'keys' | 'values'> | null {
  if (properties === null) return { keys: [], values: [] };
  if (properties.kind !== 'map') return null;
  // As in any map, the last of those with the same key counts.
  const entries = new Map<string, KnownValue>();
  for (const { key, value } of properties.entries) {
    const known = knownValue(value);
    if (known === null) return null;
    entries.set(key, known);
  }
  return { keys: [...entries.keys()], values: [...entries.values()] };
}
