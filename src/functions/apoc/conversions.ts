/** Facts of `apoc.convert.*`, `apoc.json.*`, and of functions that check or identify values. */
import type { FunctionTable } from '../facts.ts';
import { optional, PURE, parameter } from '../parameters.ts';
import { propagating, takingNulls } from './rows.ts';

const row = takingNulls('Scalar');
const strict = propagating('Scalar');
const value = parameter('value', 'Any');
const json = parameter('json', 'String');
const path = optional('path', 'String');
const ofJson = { linearIn: ['json'] } as const;

/** The facts of `apoc.convert.*`, `apoc.json.*`, and of functions that check or identify values. */
export const conversionsFacts = {
  'apoc.convert.fromJsonList': strict([json, path], 'List', ofJson, 'The List that a text in JSON holds, at a path such as $.a[0].'),
  'apoc.convert.fromJsonMap': strict([json, path], 'Map', ofJson, 'The Map that a text in JSON holds, at a path such as $.a[0].'),
  'apoc.convert.toJson': row([value], 'String', { deepIn: ['value'] }, 'The value as a text in JSON.'),
  'apoc.convert.toList': strict(
    [value],
    'List',
    { linearIn: ['value'] },
    'The list itself, the nodes and relationships of a path, or a list of any other value.',
  ),
  'apoc.convert.toMap': {
    ...PURE,
    reads: 'properties',
    parameters: [value],
    returns: 'Map',
    cost: { linearIn: ['value'] },
    category: 'Scalar',
    description: 'The properties of a node or relationship, a map itself, or what a text in JSON holds.',
  },
  'apoc.json.path': strict([json, path], 'Any', ofJson, 'What a text in JSON holds at a path such as $.a[0].'),
  'apoc.create.uuid': { ...row([], 'String', 'constant', 'A random UUID.'), determinism: 'random' },
  'apoc.util.validatePredicate': row(
    [parameter('predicate', 'Boolean'), parameter('message', 'String'), parameter('params', 'List')],
    'Boolean',
    { linearIn: ['message'] },
    'True, or an error with the message where the predicate is true; %s and %d in it stand for the parameters.',
  ),
  'apoc.version': row([], 'String', 'constant', 'The version of APOC whose functions are here.'),
} as const satisfies FunctionTable;
