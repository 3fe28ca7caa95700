/** The request of a native projection, read from the forms in which users write it: names, lists of names, and maps. */
import { argumentFault, isNumber, quoted, toNumber, typeFault, typeName, type Value } from '../../value/index.ts';
import { AGGREGATIONS, type Aggregation } from '../graph/build-relationships.ts';
import type { Orientation } from '../graph/projected-graph.ts';

/** A property that a projection asks for. */
export interface PropertyRequest {
  /** The name in the projected graph. */
  readonly name: string;
  /** The property key in the database; `*`: relationships are counted. */
  readonly key: string;
  /** The value of an entity of the label or type that has none; null: NaN, or an empty list. */
  readonly defaultValue: number | readonly number[] | null;
  readonly aggregation: Aggregation | null;
}

/** A label that a projection asks for. */
export interface LabelRequest {
  readonly name: string;
  /** The label in the database; null: all nodes, with or without labels. */
  readonly label: string | null;
  readonly properties: readonly PropertyRequest[];
}

/** A relationship type that a projection asks for. */
export interface TypeRequest {
  readonly name: string;
  /** The type in the database; null: relationships of any type. */
  readonly type: string | null;
  readonly orientation: Orientation;
  readonly aggregation: Aggregation;
  readonly properties: readonly PropertyRequest[];
}

/** A native projection as it was asked for. */
export interface ProjectionRequest {
  readonly nodes: readonly LabelRequest[];
  readonly relationships: readonly TypeRequest[];
}

/** The name that stands for all labels, or all types, in a projected graph. */
export const ALL = '__ALL__';
const ORIENTATIONS: readonly Orientation[] = ['NATURAL', 'REVERSE', 'UNDIRECTED'];

/** Reads a projection request. @throws TYPE_ERROR for a value of the wrong form, ARGUMENT_ERROR for a word that is not known */
export function projectionRequest(nodes: Value, relationships: Value, configuration: ReadonlyMap<string, Value>): ProjectionRequest {
  const nodeProperties = propertyRequests('nodeProperties', configuration.get('nodeProperties') ?? null);
  const relationshipProperties = propertyRequests('relationshipProperties', configuration.get('relationshipProperties') ?? null);
  const labels = entries('nodeProjection', nodes).map(([name, body]): LabelRequest => {
    const map = bodyOf('nodeProjection', name, body, ['label', 'properties']);
    const label = text('label', map.get('label') ?? name);
    const own = propertyRequests('properties', map.get('properties') ?? null);
    return { name: name === '*' ? ALL : name, label: label === '*' ? null : label, properties: [...nodeProperties, ...own] };
  });
  const types = entries('relationshipProjection', relationships).map(([name, body]): TypeRequest => {
    const map = bodyOf('relationshipProjection', name, body, ['type', 'orientation', 'aggregation', 'properties', 'indexInverse']);
    const type = text('type', map.get('type') ?? name);
    const orientation = word('orientation', map.get('orientation') ?? 'NATURAL', ORIENTATIONS);
    const aggregation = aggregationOf(map.get('aggregation') ?? 'NONE');
    const properties = [...relationshipProperties, ...propertyRequests('properties', map.get('properties') ?? null)];
    const request = { name: name === '*' ? ALL : name, type: type === '*' ? null : type, orientation, aggregation, properties };
    checkAggregations(request);
    return request;
  });
  if (labels.length === 0) throw argumentFault('An empty node projection was given; at least one node label must be projected.');
  return { nodes: labels, relationships: types };
}

function checkAggregations({ properties, aggregation }: TypeRequest): void {
  const kinds = properties.map((each) => each.aggregation ?? aggregation);
  if (kinds.includes('NONE') && kinds.some((kind) => kind !== 'NONE'))
    throw argumentFault('Conflicting relationship property aggregations, it is not allowed to mix `NONE` with aggregations.');
}

function entries(what: string, value: Value): [string, Value][] {
  if (typeof value === 'string') return [[value, null]];
  if (value instanceof Map) return [...value];
  if (Array.isArray(value)) return value.flatMap((each) => entries(what, each));
  throw typeFault(`The value of \`${what}\` must be of type \`String\`, \`List\` or \`Map\` but was \`${typeName(value)}\`.`);
}

function bodyOf(what: string, name: string, body: Value, keys: readonly string[]): ReadonlyMap<string, Value> {
  if (name.trim() === '') throw argumentFault(`a name in \`${what}\` is not blank`);
  if (body === null) return new Map();
  if (typeof body === 'string') return new Map([[keys[0]!, body]]);
  if (!(body instanceof Map)) throw typeFault(`${quoted(name)} in \`${what}\` is described by a Map, not by \`${typeName(body)}\``);
  const unknown = [...body.keys()].filter((key) => !keys.includes(key));
  if (unknown.length > 0) throw argumentFault(`Unexpected configuration key${unknown.length === 1 ? '' : 's'}: ${unknown.join(', ')}`);
  return body;
}

function propertyRequests(what: string, value: Value): PropertyRequest[] {
  if (value === null) return [];
  if (typeof value === 'string') return [{ name: value, key: value, defaultValue: null, aggregation: null }];
  if (Array.isArray(value)) return value.flatMap((each) => propertyRequests(what, each));
  if (!(value instanceof Map))
    throw typeFault(`The value of \`${what}\` must be of type \`String\`, \`List\` or \`Map\` but was \`${typeName(value)}\`.`);
  return [...value].map(([name, body]): PropertyRequest => {
    const map = bodyOf(what, name, body, ['property', 'defaultValue', 'aggregation']);
    const aggregation = map.get('aggregation');
    return {
      name,
      key: text('property', map.get('property') ?? name),
      defaultValue: defaultOf(map.get('defaultValue') ?? null),
      aggregation: aggregation === undefined ? null : aggregationOf(aggregation),
    };
  });
}

function defaultOf(value: Value): PropertyRequest['defaultValue'] {
  if (value === null) return null;
  if (isNumber(value)) return toNumber(value);
  if (Array.isArray(value) && value.every(isNumber)) return value.map((each) => toNumber(each));
  throw typeFault(`a \`defaultValue\` is a number or a List of numbers, not \`${typeName(value)}\``);
}

function text(what: string, value: Value): string {
  if (typeof value === 'string') return value;
  throw typeFault(`The value of \`${what}\` must be of type \`String\` but was \`${typeName(value)}\`.`);
}

function word<Word extends string>(what: string, value: Value, words: readonly Word[]): Word {
  const found = words.find((each) => each === text(what, value).toUpperCase());
  if (found !== undefined) return found;
  throw argumentFault(`${what} \`${String(value)}\` is not supported. Must be one of: [${words.map((each) => `'${each}'`).join(', ')}].`);
}

function aggregationOf(value: Value): Aggregation {
  const isDefault = typeof value === 'string' && value.toUpperCase() === 'DEFAULT';
  return isDefault ? 'NONE' : word('aggregation', value, AGGREGATIONS);
}
