/** The program of a thread that helps with phases of algorithms: see `AlgorithmThreads`. */
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { assert, collectGarbage } from '../../base/index.ts';
import '../algorithms.ts';
import type { JobMessage, ThreadMessage, ThreadStart } from './algorithm-threads.ts';
import { enter, isClosed, leave, markFailed, takeRange } from './job.ts';
import { phaseNamed } from './shared-phase.ts';

/** So many milliseconds a thread waits for the next phase before it goes back to its event loop, from which it begins later. */
const MOST_WAIT_MS = 2;

const { member, sent, seen, ends } = workerData as ThreadStart; // as: it is started with this

function work(job: JobMessage): void {
  const phase = phaseNamed(job.phase);
  for (let range = takeRange(job); range >= 0; range = takeRange(job)) {
    const from = job.bounds[range]!;
    const to = job.bounds[range + 1]!;
    if (phase.kind === 'phase') phase.run(job.state, from, to, member);
    else for (const _ of phase.run(job.state, from, to, member)) if (isClosed(job)) return;
  }
}

function receive(job: ThreadMessage): void {
  if (job === null) {
    collectGarbage();
    return;
  }
  Atomics.add(seen, 0, 1);
  enter(job);
  try {
    work(job);
  } catch (error) {
    Atomics.store(ends, 0, 1);
    markFailed(job);
    throw error;
  } finally {
    leave(job);
  }
}

assert(parentPort !== null, 'this program runs in a thread');
const port = parentPort;
port.on('message', (first: ThreadMessage) => {
  receive(first);
  // The phases of an algorithm follow closely upon each other, and to wake an event loop takes longer than to end a wait.
  while (Atomics.wait(sent, 0, Atomics.load(seen, 0), MOST_WAIT_MS) !== 'timed-out') {
    const next = receiveMessageOnPort(port) as { readonly message: ThreadMessage } | undefined; // as: the main thread sends nothing else
    if (next !== undefined) receive(next.message);
  }
});
