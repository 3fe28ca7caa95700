/**
 * One of several processes that race to create the same objects: `race-child.ts <directory> <ns> <rounds> <name>`.
 * Prints the rounds it won. Each process holds names ahead as soon as it can, so that the processes take names from
 * each other.
 */

import { openFileStore } from '../file-store/file-store.ts';

const [directory, namespace, rounds, name] = process.argv.slice(2) as [string, string, string, string]; // as: the test gives all four
const store = openFileStore({ scheme: 'file', directory, namespace }, { journalAfterPuts: 0 });
process.stdout.write('ready\n');
await new Promise((go) => process.stdin.once('data', go));
const won: number[] = [];
for (let round = 0; round < Number(rounds); round++) {
  if (await store.putIfAbsent(`race/${round}`, new TextEncoder().encode(name))) won.push(round);
}
process.stdout.write(`${JSON.stringify(won)}\n`);
process.stdin.destroy();
