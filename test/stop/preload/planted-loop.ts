/**
 * Loaded into a server before it starts (`node --import`): plants an endless loop in generated code. Generated code is
 * what `new Function` makes a function of, which makes the statement, which gets the runtime of the statement; here
 * that constructor is replaced, and `contains` among the operators of the first runtime that comes
 * (src/exec/runtime/values/counted-values.ts) by one that never returns when its left side is one of the two texts
 * below and it runs in the thread that the text means. Nothing else changes.
 */
import { isMainThread } from 'node:worker_threads';

/** Left sides of CONTAINS, as the statements of watchdog.ts give them. */
const LOOPS_IN_MAIN = 'loop in the main thread';
const LOOPS_IN_WORKER = 'loop in a worker';

type Contains = (this: unknown, text: unknown, part: unknown) => unknown;
type Statement = (runtime: { readonly values?: object }, ...others: unknown[]) => unknown;

let isPlanted = false;

function plant(operators: object): void {
  isPlanted = true;
  const prototype = Object.getPrototypeOf(operators) as { contains: Contains };
  const { contains } = prototype;
  if (typeof contains !== 'function') throw new Error('there is no operator contains to plant a loop in');
  const mine = isMainThread ? LOOPS_IN_MAIN : LOOPS_IN_WORKER;
  prototype.contains = function (text, part) {
    while (text === mine);
    return contains.call(this, text, part);
  };
}

const original = globalThis.Function;
globalThis.Function = new Proxy(original, {
  construct(target, names: string[]) {
    const make = Reflect.construct(target, names) as (...values: unknown[]) => unknown;
    return (...values: unknown[]) => {
      const made = make(...values);
      if (typeof made !== 'function') return made;
      return (...given: Parameters<Statement>) => {
        const operators = given[0]?.values;
        if (!isPlanted && typeof operators === 'object') plant(operators);
        return (made as Statement)(...given);
      };
    };
  },
});
