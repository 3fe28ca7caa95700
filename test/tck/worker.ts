/** The thread of `pool.ts`: takes a scenario, opens an engine on a memory store of its own, answers with the outcome. */
import { parentPort, workerData } from 'node:worker_threads';
import { openEngine, ReadWorkers } from '../../src/engine/index.ts';
import { createBoltRig } from './bolt.ts';
import { fromDriver } from './driver-values.ts';
import type { Scenario } from './features.ts';
import { runScenario } from './scenario.ts';
import { tableProcedure } from './table-procedure.ts';

interface Setting {
  readonly graphsFolder: string;
  readonly readsInWorker: boolean;
  readonly overBolt: boolean;
}

const { graphsFolder, readsInWorker, overBolt } = workerData as Setting;
const workers = readsInWorker ? { workers: new ReadWorkers({ count: 1, firstSliceMs: 0 }) } : {};
const rig = overBolt ? await createBoltRig() : undefined;
let opened = 0;

parentPort!.on('message', async (scenario: Scenario) => {
  const outcome = await runScenario(scenario, {
    graphsFolder,
    open: async (definitions) => {
      const parts = { procedures: definitions.map(tableProcedure), ...workers };
      const engine = await openEngine(`memory://tck-${process.pid}-${opened++}`, { flushIntervalMs: 0 }, parts);
      return rig?.serve(engine) ?? engine;
    },
    ...(overBolt ? { fromAnswer: fromDriver } : {}),
  });
  parentPort!.postMessage(outcome);
});
