/**
 * The program of a worker thread: runs read statements on replicas of the main thread's graphs. Several run side by
 * side, as on the main thread: each yields when its time slice is over.
 */
import { deserialize } from 'node:v8';
import { parentPort, workerData } from 'node:worker_threads';
import { assert, boundedWork, KnownGarbage, monotonicMs, type SliceLimits, scheduleAt } from '../../base/index.ts';
import { builtInProcedures, CompiledPlan, ProcedureRegistry, Runtime } from '../../exec/index.ts';
import { GraphReplica, type GraphView } from '../../graph/index.ts';
import { splitPlan } from '../../plan/index.ts';
import type { Value } from '../../value/index.ts';
import { batchesOf, refuseMarker, started, withinLimits } from '../execution/drive.ts';
import { type PlanBytes, replayedStatistics } from '../execution/plan-inputs.ts';
import { bindStatement, planOf } from '../execution/planning.ts';
import type { StatementGenerator } from '../execution/running-code.ts';
import { HeapGuard } from './heap-guard.ts';
import { BATCHES_AHEAD, type FromWorker, faultOf, type ReadMessage, type ThreadData, type ToWorker } from './messages.ts';
import { packRows, unpackParameters } from './packed-rows.ts';
import { unpackLiterals } from './packed-values.ts';
import { planOfBytes } from './plan-bytes.ts';
import { type RemoteLookup, RemoteLookups } from './remote-lookups.ts';
import { SentValues } from './repeated-values.ts';

interface PlansOfStatement {
  readonly all: CompiledPlan;
  /** The plan for one of several threads; null if the statement cannot be split. */
  readonly part: CompiledPlan | null;
  /** The literals of the text that do not come from the main thread with each read. */
  readonly parameters: ReadonlyMap<string, Value>;
}

/** A statement that the main thread has sent; running reads keep it when it is forgotten. */
interface ToldStatement {
  readonly planInputs: NonNullable<ReadMessage['planInputs']>;
  /** Null until the statement has run. */
  plans: PlansOfStatement | null;
}

/** A read that has begun and not ended. */
interface OngoingRead {
  readonly stop: AbortController;
  /** The number of batches that may still be sent. */
  credit: number;
  /** Called when there is credit again, or the read has to stop. */
  wake: () => void;
}

const NO_PARAMETERS: ReadonlyMap<string, Value> = new Map();

const port = parentPort;
assert(port !== null, 'this program is for a worker thread');
const { heapMiB, running } = workerData as ThreadData; // as: worker-thread.ts gives it
const guard = new HeapGuard(heapMiB);
const sharedGarbage = new KnownGarbage();
const procedures = new ProcedureRegistry(builtInProcedures);
const graphs = new Map<number, GraphReplica>();
const statements = new Map<number, ToldStatement>();
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
      if (reads.size === 0) sharedGarbage.collectIfMuch();
      break;
    case 'forgetStatement':
      statements.delete(message.statement);
      break;
    default:
      message satisfies never;
  }
});

send({ kind: 'ready' });

function resume(id: number, change: (read: OngoingRead) => void): void {
  const read = reads.get(id);
  if (read === undefined) return;
  change(read);
  read.wake();
}

/** Begins a read. Shared changes are applied before the next message, even if the statement fails. */
function begin(message: ReadMessage): void {
  const read: OngoingRead = { stop: new AbortController(), credit: BATCHES_AHEAD, wake: () => {} };
  reads.set(message.read, read);
  if (message.planInputs !== null) statements.set(message.statement, { planInputs: message.planInputs, plans: null });
  const statement = statements.get(message.statement);
  assert(statement !== undefined, 'a statement that the worker was not told');
  const replica = graphs.get(message.graph) ?? new GraphReplica();
  graphs.set(message.graph, replica);
  if (message.shared !== null) {
    replica.follow(message.shared);
    sharedGarbage.add(message.shared.abandonedBytes);
  }
  runRead(message, { view: replica.view, read, statement })
    .then(
      ({ ticks, lookups }) => send({ kind: 'end', read: message.read, ticks, lookups }),
      (error: unknown) => send({ kind: 'fault', read: message.read, fault: faultOf(withinLimits(error)) }),
    )
    .finally(() => {
      reads.delete(message.read);
      sharedGarbage.collectIfMuch();
    });
}

