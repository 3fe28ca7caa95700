/** One contender in a process of its own: what it took is told as JSON. Arguments: its name, and the files as JSON. */
import { enableCompileCache } from 'node:module';
import { CONTENDERS } from './contenders.ts';

enableCompileCache(); // As the command does.

const [name, files] = process.argv.slice(2);
const startedAt = performance.now();
const started = process.cpuUsage();
await CONTENDERS[name!]!(JSON.parse(files!));
const { user, system } = process.cpuUsage(started);
const seconds = (performance.now() - startedAt) / 1000;
console.log(JSON.stringify({ seconds, cpuSeconds: (user + system) / 1e6, peakBytes: process.resourceUsage().maxRSS * 1024 }));
process.exit(0); // Peers may leave threads behind.
