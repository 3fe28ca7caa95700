/** The thread of `pool.ts`: takes a scenario, opens an engine on a memory store of its own, answers with the outcome. */
import { parentPort, workerData } from 'node:worker_threads';
import { openEngine, ReadWorkers } from '../../src/engine/index.ts';
import type { Scenario } from './features.ts';
import { runScenario } from './scenario.ts';

const { graphsFolder, readsInWorker } = workerData as { graphsFolder: string; readsInWorker: boolean };
const readWorkers = readsInWorker ? new ReadWorkers({ count: 1, firstSliceMs: 0 }) : 0;
let opened = 0;

parentPort!.on('message', async (scenario: Scenario) => {
  const outcome = await runScenario(scenario, {
    graphsFolder,
    open: (testProcedures) => openEngine(`memory://tck-${process.pid}-${opened++}`, { testProcedures, flushIntervalMs: 0, readWorkers }),
  });
  parentPort!.postMessage(outcome);
});
