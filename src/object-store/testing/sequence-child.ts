/**
 * A writer of a log that the test kills: `sequence-child.ts <directory> <ns> <name>`. Creates `log/<n>` with the
 * content `<n> by <name>`, one after the other, and prints each number once its put has returned, before it goes on.
 * Ends with its standard input, so that it never outlives the test.
 */

import { writeSync } from 'node:fs';
import { openFileStore } from '../file-store/file-store.ts';

const [directory, namespace, name] = process.argv.slice(2) as [string, string, string]; // as: the test gives all three
process.stdin.on('end', () => process.exit()).resume();
const store = openFileStore({ scheme: 'file', directory, namespace }, { journalAfterPuts: 4, journalBytes: 16_384 });
for (let number = 0; ; number++) {
  // The log is listed for its end at the start, and whenever another writer is ahead.
  number ||= (await store.list('log/')).length + 1;
  const content = new TextEncoder().encode(`${number} by ${name}`);
  if (await store.putIfAbsent(`log/${String(number).padStart(8, '0')}`, content)) writeSync(1, `${number}\n`);
  else number = -1;
}
