/** The option `--dialect` of the programs that hold SQL against the engine. */
import { DIALECTS, type DialectName } from '../../src/sql/index.ts';

/** Returns the dialect of a name. @throws Error for a name that is none */
export function chosenDialect(name: string): DialectName {
  if (!Object.hasOwn(DIALECTS, name)) throw new Error(`--dialect ${name}: it is one of ${Object.keys(DIALECTS).join(', ')}`);
  return name as DialectName;
}
