/** The procedures of each algorithm, made from its record: `stream`, `stats`, `mutate` and `write`, and an estimate for each. */
import {
  type Algorithm,
  algorithms,
  LEAST_BYTES_PER_NODE,
  type Mode,
  type Outcome,
  type Pieces,
  type ProjectedGraph,
  readConfiguration,
  type Selection,
  type Size,
  select,
  selectionBytes,
  type Topology,
  type Work,
} from '../../../algorithms/index.ts';
import { argumentFault, typeFault, typeName, type Value, type ValueMap } from '../../../value/index.ts';
import type { Procedure, ProcedureField, RowBatch } from '../../runtime/procedure.ts';
import type { ProcedureContext } from '../../runtime/procedure-context.ts';
import { fieldsOf } from './algorithm-fields.ts';
import { ESTIMATE_OUTPUTS, estimateRow, sumOf } from './estimates.ts';
import { checkWritable, graphOf, leastRequested, requestedBytes, sizeOf } from './graph-argument.ts';
import { mutate, mutateBytes } from './mutate.ts';
import { openForWriting } from './open-parts.ts';
import type { GraphSize } from './projection-size.ts';
import { streamRows } from './stream-rows.ts';
import { beginTask } from './task.ts';
import { write } from './write-back.ts';

type Rows = Generator<readonly Value[] | RowBatch | null>;

const INPUTS: Procedure['inputs'] = [
  { name: 'graphName', type: 'ANY' },
  { name: 'configuration', type: 'MAP', default: new Map() },
];

const TIMES: readonly ProcedureField[] = [
  { name: 'preProcessingMillis', type: 'INTEGER' },
  { name: 'computeMillis', type: 'INTEGER' },
  { name: 'postProcessingMillis', type: 'INTEGER' },
];
const CONFIGURATION: ProcedureField = { name: 'configuration', type: 'MAP' };

const NODE_ID: ProcedureField = { name: 'nodeId', type: 'INTEGER' };
const PAIR: readonly ProcedureField[] = [
  { name: 'node1', type: 'INTEGER' },
  { name: 'node2', type: 'INTEGER' },
  { name: 'similarity', type: 'FLOAT' },
];

function outputsOf({ kind, columns, summary }: Algorithm, mode: Mode): readonly ProcedureField[] {
  if (mode === 'stream') return kind === 'nodes' ? [NODE_ID, ...columns] : kind === 'pairs' && columns.length === 0 ? PAIR : columns;
  if (mode === 'stats') return [...summary, ...TIMES, CONFIGURATION];
  const written = { name: kind === 'nodes' ? 'nodePropertiesWritten' : 'relationshipsWritten', type: 'INTEGER' };
  return [written, ...summary, ...TIMES, { name: `${mode}Millis`, type: 'INTEGER' }, CONFIGURATION];
}

/** The parsed arguments of a call. */
interface Call {
  readonly algorithm: Algorithm;
  readonly mode: Mode;
  readonly graph: ProjectedGraph;
  readonly topology: Topology;
  readonly values: Readonly<Record<string, unknown>>;
  readonly shown: ValueMap;
  readonly preProcessingMs: number;
}

function configurationOf(algorithm: Algorithm, mode: Mode, given: Value): { values: Call['values']; shown: ValueMap } {
  if (!(given instanceof Map)) throw typeFault(`a configuration is given as a Map, not as ${typeName(given)}`);
  return readConfiguration(fieldsOf(algorithm, mode), given);
}

function selectionIn(values: Call['values']): Selection {
  return {
    // as: fields of all algorithms
    nodeLabels: values['nodeLabels'] as readonly string[],
    relationshipTypes: values['relationshipTypes'] as readonly string[],
    weightProperty: (values['relationshipWeightProperty'] as string | null | undefined) ?? null,
  };
}

function* selected(graph: ProjectedGraph, algorithm: Algorithm, values: Call['values'], work: Work): Pieces<Topology> {
  const topology = yield* select(graph, selectionIn(values), work);
  if (algorithm.needsUndirected && !topology.isUndirected && topology.relationshipCount > 0)
    throw argumentFault(
      `The ${algorithm.name} algorithm requires relationship projections to be UNDIRECTED. Project the graph with orientation: ` +
        `'UNDIRECTED'.`,
    );
  return topology;
}

