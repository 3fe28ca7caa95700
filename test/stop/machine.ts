/** How busy the machine is with other work: what is measured by the clock beside it must be given as much more time. */
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const SPIN_CPU_US = 10_000;
/** On a machine that is busier than that a time says nothing either way, and a limit times as much would excuse everything. */
const MOST = 4;
/** A process is idle that takes no more of the processor in so long. */
const IDLE_WINDOW_MS = 20;
const IDLE_CPU_MS = 2;
const LONGEST_WAIT_MS = 2_000;
const NANOSECONDS_PER_MS = 1e6;

/**
 * Time by the clock per time on a processor of a thread that computes for a while: 1 on an idle machine, 3 where two
 * others want the same processor, 4 at most. The process that is measured is waited for until it is idle, two seconds
 * at most: its own threads are no other work.
 *
 * @param measured its process identifier
 */
export async function machineFactor(measured: number): Promise<number> {
  for (let waitedMs = 0, before = processorMs(measured); waitedMs < LONGEST_WAIT_MS; waitedMs += IDLE_WINDOW_MS) {
    await sleep(IDLE_WINDOW_MS);
    const now = processorMs(measured);
    if (now - before <= IDLE_CPU_MS) break;
    before = now;
  }
  return spun();
}

function spun(): number {
  const start = performance.now();
  const before = process.threadCpuUsage();
  let used = 0;
  while (used < SPIN_CPU_US) {
    const { user, system } = process.threadCpuUsage(before);
    used = user + system;
  }
  return Math.min(MOST, Math.max(1, ((performance.now() - start) * 1000) / used));
}

/** Processor time of all threads of a process so far; 0 of one that is gone, and where no /proc tells it. */
function processorMs(pid: number): number {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    return threads.reduce((total, thread) => total + threadNanoseconds(pid, thread), 0) / NANOSECONDS_PER_MS;
  } catch {
    return 0;
  }
}

function threadNanoseconds(pid: number, thread: string): number {
  try {
    return Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'latin1').split(' ')[0]);
  } catch {
    // It ended between the two looks.
    return 0;
  }
}
