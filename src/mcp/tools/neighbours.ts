/** The tool that looks around a node: its relationships and the nodes at their other ends. */
import { GraphDBError } from '../../base/index.ts';
import type { Value } from '../../value/index.ts';
import { runRead } from './cypher.ts';
import { quotedName } from './quoted-name.ts';
import type { Arguments, Tool } from './tool.ts';

const ARROWS: Readonly<Record<string, readonly [string, string]>> = { outgoing: ['-', '->'], incoming: ['<-', '-'], both: ['-', '-'] };

/** The tool that shows the neighbourhood of a node. */
export const neighbours: Tool = {
  name: 'neighbours',
  title: 'Look around a node',
  description:
    'Answers the relationships of one node and the nodes at their other ends. The node is named by its element id (as ' +
    'elementId(n) tells it), or by a label, a property and its value. One row for each relationship.',
  arguments: {
    id: { type: 'string', description: 'The element id of the node.', optional: true },
    label: { type: 'string', description: 'A label of the node, where no id is given.', optional: true },
    property: { type: 'string', description: 'A property that tells it from others, such as a key.', optional: true },
    value: { type: 'any', description: 'The value of that property.', optional: true },
    direction: { type: 'string', description: 'Of the relationships, seen from the node.', default: 'both', oneOf: Object.keys(ARROWS) },
    types: { type: 'strings', description: 'Only relationships of these types; absent: of all.', default: [] },
    max_rows: { type: 'integer', description: 'The most relationships that are answered.', default: 50, min: 1, max: 1_000 },
  },
  writes: false,
  call(given, context) {
    const { match, params } = nodeOf(given);
    const [left, right] = ARROWS[String(given.get('direction'))]!;
    const types = (given.get('types') as readonly string[]).map(quotedName).join('|'); // as: texts, checked
    const pattern = `(n)${left}[r${types === '' ? '' : `:${types}`}]${right}(m)`;
    const query =
      `${match} MATCH ${pattern} RETURN elementId(n) AS node, type(r) AS type, CASE WHEN startNode(r) = n THEN ` +
      `'outgoing' ELSE 'incoming' END AS direction, properties(r) AS relationship, elementId(m) AS neighbour, labels(m) AS ` +
      'labels, properties(m) AS properties';
    return runRead(query, params, { context, mostRows: given.get('max_rows') as number }); // as: an integer, checked
  },
};

function nodeOf(given: Arguments): { readonly match: string; readonly params: ReadonlyMap<string, Value> } {
  const [id, label, property, value] = ['id', 'label', 'property', 'value'].map((name) => given.get(name) ?? null);
  if (typeof id === 'string') return { match: 'MATCH (n) WHERE elementId(n) = $id', params: new Map([['id', id]]) };
  if (typeof label !== 'string' || typeof property !== 'string' || value === null || value === undefined) {
    throw new GraphDBError('ARGUMENT_ERROR', 'give an id, or a label, a property and its value');
  }
  return { match: `MATCH (n:${quotedName(label)}) WHERE n.${quotedName(property)} = $value`, params: new Map([['value', value]]) };
}
