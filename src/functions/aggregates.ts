/** Facts of aggregates. `count(*)` is not in the table, since it takes no value: it has a syntax of its own, and the state of `count`. */
import type { AggregateTable } from './facts.ts';
import { checkedWhenCalled, optional, parameter } from './parameters.ts';

const INPUT = parameter('input', 'Any');
const NUMBER = checkedWhenCalled(parameter('input', 'Number'));
const SUMMAND = checkedWhenCalled(parameter('input', 'Number', 'Duration'));
const PERCENTILE = checkedWhenCalled(parameter('percentile', 'Number'));

/** The facts of aggregates. */
export const aggregateFacts = {
  count: {
    parameters: [INPUT],
    returns: 'Integer',
    keeps: 'numbers',
    combines: 'sum',
    countsDuplicates: true,
    description: 'The number of values that are not null.',
  },
  sum: {
    parameters: [SUMMAND],
    returns: 'Any',
    infers: 'sum',
    keeps: 'numbers',
    combines: 'sum',
    countsDuplicates: true,
    description: 'The sum, 0 for none.',
  },
  avg: {
    parameters: [SUMMAND],
    returns: 'Any',
    keeps: 'numbers',
    combines: 'mean',
    countsDuplicates: true,
    description: 'The mean, null for none.',
  },
  min: {
    parameters: [INPUT],
    returns: 'Any',
    infers: 'first',
    keeps: 'value',
    combines: 'min',
    countsDuplicates: false,
    description: 'The smallest value in the order of ORDER BY.',
  },
  max: {
    parameters: [INPUT],
    returns: 'Any',
    infers: 'first',
    keeps: 'value',
    combines: 'max',
    countsDuplicates: false,
    description: 'The largest value in the order of ORDER BY.',
  },
  collect: {
    parameters: [INPUT],
    returns: 'List',
    infers: 'listOfFirst',
    keeps: 'values',
    combines: null,
    countsDuplicates: true,
    description: 'The values as a list.',
  },
  stDev: {
    parameters: [NUMBER],
    returns: 'Float',
    keeps: 'numbers',
    combines: null,
    countsDuplicates: true,
    description: 'The standard deviation of a sample.',
  },
  stDevP: {
    parameters: [NUMBER],
    returns: 'Float',
    keeps: 'numbers',
    combines: null,
    countsDuplicates: true,
    description: 'The standard deviation of a population.',
  },
  percentileCont: {
    parameters: [NUMBER, PERCENTILE],
    returns: 'Float',
    infers: 'unknown',
    keeps: 'values',
    combines: null,
    countsDuplicates: true,
    description: 'The percentile, interpolated between values.',
  },
  percentileDisc: {
    parameters: [NUMBER, PERCENTILE],
    returns: 'Number',
    infers: 'unknown',
    keeps: 'values',
    combines: null,
    countsDuplicates: true,
    description: 'The percentile, as one of the values.',
  },
  'gds.graph.project': {
    parameters: [
      checkedWhenCalled(parameter('graphName', 'String')),
      checkedWhenCalled(parameter('sourceNode', 'Node', 'Integer')),
      checkedWhenCalled(optional('targetNode', 'Node', 'Integer')),
      checkedWhenCalled(optional('dataConfig', 'Map')),
      checkedWhenCalled(optional('configuration', 'Map')),
    ],
    returns: 'Map',
    infers: 'unknown',
    keeps: 'values',
    combines: null,
    countsDuplicates: true,
    usesCatalog: true,
    description: 'Projects a graph of the rows into the catalog: a node or a relationship for each row.',
  },
} as const satisfies AggregateTable;
