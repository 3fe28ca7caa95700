/** Procedures that describe the library itself: its algorithms, its version, running tasks, the memory, the system. */
import { availableParallelism, totalmem } from 'node:os';
import { algorithms } from '../../../algorithms/index.ts';
import { systemTimeMs, VERSION } from '../../../base/index.ts';
import { CypherDuration, type Value } from '../../../value/index.ts';
import { GDS_VERSION } from '../../functions/libraries/gds.ts';
import type { Procedure } from '../../runtime/procedure.ts';
import { instant } from './described-graph.ts';

const HUNDRED = 100;
const BAR_LENGTH = 10;

function progressBar(progress: number): string {
  const full = Math.round(progress * BAR_LENGTH);
  return `[${'#'.repeat(full)}${'~'.repeat(BAR_LENGTH - full)}]`;
}

/** The procedures that describe the library. */
export const libraryProcedures: readonly Procedure[] = [
  {
    name: 'gds.version',
    inputs: [],
    outputs: [{ name: 'gdsVersion', type: 'STRING' }],
    mode: 'READ',
    description: 'The version of Graph Data Science whose names and columns the algorithms have.',
    call: () => [[GDS_VERSION]],
  },
  {
    name: 'gds.list',
    inputs: [{ name: 'name', type: 'STRING', default: '' }],
    outputs: [
      { name: 'name', type: 'STRING' },
      { name: 'description', type: 'STRING' },
      { name: 'signature', type: 'STRING' },
      { name: 'type', type: 'STRING' },
    ],
    mode: 'READ',
    description: 'The algorithms, each mode for itself.',
    call: (_, [wanted]) =>
      algorithms.flatMap(({ name, description, modes }) =>
        modes
          .map((mode): Value[] => {
            const full = `gds.${name}.${mode}`;
            return [full, description, `${full}(graphName :: ANY, configuration = {} :: MAP)`, 'procedure'];
          })
          .filter(([full]) => String(full).includes(String(wanted))),
      ),
  },
  {
    name: 'gds.listProgress',
    inputs: [
      { name: 'jobId', type: 'STRING', default: '' },
      { name: 'showCompleted', type: 'BOOLEAN', default: false },
    ],
    outputs: [
      { name: 'username', type: 'STRING' },
      { name: 'jobId', type: 'STRING' },
      { name: 'taskName', type: 'STRING' },
      { name: 'progress', type: 'STRING' },
      { name: 'progressBar', type: 'STRING' },
      { name: 'status', type: 'STRING' },
      { name: 'timeStarted', type: 'LOCALTIME' },
      { name: 'elapsedTime', type: 'DURATION' },
    ],
    mode: 'READ',
    usesCatalog: true,
    description: 'Projections and algorithms that run now, and how far they are.',
    call: ({ catalog }, [wanted]) =>
      [...catalog.tasks]
        .filter(({ jobId }) => wanted === '' || wanted === jobId)
        .map(({ jobId, name, startedMs, progress }): Value[] => {
          const elapsedMs = Math.max(0, systemTimeMs() - startedMs);
          const elapsed = new CypherDuration(0, 0, Math.floor(elapsedMs / 1000), Math.round((elapsedMs % 1000) * 1e6));
          const percent = `${Number((progress * HUNDRED).toFixed(2))}%`;
          return ['', jobId, name, percent, progressBar(progress), 'RUNNING', instant(startedMs), elapsed];
        }),
  },
  {
    name: 'gds.debug.sysInfo',
    inputs: [],
    outputs: [
      { name: 'key', type: 'STRING' },
      { name: 'value', type: 'ANY' },
    ],
    mode: 'READ',
    usesCatalog: true,
    description: 'Facts of the library and of the machine that it runs on.',
    call: ({ catalog }) => {
      const facts: Record<string, Value> = {
        gdsVersion: GDS_VERSION,
        gdsEdition: 'Unlicensed',
        neo4jVersion: VERSION,
        availableCPUs: availableParallelism(),
        physicalMemory: totalmem(),
        projectedGraphs: catalog.list().length,
        projectedGraphBytes: catalog.bytes,
      };
      return Object.entries(facts);
    },
  },
  {
    name: 'gds.debug.arrow',
    inputs: [],
    outputs: [
      { name: 'running', type: 'BOOLEAN' },
      { name: 'enabled', type: 'BOOLEAN' },
      { name: 'listenAddress', type: 'STRING' },
      { name: 'batchSize', type: 'INTEGER' },
      { name: 'abortionTimeout', type: 'DURATION' },
      { name: 'advertisedListenAddress', type: 'STRING' },
      { name: 'serverLocation', type: 'STRING' },
      { name: 'versions', type: 'LIST<STRING>' },
    ],
    mode: 'READ',
    description: 'Tells clients that there is no Arrow Flight server; Arrow comes over HTTP.',
    call: () => [[false, false, '', 0, new CypherDuration(0, 0, 0, 0), '', '', []]],
  },
  {
    name: 'gds.license.state',
    inputs: [],
    outputs: [
      { name: 'isLicensed', type: 'BOOLEAN' },
      { name: 'details', type: 'STRING' },
    ],
    mode: 'READ',
    description: 'False: nothing here needs a license.',
    call: () => [[false, 'No license is needed: all algorithms and threads are there for everybody.']],
  },
  {
    name: 'gds.memory.list',
    inputs: [],
    outputs: [
      { name: 'user', type: 'STRING' },
      { name: 'name', type: 'STRING' },
      { name: 'entity', type: 'STRING' },
      { name: 'memoryInBytes', type: 'INTEGER' },
    ],
    mode: 'READ',
    usesCatalog: true,
    description: 'The memory of each projected graph.',
    call: ({ catalog }) => catalog.list().map(({ name, graph }): Value[] => ['', name, 'graph', graph.bytes]),
  },
  {
    name: 'gds.memory.summary',
    inputs: [],
    outputs: [
      { name: 'user', type: 'STRING' },
      { name: 'totalGraphsMemory', type: 'INTEGER' },
      { name: 'totalTasksMemory', type: 'INTEGER' },
    ],
    mode: 'READ',
    usesCatalog: true,
    description: 'The memory of all projected graphs together, and of running tasks.',
    call: ({ catalog }) => {
      let tasks = 0;
      for (const { bytes } of catalog.tasks) tasks += bytes;
      return [['', catalog.bytes, tasks]];
    },
  },
  ...(['defaults', 'limits'] as const).map(
    (kind): Procedure => ({
      name: `gds.config.${kind}.list`,
      inputs: [{ name: 'parameters', type: 'MAP', default: new Map() }],
      outputs: [
        { name: 'key', type: 'STRING' },
        { name: 'value', type: 'ANY' },
      ],
      mode: 'READ',
      description: `${kind === 'defaults' ? 'Defaults' : 'Limits'} of configurations that were set: there are none.`,
      call: () => [],
    }),
  ),
];
