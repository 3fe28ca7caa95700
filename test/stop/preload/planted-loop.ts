/**
 * Loaded into a server before it starts (`node --import`): plants an endless loop in generated code. Generated code gets the functions of the runtime library (src/exec/runtime/library.ts) as
 * arguments of the function that `new Function` makes of its text; here that constructor is replaced, and the library's `contains` among those arguments by one that never returns when its left side
 * is one of the two texts below and it runs in the thread that the text means. Nothing else changes.
 */
import { isMainThread } from 'node:worker_threads';

/** As statements say it: `RETURN $text CONTAINS 'x'`. */
const LOOPS_IN_MAIN = 'loop in the main thread';
const LOOPS_IN_WORKER = 'loop in a worker';

type Contains = (text: unknown, part: unknown) => unknown;

function planted(original: Contains): Contains {
  const mine = isMainThread ? LOOPS_IN_MAIN : LOOPS_IN_WORKER;
  return (text, part) => {
    while (text === mine);
    return original(text, part);
  };
}

const original = globalThis.Function;
globalThis.Function = new Proxy(original, {
  construct(target, names: string[]) {
    const at = names.slice(0, -1).indexOf('contains');
    const made = Reflect.construct(target, names) as (...values: unknown[]) => unknown;
    if (at < 0) return made;
    return (...values: unknown[]) => made(...values.with(at, planted(values[at] as Contains)));
  },
});