function* run(context: ProcedureContext, algorithm: Algorithm, mode: Mode, [given, configuration]: readonly Value[]): Rows {
  const { values, shown } = configurationOf(algorithm, mode, configuration!);
  const jobId = values['jobId'] as string | null; // as: a field of all algorithms
  const concurrency = values['concurrency'] as number; // as: a field of all algorithms
  const task = beginTask(context, `${algorithm.name}.${mode}`, jobId, concurrency);
  try {
    const { work } = task;
    if (mode === 'mutate' && typeof given !== 'string') throw typeFault('`mutate` needs the name of a projected graph');
    const graph = yield* graphOf(context, given!, work);
    if (mode === 'write') {
      checkWritable(graph);
      yield* openForWriting(context, graph);
    }
    const { result: topology, ms } = yield* task.timed(selected(graph, algorithm, values, work));
    const { result: outcome, ms: computeMs } = yield* task.timed<Outcome>(algorithm.run({ topology, configuration: values, work }));
    if (mode === 'stream') {
      yield* streamRows(context, { algorithm, topology, outcome, values });
      return;
    }
    const { result: summary, ms: postMs } = yield* task.timed(summarized(outcome));
    const stored = { context, algorithm, graph, topology, outcome, values, work, name: given! };
    let written: { readonly count: number; readonly ms: number } | null = null;
    if (mode !== 'stats') {
      const { result: count, ms: storeMs } = yield* task.timed(mode === 'mutate' ? mutate(stored) : write(stored));
      written = { count, ms: storeMs };
    }
    yield [
      ...(written === null ? [] : [written.count]),
      ...algorithm.summary.map(({ name }) => summary.get(name) ?? null),
      ms,
      computeMs,
      postMs,
      ...(written === null ? [] : [written.ms]),
      shown,
    ];
  } finally {
    task.end();
  }
}

function* summarized({ summary }: Outcome): Pieces<ValueMap> {
  const values: ValueMap = new Map();
  for (const [name, value] of Object.entries(summary)) values.set(name, typeof value === 'function' ? yield* value() : value);
  return values;
}

function estimated(context: ProcedureContext, algorithm: Algorithm, mode: Mode, [given, configuration]: readonly Value[]): Value[] {
  const { values } = configurationOf(algorithm, mode, configuration!);
  const size = sizeOf(context, given!);
  const selection = selectionIn(values);
  const isWeighted = selection.weightProperty !== null;
  const members = context.catalog.threads.members(values['concurrency'] as number); // as: a field of all algorithms
  const most = { ...size, members, isWeighted };
  const own: Record<string, number> = { [algorithm.name]: algorithm.bytes(most, values) };
  const selecting = selectionBytes(size, selection, size.types);
  if (selecting > 0) own['selection'] = selecting;
  const storing = mode === 'mutate' ? mutateBytes(algorithm, most, values, !selection.nodeLabels.includes('*')) : 0;
  if (storing > 0) own['mutate'] = storing;
  const leastOf = (whole: GraphSize): number => leastBytes(algorithm, { ...selectedOf(whole, selection), members: 1, isWeighted }, values);
  if (!(given instanceof Map)) return estimateRow(algorithm.name, { parts: own, least: leastOf(size) }, size, context.memoryLimit);
  const { sorting = 0, ...projection } = requestedBytes(context, given);
  // Sorting has ended when the algorithm begins.
  const rest = Math.max(0, sorting - sumOf(own));
  const parts = { ...projection, ...own, ...(rest === 0 ? {} : { sorting: rest }) };
  const projected = leastRequested(context, given);
  return estimateRow(algorithm.name, { parts, least: projected.bytes + leastOf(projected.size) }, size, context.memoryLimit);
}

/** Returns how large the selected part of a graph is at least: nodes with the labels and relationships of the types are not counted. */
function selectedOf(size: GraphSize, { nodeLabels, relationshipTypes }: Selection): GraphSize {
  if (!nodeLabels.includes('*')) return { ...size, nodeCount: 0, relationshipCount: 0, isDirected: false };
  return relationshipTypes.includes('*') ? size : { ...size, relationshipCount: 0, isDirected: false };
}

function leastBytes({ leastBytes: own }: Algorithm, size: Size, values: Call['values']): number {
  return own === undefined ? LEAST_BYTES_PER_NODE * size.nodeCount : own(size, values);
}

function proceduresOf(algorithm: Algorithm): Procedure[] {
  const { name, description, modes } = algorithm;
  return modes.flatMap((mode): Procedure[] => [
    {
      name: `gds.${name}.${mode}`,
      inputs: INPUTS,
      outputs: outputsOf(algorithm, mode),
      mode: mode === 'write' ? 'WRITE' : 'READ',
      projects: true,
      usesCatalog: true,
      description,
      call: (context, args) => run(context, algorithm, mode, args),
    },
    {
      name: `gds.${name}.${mode}.estimate`,
      inputs: [
        { name: 'graphNameOrConfiguration', type: 'ANY' },
        { name: 'algoConfiguration', type: 'MAP', default: new Map() },
      ],
      outputs: ESTIMATE_OUTPUTS,
      mode: 'READ',
      usesCatalog: true,
      description: `The memory that gds.${name}.${mode} takes at most, and at least.`,
      call: (context, args) => [estimated(context, algorithm, mode, args)],
    },
  ]);
}

/** The procedures of all algorithms in all modes. */
export const algorithmProcedures: readonly Procedure[] = algorithms.flatMap(proceduresOf);
