/**
 * The program of the planner thread: parses, binds and plans one text after the other. It has no graph: the main thread
 * answers the questions of the planner to the statistics, while this thread sleeps.
 */
import { serialize } from 'node:v8';
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { assert, boundedWork, collectIfGrown, monotonicMs } from '../../base/index.ts';
import { builtInProcedures, ProcedureRegistry } from '../../exec/index.ts';
import { explainedPlan } from '../execution/explain.ts';
import { isForWorkers } from '../execution/plan-inputs.ts';
import { planText } from '../execution/plan-text.ts';
import { HeapGuard } from '../workers/heap-guard.ts';
import { type Fault, faultOf } from '../workers/messages.ts';
import { packLiterals } from '../workers/packed-values.ts';
import { bytesOfPlan } from '../workers/plan-bytes.ts';
import { AskedStatistics } from './asked-statistics.ts';
import type { FromPlanner, PlanFacts, PlanMessage, PlannedBytes, PlannerThreadData, QuestionName } from './planner-messages.ts';

const port = parentPort;
assert(port !== null, 'this program is for a worker thread');
const { answers, answered } = workerData as PlannerThreadData; // as: planner.ts gives it
const procedures = new ProcedureRegistry(builtInProcedures);
/** The heap of this thread is collected whenever it has grown by this many bytes; V8 would let it grow to a multiple of the live data. */
const GROWN_BYTES = 64 * 2 ** 20;
/** The number of answers that were received. */
let taken = 0;

port.on('message', (message: PlanMessage) => {
  let planned: PlannedBytes;
  try {
    planned = plan(message);
  } catch (error) {
    const fault: Fault = faultOf(error);
    return send({ kind: 'fault', fault });
  }
  send({ kind: 'planned', planned }, [planned.facts.buffer, planned.plan.buffer, planned.parameters.buffer]);
  // The statement takes memory in other threads now, and this one would keep the garbage of its plan until the next text.
  collectIfGrown(GROWN_BYTES);
});

send({ kind: 'ready' });

function plan({ text, flags, size, timeoutMs, heapMiB }: PlanMessage): PlannedBytes {
  const guard = new HeapGuard(heapMiB);
  collectIfGrown(GROWN_BYTES);
  const work = (): PlannedBytes => {
    const planned = planText(text, { procedures, statistics: new AskedStatistics(size, ask), flags });
    const { mode, writes, askedIndexes = [] } = planned.plan;
    const { type, columns, requirements, required, mentions, right, administration, parameters } = planned;
    const facts: PlanFacts = {
      mode,
      writes,
      type,
      columns,
      requirements,
      askedIndexes,
      required,
      mentions,
      right,
      administration,
      isForWorkers: isForWorkers(planned.bound, planned.plan, procedures),
      explanation: mode === 'explain' ? explainedPlan(planned.plan) : null,
    };
    return {
      facts: ownBytes(serialize(facts)),
      plan: ownBytes(bytesOfPlan(planned.plan)),
      parameters: ownBytes(serialize(packLiterals(parameters))),
    };
  };
  const onLook = (): void => {
    collectIfGrown(GROWN_BYTES);
    guard.check();
  };
  return boundedWork(monotonicMs() + timeoutMs, work, { onLook });
}

/**
 * Asks the main thread a question and blocks until its answer has come. The count of an answer may be seen before the
 * answer itself, so the port is asked again.
 */
function ask(name: QuestionName, args: readonly unknown[]): unknown {
  send({ kind: 'question', name, args });
  for (;;) {
    const received = receiveMessageOnPort(answers) as { readonly message: unknown } | undefined; // as: typed any
    if (received !== undefined) {
      taken++;
      return received.message;
    }
    Atomics.wait(answered, 0, taken);
  }
}

/** Copies bytes into a buffer that holds nothing else, so that it can be transferred. */
function ownBytes(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes);
}

function send(message: FromPlanner, transferred: readonly ArrayBuffer[] = []): void {
  port!.postMessage(message, transferred);
}
