/** The program of the watchdog's thread: see watchdog.ts. */
import { Session } from 'node:inspector';
import { workerData } from 'node:worker_threads';
import { createLogger, startTimer } from '../../base/index.ts';
import { EXIT_STUCK } from './exit-status.ts';
import type { WatchdogData } from './watchdog.ts';
import { WatchdogMemory } from './watchdog-memory.ts';

/** A main thread that does not turn for this many milliseconds, or half of its limit if that is less, is logged. */
const LOG_MS = 3_000;
/** Milliseconds until SIGKILL ends a process that the inspector cannot interrupt: one in a system call that does not return. */
const KILL_AFTER_MS = 2_000;

const { buffer, stuckMs, turnMs, logFilter } = workerData as WatchdogData; // as: watchdog.ts gives it
const memory = new WatchdogMemory(buffer);
const logger = (await createLogger(logFilter)).module('watchdog');
const logMs = Math.min(LOG_MS, stuckMs / 2);
let turnsSeen = memory.turns;
/** Turns of this thread since the last one of the main thread. */
let turns = 0;
let isLogged = false;

turn();

function turn(): void {
  const { turns: turnsNow } = memory;
  if (turnsNow === turnsSeen) turns++;
  else {
    if (isLogged) logger.warn({ stuckMs: turns * turnMs }, 'the main thread turns again');
    turnsSeen = turnsNow;
    turns = 0;
    isLogged = false;
  }
  if (!isLogged && turns * turnMs >= logMs) {
    isLogged = true;
    logger.error({ stuckMs: turns * turnMs, query: memory.statement }, 'the main thread does not turn; the statement that ran last');
  }
  if (turns * turnMs >= stuckMs) end();
  else startTimer(turnMs, turn);
}

/**
 * Ends the process: the inspector interrupts even code that loops for ever, and the main thread then ends the process
 * itself, with EXIT_STUCK. Nothing else can: the end of a thread does not end the process, and a signal has a status of
 * its own.
 */
function end(): void {
  logger.error(
    { stuckMs: turns * turnMs, query: memory.statement, exitStatus: EXIT_STUCK },
    'the main thread is stuck: the process ends, which loses nothing that was answered',
  );
  startTimer(KILL_AFTER_MS, () => process.kill(process.pid, 'SIGKILL'));
  const session = new Session();
  session.connectToMainThread();
  session.post('Runtime.evaluate', { expression: `process.reallyExit(${EXIT_STUCK})` });
}
