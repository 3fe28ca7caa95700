/**
 * `npm run bench:spill`: statements over ten million rows that need far more than their memory of 128 MiB, one process
 * each: processor time, time, the most memory that the process had.
 *
 *   --rows <n>     rows of the input (10,000,000)
 *   --memory <MiB> of a statement (128)
 *   --only <text>  statements whose names contain it
 *
 * The heap of each process is limited to 1.5 GB.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { openEngine } from '../src/engine/index.ts';

interface Measured {
  readonly rows: number;
  readonly cpuMs: number;
  readonly ms: number;
  readonly residentBytes: number;
}

const { values: options } = parseArgs({
  options: {
    rows: { type: 'string', default: '10000000' },
    memory: { type: 'string', default: '128' },
    only: { type: 'string', default: '' },
    child: { type: 'string' },
  },
});

const INPUT = `UNWIND range(1, ${Number(options.rows)}) AS i WITH i, (i * 7919) % 10000019 AS k`;
const STATEMENTS: Readonly<Record<string, string>> = {
  'sort by an integer': `${INPUT} ORDER BY k RETURN k, i`,
  'sort by a text': `${INPUT} WITH i, toString(k) AS t ORDER BY t RETURN t, i`,
  'group, as many groups as rows': `${INPUT} RETURN k, count(*) AS c, sum(i) AS s`,
  'group and collect': `${INPUT} RETURN k % 1000003 AS g, collect(i) AS l`,
  'count distinct texts': `${INPUT} RETURN count(DISTINCT toString(k)) AS c`,
  'distinct texts': `${INPUT} RETURN DISTINCT toString(k) AS t`,
};

if (options.child !== undefined) await measure(STATEMENTS[options.child]!);
else await measureAll();

async function measure(statement: string): Promise<void> {
  const engine = await openEngine('memory://spill');
  const begun = performance.now();
  const stream = await engine.stream(statement, new Map(), { memoryBytes: Number(options.memory) * 2 ** 20 });
  let rows = 0;
  for await (const batch of stream.batches) rows += batch.length;
  const { user, system } = process.cpuUsage();
  const residentBytes = process.resourceUsage().maxRSS * 1024;
  const measured: Measured = { rows, cpuMs: (user + system) / 1000, ms: performance.now() - begun, residentBytes };
  process.send!(measured);
  await engine.close();
}

async function measureAll(): Promise<void> {
  console.log(`${'statement'.padEnd(32)} ${'rows'.padStart(10)} ${'cpu s'.padStart(7)} ${'s'.padStart(7)} ${'resident MB'.padStart(12)}`);
  for (const name of Object.keys(STATEMENTS).filter((each) => each.includes(options.only))) {
    const child = fork(import.meta.filename, ['--child', name, '--rows', options.rows, '--memory', options.memory], {
      execArgv: ['--max-old-space-size=1536'],
    });
    const [measured] = (await once(child, 'message')) as [Measured];
    const { rows, cpuMs, ms, residentBytes } = measured;
    const figures = [String(rows).padStart(10), (cpuMs / 1000).toFixed(1).padStart(7), (ms / 1000).toFixed(1).padStart(7)];
    console.log(`${name.padEnd(32)} ${figures.join(' ')} ${(residentBytes / 1e6).toFixed(0).padStart(12)}`);
  }
}
