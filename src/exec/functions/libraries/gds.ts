/** The functions of Neo4j's Graph Data Science library. */
import type { gdsFacts } from '../../../functions/index.ts';
import { isInteger, isNumber, NodeValue, toNumber, type Value } from '../../../value/index.ts';
import { wrongArgument } from '../arguments.ts';
import type { Implementations } from '../definition.ts';

/** The release whose names, configuration and columns procedures and functions have. */
export const GDS_VERSION = '2.13.2';
const NODE_LIMIT = 2 ** 32;

function node(name: 'gds.util.asNode' | 'gds.util.asNodes', value: Value): NodeValue {
  if (!isInteger(value) || value < 0 || value >= NODE_LIMIT) throw wrongArgument(name, 'the number of a node', value);
  return new NodeValue(Number(value));
}

export const gdsFunctions: Implementations<typeof gdsFacts> = {
  'gds.version': () => GDS_VERSION,
  'gds.util.asNode': (_, value) => node('gds.util.asNode', value),
  'gds.util.asNodes': (_, values) => {
    if (!Array.isArray(values)) throw wrongArgument('gds.util.asNodes', 'a List of numbers of nodes', values);
    return values.map((each) => node('gds.util.asNodes', each));
  },
  'gds.util.NaN': () => Number.NaN,
  'gds.util.infinity': () => Number.POSITIVE_INFINITY,
  'gds.util.isFinite': (_, value) => {
    if (!isNumber(value)) throw wrongArgument('gds.util.isFinite', 'a number', value);
    return Number.isFinite(toNumber(value));
  },
};