/** Runs a read and sends its rows. @returns its work in units of `Limits.ticks`, and its look-ups of properties */
async function runRead(
  message: ReadMessage,
  { view, read, statement }: { readonly view: GraphView; readonly read: OngoingRead; readonly statement: ToldStatement },
): Promise<{ ticks: number; lookups: readonly RemoteLookup[] }> {
  const lookups = new RemoteLookups();
  const deadline = monotonicMs() + message.timeoutMs;
  const limits: SliceLimits = { deadline, signal: read.stop.signal };
  const given = await unpackParameters(message.parameters, limits);
  running[0] = message.read;
  const { all, part, parameters: lifted } = plansFor(statement, deadline);
  const parameters = new Map([...given, ...lifted]);
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
    engine: message.engine,
    databases: null,
    transactions: [],
    terminations: [],
    nodeCache: message.nodeCache,
    copiesResults: false,
    csvSources: message.csvSources,
    spill: message.spill,
    settings: () => [],
    morsels: message.morsels ?? undefined,
    onLook: () => guard.check(),
    lookups,
  });
  const plan = message.morsels === null ? all : part;
  assert(plan !== null, 'a share of a statement that cannot be split');
  const sent = new SentValues();
  const code = started({ plan, view, parameters, deadline, runtime });
  for await (const rows of batchesOf(named(message.read, code), runtime, refuseMarker)) {
    if (message.keepsRows) runtime.memory.chargeRows(rows);
    if (read.credit === 0) await waitForCredit(read, deadline);
    if (read.credit === 0) runtime.resume(); // Tells that it was cancelled, or had its time.
    read.credit--;
    const packed = packRows(rows, limits, sent);
    send({ kind: 'rows', read: message.read, ...(packed instanceof Promise ? await packed : packed) });
  }
  return { ticks: runtime.limits.ticks, lookups: lookups.all() };
}

/** Makes the generator tell the main thread, at each step, that this read runs. */
function named(read: number, generator: StatementGenerator): StatementGenerator {
  const next = generator.next.bind(generator);
  generator.next = () => {
    running[0] = read;
    return next();
  };
  return generator;
}

/** Resolves when a batch may be sent, or, without credit, when the read has to stop or its time is over. */
async function waitForCredit(read: OngoingRead, deadline: number): Promise<void> {
  const cancelTimer = scheduleAt(deadline, () => read.wake());
  while (read.credit === 0 && !read.stop.signal.aborted && monotonicMs() < deadline) {
    await new Promise<void>((resolve) => (read.wake = resolve));
  }
  cancelTimer();
}

function plansFor(statement: ToldStatement, deadline: number): PlansOfStatement {
  const { planInputs } = statement;
  statement.plans ??= planInputs.made === null ? plannedAgain(planInputs, deadline) : fromBytes(planInputs.made, deadline);
  return statement.plans;
}

function plannedAgain({ text, answers, flags }: NonNullable<ReadMessage['planInputs']>, deadline: number): PlansOfStatement {
  const plan = boundedWork(deadline, () => planOf(bindStatement(text, procedures), replayedStatistics(answers), flags));
  const split = splitPlan(plan);
  return { all: new CompiledPlan(plan), part: split === null ? null : new CompiledPlan(split.part), parameters: NO_PARAMETERS };
}

function fromBytes({ plan, parameters }: PlanBytes, deadline: number): PlansOfStatement {
  return boundedWork(deadline, () => ({
    all: new CompiledPlan(planOfBytes(plan)),
    part: null,
    parameters: unpackLiterals(deserialize(parameters)),
  }));
}

function send(message: FromWorker): void {
  port!.postMessage(message);
}
