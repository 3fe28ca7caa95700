/** The thread of `pool.ts`: takes a scenario, opens an engine on a memory store of its own, answers with the outcome. */
import { parentPort, workerData } from 'node:worker_threads';
import { type Engine, openEngine, ReadWorkers } from '../../src/engine/index.ts';
import { createBoltRig } from './bolt.ts';
import { fromDriver } from './driver-values.ts';
import type { Scenario } from './features.ts';
import { openReopened } from './reopened.ts';
import { runScenario } from './scenario.ts';
import { tableProcedure } from './table-procedure.ts';

interface Setting {
  readonly graphsFolder: string;
  readonly readsInWorker: boolean;
  readonly overBolt: boolean;
  readonly reopens: boolean;
  /** undefined: nothing is written to temporary files. */
  readonly spillAfterRows: number | undefined;
}

const { graphsFolder, readsInWorker, overBolt, reopens, spillAfterRows } = workerData as Setting;
const workers = readsInWorker ? { workers: new ReadWorkers({ count: 1, firstSliceMs: 0 }) } : {};
const rig = overBolt ? await createBoltRig() : undefined;
let opened = 0;

parentPort!.on('message', async (scenario: Scenario) => {
  const outcome = await runScenario(scenario, {
    graphsFolder,
    open: async (definitions) => {
      const uri = `memory://tck-${process.pid}-${opened++}`;
      const parts = {
        procedures: definitions.map(tableProcedure),
        ...workers,
        ...(spillAfterRows === undefined ? {} : { spillAfterRows }),
      };
      const open = (): Promise<Engine> => openEngine(uri, { flushIntervalMs: 0 }, parts);
      if (reopens) return openReopened(open);
      const engine = await open();
      return rig?.serve(engine) ?? engine;
    },
    ...(overBolt ? { fromAnswer: fromDriver } : {}),
  });
  parentPort!.postMessage(outcome);
});
