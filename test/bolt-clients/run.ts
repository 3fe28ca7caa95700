/**
 * `npm run test:bolt-clients [-- --only <name>]`: clients in other languages against a real server, as their users install them.
 *
 *   python       the official driver: all types, transactions, retries, bookmarks, concurrency, a large result
 *   frameworks   LangChain's Neo4jGraph and LlamaIndex's Neo4jPropertyGraphStore: their schema, a query, what they store
 *   go, java     the official drivers: types, transaction functions, bookmarks, routing, errors
 *   cypher-shell Neo4j's own shell: a script, transactions, parameters, plans, errors
 *
 * What they need is installed by pip, go and maven into a folder that is kept between runs (GRAPHDB_CLIENTS, else in the temporary folder).
 * A client whose language is not on this machine is skipped, and said so.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { launchServer } from '../server/launched-server.ts';

const TOKEN = 'token-of-the-clients';
const LIMIT_MS = 300_000;

const { values: options } = parseArgs({ options: { only: { type: 'string' } } });
const folder = process.env['GRAPHDB_CLIENTS'] ?? join(tmpdir(), 'graphdb-bolt-clients');
const here = import.meta.dirname;

interface Client {
  readonly name: string;
  /** Its language is here. */
  readonly needs: readonly string[];
  /** Installs; then answers the commands to run. */
  readonly prepare: () => readonly (readonly string[])[];
  readonly directory?: string;
}

const CLIENTS: readonly Client[] = [
  {
    name: 'python',
    needs: ['python3'],
    prepare: () => [[pythonWith('python-driver', ['neo4j==6.3.0']), join(here, 'python/driver_suite.py')]],
  },
  {
    name: 'frameworks',
    needs: ['python3'],
    prepare: () => {
      const python = pythonWith('python-frameworks', ['langchain-neo4j==0.11.0', 'llama-index-graph-stores-neo4j==0.8.0']);
      return [
        [python, join(here, 'python/driver_suite.py')],
        [python, join(here, 'python/langchain_graph.py')],
        [python, join(here, 'python/llama_index_store.py')],
      ];
    },
  },
  { name: 'go', needs: ['go'], directory: join(here, 'go'), prepare: () => [['go', 'run', '.']] },
  {
    name: 'java',
    needs: ['java', 'mvn'],
    directory: join(here, 'java'),
    prepare: () => [['mvn', '-q', '-B', `-DbuildFolder=${join(folder, 'java')}`, 'compile', 'exec:java']],
  },
  {
    name: 'cypher-shell',
    needs: ['java', 'mvn'],
    prepare: () => [[process.execPath, join(here, 'cypher-shell/suite.ts'), join(folder, 'cypher-shell')]],
  },
];

mkdirSync(folder, { recursive: true });
const failed: string[] = [];
for (const client of CLIENTS.filter(({ name }) => options.only === undefined || name === options.only)) {
  const missing = client.needs.filter((program) => spawnSync('which', [program]).status !== 0);
  if (missing.length > 0) console.log(`skipped: ${client.name}: there is no ${missing.join(', ')} on this machine`);
  else if (!(await passes(client))) failed.push(client.name);
}
if (failed.length > 0) console.log(`failed: ${failed.join(', ')}`);
process.exitCode = failed.length > 0 ? 1 : 0;

async function passes(client: Client): Promise<boolean> {
  for (const command of client.prepare()) {
    const args = ['--store', 'memory://clients?ns=clients', '--bolt-listen', '127.0.0.1:0', '--auth-token', TOKEN];
    const server = await launchServer(args, { env: { RUST_LOG: 'warn' } });
    const started = performance.now();
    const url = await server.boltUrl;
    if (url === undefined) throw new Error('the server does not say where Bolt is');
    const status = await run(command, client.directory, { BOLT_URL: url, NEO4J_URL: url.replace('bolt:', 'neo4j:'), TOKEN });
    await server.end('SIGTERM');
    const seconds = ((performance.now() - started) / 1_000).toFixed(1);
    console.log(`${status === 0 ? 'passed' : 'FAILED'}: ${client.name}: ${command.slice(-1)[0]} (${seconds} s)`);
    if (status !== 0) {
      console.log(await server.log);
      return false;
    }
  }
  return true;
}

function run([program = '', ...args]: readonly string[], cwd: string | undefined, env: Record<string, string>): Promise<number | null> {
  const child: ChildProcess = spawn(program, args, { cwd, env: { ...process.env, ...env }, stdio: 'inherit', timeout: LIMIT_MS });
  return new Promise((resolve, reject) => child.on('exit', resolve).on('error', reject));
}

/** An environment of its own with these packages, made when it is not there. */
function pythonWith(name: string, packages: readonly string[]): string {
  const python = join(folder, name, 'bin/python');
  if (existsSync(python)) return python;
  for (const [program, ...args] of [
    ['python3', '-m', 'venv', join(folder, name)],
    [python, '-m', 'pip', 'install', '--quiet', ...packages],
  ] as [string, ...string[]][]) {
    if (spawnSync(program, args, { stdio: 'inherit' }).status !== 0) throw new Error(`${program} ${args.join(' ')} failed`);
  }
  return python;
}
