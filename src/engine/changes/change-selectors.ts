/**
 * The selectors of db.cdc.query: a change is wanted if at least one selector accepts it, or if there are no selectors.
 * Names and meanings are those of Neo4j.
 */
import { isSameValue } from '../../graph/index.ts';
import { argumentFault, equals, quoted, type Value, type ValueMap } from '../../value/index.ts';

/** Returns whether the change with this metadata and event is wanted. */
export type ChangeFilter = (metadata: ValueMap, event: ValueMap) => boolean;

type Test = (value: Value) => ChangeFilter;

const ENTITIES: Readonly<Record<string, string | null>> = { e: null, n: 'n', r: 'r' };

/** Fields that a selector of any entity may have, each with its test. */
const COMMON: Readonly<Record<string, Test>> = {
  operation: (wanted) => {
    if (wanted !== 'c' && wanted !== 'u' && wanted !== 'd') throw fault('operation', 'c, u or d');
    return (_, event) => event.get('operation') === wanted;
  },
  changesTo: (wanted) => {
    const keys = textsOf('changesTo', wanted);
    return (_, event) => keys.every((key) => hasChanged(event, key));
  },
  executingUser: (wanted) => (metadata) => metadata.get('executingUser') === wanted,
  authenticatedUser: (wanted) => (metadata) => metadata.get('authenticatedUser') === wanted,
  txMetadata: (wanted) => {
    const expected = mapOf('txMetadata', wanted);
    return (metadata) => holdsAll(metadata.get('txMetadata') ?? null, expected);
  },
};

const elementId: Test = (wanted) => (_, event) => event.get('elementId') === wanted;

const NODES: Readonly<Record<string, Test>> = {
  ...COMMON,
  elementId,
  labels: (wanted) => {
    const labels = textsOf('labels', wanted);
    return (_, event) => [stateOf(event, 'before'), stateOf(event, 'after')].some((state) => hasLabels(state, labels));
  },
  key: (wanted) => {
    const expected = mapOf('key', wanted);
    return (_, event) => nodeHasKey(event, expected);
  },
};

const RELATIONSHIPS: Readonly<Record<string, Test>> = {
  ...COMMON,
  elementId,
  type: (wanted) => (_, event) => event.get('type') === wanted,
  key: (wanted) => {
    const expected = mapOf('key', wanted);
    return (_, event) => listOf(event.get('keys')).some((key) => holdsAll(key, expected));
  },
  start: (wanted) => endTest('start', wanted),
  end: (wanted) => endTest('end', wanted),
};

const FIELDS: Readonly<Record<string, Readonly<Record<string, Test>>>> = { e: COMMON, n: NODES, r: RELATIONSHIPS };

/** Returns the filter for these selectors. @throws ARGUMENT_ERROR if a selector is malformed or has an unknown field. */
export function filterOf(selectors: readonly Value[]): ChangeFilter {
  const filters = selectors.map(selectorOf);
  return filters.length === 0 ? () => true : (metadata, event) => filters.some((filter) => filter(metadata, event));
}

function selectorOf(selector: Value): ChangeFilter {
  const given = mapOf('selectors', selector);
  const select = given.get('select');
  if (typeof select !== 'string' || !Object.hasOwn(FIELDS, select)) throw fault('select', 'e, n or r');
  const type = ENTITIES[select] ?? null;
  const tests = [...given]
    .filter(([name, value]) => name !== 'select' && value !== null)
    .map(([name, value]) => testOf(select, name, value));
  return (metadata, event) => (type === null || event.get('eventType') === type) && tests.every((test) => test(metadata, event));
}

function testOf(select: string, name: string, value: Value): ChangeFilter {
  const fields = FIELDS[select]!;
  if (Object.hasOwn(fields, name)) return fields[name]!(value);
  throw argumentFault(`a selector of ${quoted(select)} knows no ${quoted(name)}; it knows ${Object.keys(fields).join(', ')}`);
}

/** Tests the node at one end of a relationship: its elementId, labels and key. */
function endTest(end: 'start' | 'end', wanted: Value): ChangeFilter {
  const tests = [...mapOf(end, wanted)]
    .filter(([name, value]) => name !== 'select' && value !== null)
    .map(([name, value]): ((node: ValueMap) => boolean) => {
      if (name === 'elementId') return (node) => node.get('elementId') === value;
      if (name === 'labels') {
        const labels = textsOf('labels', value);
        return (node) => hasLabels(node, labels);
      }
      if (name === 'key') {
        const expected = mapOf('key', value);
        return (node) => nodeHasKey(node, expected);
      }
      throw argumentFault(`${quoted(end)} of a selector knows no ${quoted(name)}; it knows elementId, labels, key`);
    });
  return (_, event) => {
    const node = event.get(end);
    return node instanceof Map && tests.every((test) => test(node));
  };
}

function stateOf(event: ValueMap, which: 'before' | 'after'): Value {
  const state = event.get('state');
  return state instanceof Map ? (state.get(which) ?? null) : null;
}

function hasLabels(state: Value, labels: readonly string[]): boolean {
  if (!(state instanceof Map)) return false;
  const there = listOf(state.get('labels'));
  return labels.every((label) => there.includes(label));
}

function nodeHasKey(node: ValueMap, expected: ValueMap): boolean {
  const keys = node.get('keys');
  return keys instanceof Map && [...keys.values()].some((list) => listOf(list).some((key) => holdsAll(key, expected)));
}

function hasChanged(event: ValueMap, key: string): boolean {
  const valueOf = (which: 'before' | 'after'): Value => {
    const state = stateOf(event, which);
    const properties = state instanceof Map ? state.get('properties') : null;
    return properties instanceof Map ? (properties.get(key) ?? null) : null;
  };
  return !isSameValue(valueOf('before'), valueOf('after'));
}

function holdsAll(value: Value, expected: ValueMap): boolean {
  return value instanceof Map && [...expected].every(([key, wanted]) => equals(value.get(key) ?? null, wanted) === true);
}

function listOf(value: Value | undefined): readonly Value[] {
  return Array.isArray(value) ? value : [];
}

function mapOf(name: string, value: Value): ValueMap {
  if (!(value instanceof Map)) throw fault(name, name === 'selectors' ? 'maps' : 'a map');
  return value;
}

function textsOf(name: string, value: Value): readonly string[] {
  if (!Array.isArray(value) || !value.every((each) => typeof each === 'string')) throw fault(name, 'a list of strings');
  return value;
}

function fault(name: string, expected: string): Error {
  return argumentFault(`${quoted(name)} of a selector takes ${expected}`);
}
