/** How busy the machine is with other work: what is measured by the clock beside it must be given as much more time. */

const SPIN_CPU_US = 10_000;
/** On a machine that is busier than that a time says nothing either way, and a limit times as much would excuse everything. */
const MOST = 4;

/**
 * Time by the clock per time on a processor of a thread that computes for a while: 1 on an idle machine, 3 where two
 * others want the same processor, 4 at most.
 */
export function machineFactor(): number {
  const start = performance.now();
  const before = process.threadCpuUsage();
  let used = 0;
  while (used < SPIN_CPU_US) {
    const { user, system } = process.threadCpuUsage(before);
    used = user + system;
  }
  return Math.min(MOST, Math.max(1, ((performance.now() - start) * 1000) / used));
}
