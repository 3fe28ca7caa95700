/**
 * The program of a worker thread: runs statements that read on replicas of the graphs of the main thread. Several run beside each other, as on the main thread:
 * each gives way when it has had its slice of time.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { assert, boundedWork, monotonicMs } from '../../base/index.ts';
import { builtInProcedures, CompiledPlan, ProcedureRegistry, Runtime } from '../../exec/index.ts';
import { GraphReplica, type GraphView } from '../../graph/index.ts';
import { splitPlan } from '../../plan/index.ts';
import { batchesOf, refuseMarker, started } from '../execution/drive.ts';
import { bindStatement, planOf } from '../execution/planning.ts';
import { replayedStatistics } from '../execution/recipe.ts';
import { HeapGuard } from './heap-guard.ts';
import { BATCHES_AHEAD, type FromWorker, faultOf, type ReadMessage, type ThreadData, type ToWorker } from './messages.ts';
import { packRows, unpackParameters } from './packed-values.ts';
import { type RemoteLookup, RemoteLookups } from './remote-lookups.ts';
import { SharedGarbage } from './shared-garbage.ts';

interface PlansOfStatement {
  readonly all: CompiledPlan;
  /** The plan for one of several threads; null: it cannot be split. */
  readonly part: CompiledPlan | null;
}

/** A read that has begun and not ended. */
interface OngoingRead {
  readonly stop: AbortController;
  /** Batches that may be sent. */
  credit: number;
  /** Called when there is credit again, or it is to stop. */
  wake: () => void;
}

const port = parentPort;
assert(port !== null, 'this program is for a worker thread');
const guard = new HeapGuard((workerData as ThreadData).heapMiB); // as: worker-thread.ts gives it
const sharedGarbage = new SharedGarbage();
const procedures = new ProcedureRegistry(builtInProcedures);
const graphs = new Map<number, GraphReplica>();
const recipes = new Map<number, NonNullable<ReadMessage['recipe']>>();
const plans = new Map<number, PlansOfStatement>();
const reads = new Map<number, OngoingRead>();

port.on('message', (message: ToWorker) => {
  switch (message.kind) {
    case 'read':
      begin(message);
      break;
    case 'more':
      resume(message.read, (read) => read.credit++);
      break;
    case 'stop':
      resume(message.read, (read) => read.stop.abort());
      break;
    case 'forgetGraph':
      graphs.delete(message.graph);
      sharedGarbage.add(message.bytes);
      break;
    case 'forgetStatement':
      recipes.delete(message.statement);
      plans.delete(message.statement);
      break;
    default:
      message satisfies never;
  }
});

function resume(id: number, change: (read: OngoingRead) => void): void {
  const read = reads.get(id);
  if (read === undefined) return;
  change(read);
  read.wake();
}

/** Takes in what is shared before the next message, whatever comes of the statement. */
function begin(message: ReadMessage): void {
  const read: OngoingRead = { stop: new AbortController(), credit: BATCHES_AHEAD, wake: () => {} };
  reads.set(message.read, read);
  if (message.recipe !== null) recipes.set(message.statement, message.recipe);
  const replica = graphs.get(message.graph) ?? new GraphReplica();
  graphs.set(message.graph, replica);
  if (message.shared !== null) {
    replica.follow(message.shared);
    sharedGarbage.add(message.shared.abandonedBytes);
  }
  runRead(message, replica.view, read)
    .then(
      ({ ticks, lookups }) => send({ kind: 'end', read: message.read, ticks, lookups }),
      (error: unknown) => send({ kind: 'fault', read: message.read, fault: faultOf(error) }),
    )
    .finally(() => {
      reads.delete(message.read);
      sharedGarbage.collectIfMuch();
    });
}

/** @returns how often it looked up from its work, and what it looked up in the graph */
async function runRead(
  message: ReadMessage,
  view: GraphView,
  read: OngoingRead,
): Promise<{ ticks: number; lookups: readonly RemoteLookup[] }> {
  const lookups = new RemoteLookups();
  const parameters = unpackParameters(message.parameters);
  const deadline = monotonicMs() + message.timeoutMs;
  const runtime = new Runtime({
    view,
    transaction: null,
    parameters,
    deadline,
    signal: read.stop.signal,
    memoryBytes: message.memoryBytes,
    statementTime: message.statementTime,
    transactionTime: message.transactionTime,
    procedures,
    databaseRole: message.databaseRole,
    nodeCache: message.nodeCache,
    csvDirectory: null,
    settings: () => [],
    morsels: message.morsels ?? undefined,
    onLook: () => guard.check(),
    lookups,
  });
  const { all, part } = plansFor(message.statement, deadline);
  const plan = message.morsels === null ? all : part;
  assert(plan !== null, 'a share of a statement that cannot be split');
  const compiled = plan.for(view, parameters, deadline);
  for await (const rows of batchesOf(started(compiled, runtime), runtime, refuseMarker)) {
    if (message.keepsRows) runtime.memory.chargeRows(rows);
    while (read.credit === 0 && !read.stop.signal.aborted) await new Promise<void>((resolve) => (read.wake = resolve));
    if (read.stop.signal.aborted) runtime.resume(); // Tells that it was cancelled.
    read.credit--;
    send({ kind: 'rows', read: message.read, rows: packRows(rows) });
  }
  return { ticks: runtime.limits.ticks, lookups: lookups.all() };
}

function plansFor(statement: number, deadline: number): PlansOfStatement {
  const known = plans.get(statement);
  if (known !== undefined) return known;
  const recipe = recipes.get(statement);
  assert(recipe !== undefined, 'a statement that the worker was not told');
  const plan = boundedWork(deadline, () =>
    planOf(bindStatement(recipe.text, procedures), replayedStatistics(recipe.answers), recipe.flags),
  );
  const split = splitPlan(plan);
  const made = { all: new CompiledPlan(plan), part: split === null ? null : new CompiledPlan(split.part) };
  plans.set(statement, made);
  return made;
}

function send(message: FromWorker): void {
  port!.postMessage(message);
}
