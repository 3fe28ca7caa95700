/**
 * Checks that no row of the function facts and no implementation can be left out: prints how many deletions the
 * compiler refused, and each that it did not.
 */
import { deletionsOf, PAIRS, refused } from './function-facts.ts';

const deletions = PAIRS.flatMap(deletionsOf);
const found = refused(deletions);
const unnoticed = deletions.filter(({ what }, i) => what !== null && !found.has(i));
const faulty = deletions.filter(({ what }, i) => what === null && found.has(i));
for (const { what } of unnoticed) console.error(`${what} can be deleted unnoticed`);
for (const { pair } of faulty) console.error(`${pair.facts} does not compile as it is`);
const tried = deletions.filter(({ what }) => what !== null).length;
console.log(`function facts: ${tried} deletions, ${tried - unnoticed.length} refused by the compiler`);
process.exitCode = unnoticed.length + faulty.length === 0 ? 0 : 1;
