/** Work that is to be done later, and can be called off. Nothing that waits keeps a process alive. */
export type Schedule = (delayMs: number, work: () => void) => () => void;

export const scheduleByTimer: Schedule = (delayMs, work) => {
  const timer = setTimeout(work, delayMs);
  timer.unref();
  return () => clearTimeout(timer);
};
