/** Resident memory of another process. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const KIB_PER_MIB = 1024;
const HAS_PROC = process.platform === 'linux';

/** In MiB; 0 of a process that is gone. Linux tells it in /proc; elsewhere `ps` is asked, at most each half second. */
export function residentMiB(pid: number): number {
  return HAS_PROC ? fromProc(pid) : fromPs(pid);
}

function fromProc(pid: number): number {
  try {
    return Number(/VmRSS:\s*(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? 0) / KIB_PER_MIB;
  } catch {
    return 0;
  }
}

let asked = { pid: 0, at: 0, mib: 0 };

function fromPs(pid: number): number {
  if (asked.pid === pid && performance.now() - asked.at < 500) return asked.mib;
  let mib = 0;
  try {
    mib = Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / KIB_PER_MIB;
  } catch {
    // ps fails for a process that is gone.
  }
  asked = { pid, at: performance.now(), mib };
  return mib;
}
