/** `graphdb shell`, and `run`, `explain` and `export` against a server: piped, on a pseudo terminal, with a token. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { cleanEnvironment, launchServer } from './server/launched-server.ts';
import { CLI, SERVER } from './support/programs.ts';

const folder = mkdtempSync(join(tmpdir(), 'graphdb-shell-'));
mkdirSync(join(folder, 'store'));
after(() => rmSync(folder, { recursive: true, force: true }));

function store(namespace: string): string {
  return `file://${folder}/store?ns=${namespace}`;
}

/** Not spawnSync: a server in this process would not answer meanwhile. */
async function graphdb(args: readonly string[], input = '', variables: Record<string, string> = {}) {
  const child = spawn(CLI, args, { env: cleanEnvironment(variables), cwd: folder, timeout: 60_000 });
  child.stdin.end(input);
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { stdout, stderr, status: child.exitCode };
}

test('piped: statements, parameters, transactions, files, plans', async () => {
  writeFileSync(join(folder, 'more.cypher'), "CREATE (:Person {name: 'from a file'});\n");
  const input = `CREATE (:Person {name: 'Ada; L'}); :param
:param least => 1 + 1
:begin
CREATE (:Person {name: 'undone'});
:rollback
:begin
CREATE (:Person {name: 'done'});
:commit
:source more.cypher
MATCH (p:Person) RETURN p.name AS name, $least AS least
  ORDER BY name;
:explain MATCH (p:Person) RETURN p
:schema`;
  const wrong = await graphdb(['shell', '--store', store('piped')], input);
  assert.equal(wrong.status, 1, 'a colon within a line is no command');
  const { stdout, stderr, status } = await graphdb(['shell', '--store', store('piped')], input.replace(' :param\n', '\n'));
  assert.equal(status, 0, stderr);
  assert.match(stdout, /\| Ada; L {6}\| 2 {5}\|\n\| done {8}\| 2 {5}\|\n\| from a file \| 2 {5}\|\n/);
  assert.doesNotMatch(stdout, /undone/);
  assert.match(stdout, /NodeByLabelScan {2}p:Person/);
  assert.match(stdout, /labels\n {2}Person\nrelationship types\n {2}none\nproperty keys\n {2}name\n/);
});

test('piped: the first failure ends it, an open transaction is rolled back, both with status 1', async () => {
  const failed = await graphdb(['shell'], 'RETURN 1 AS a;\nRETUR 2;\nRETURN 3 AS c;');
  assert.equal(failed.status, 1);
  assert.match(failed.stdout, /\| a \|/);
  assert.doesNotMatch(failed.stdout, /\| c \|/);
  assert.match(failed.stderr, /SYNTAX_ERROR\)\n {2}1 \| RETUR 2\n {4}\| \^/);
  const open = await graphdb(['shell', '--store', store('open')], ':begin\nCREATE (:N);\n');
  assert.equal(open.status, 1);
  assert.match(open.stderr, /rolled back/);
  const readOnly = await graphdb(['shell', '--read-only', '--store', store('open')], 'CREATE (:N);');
  assert.equal(readOnly.status, 1);
  assert.match(readOnly.stderr, /READ_ONLY/);
});

test('a server: shell, run, explain and export ask it, with the token', async () => {
  const server = await launchServer(['--store', 'memory://shell', '--auth-token', 'secret']);
  const variables = { GRAPHDB_AUTH_TOKEN: 'secret' };
  try {
    const written = await graphdb(
      ['shell', '--store', server.url],
      "CREATE (:P {d: date('2024-02-29'), f: 1.0, big: 9223372036854775807})-[:T]->(:P);\n:begin\nCREATE " +
        '(:Undone);\n:rollback\n:begin\nCREATE (:Kept);\n:commit\n:commit\n',
      variables,
    );
    assert.match(written.stdout, /^2 nodes created, 1 relationship created, 3 properties set\n/);
    assert.match(written.stderr, /no transaction is open/);
    const kept = await graphdb(
      ['run', '--store', server.url, '--format', 'csv', 'MATCH (n) WHERE n:Kept OR n:Undone RETURN labels(n)[0] AS label'],
      '',
      variables,
    );
    assert.equal(kept.stdout, 'label\r\nKept\r\n');
    const query = 'MATCH (a:P)-[t:T]->() RETURN a.d, a.f, a.big, a, t, $x AS x';
    const run = await graphdb(['run', '--store', server.url, '--params', '{"x": [1.0, 2]}', query], '', variables);
    assert.match(run.stdout, /\| 2024-02-29 \| 1\.0 \| 9223372036854775807 \| \(:P \{.*\}\) \| \[:T\] \| \[1\.0, 2\] \|/, run.stderr);
    assert.match((await graphdb(['explain', '--store', server.url, 'MATCH (n:P) RETURN n'], '', variables)).stdout, /NodeByLabelScan/);
    const exported = await graphdb(
      ['export', '--store', server.url, '--query', 'MATCH (n:P) RETURN n.d AS d ORDER BY d', '--format', 'csv', '--to', '-'],
      '',
      variables,
    );
    assert.equal(exported.stdout, 'd\n2024-02-29\n\n');
    const graph = await graphdb(
      ['export', '--store', server.url, '--query', 'MATCH (a:P)-[t]->(b) RETURN a, t, b', '--format', 'cypher', '--to', '-'],
      '',
      variables,
    );
    assert.match(graph.stderr, /^exported 2 nodes and 1 relationship/);
    const odd = "RETURN {_kind: 'node', properties: {}} AS map, $_kind AS kind, $`$` AS sign";
    const shown = await graphdb(
      ['run', '--store', server.url, '--format', 'ndjson', '--params', '{"_kind": 1, "$": 2}', odd],
      '',
      variables,
    );
    assert.equal(shown.stdout, '{"map":{"_kind":"node","properties":{}},"kind":1,"sign":2}\n', shown.stderr);
    assert.equal((await graphdb(['export', '--store', server.url, '--format', 'csv', '--to', 'x'], '', variables)).status, 2);
    const refused = await graphdb(['run', '--store', server.url, 'RETURN 1']);
    assert.equal(refused.status, 1);
    assert.match(refused.stderr, /set GRAPHDB_AUTH_TOKEN .*\(UNAUTHORIZED\)/);
    const wrong = await graphdb(['run', '--store', server.url, 'RETURN 1'], '', { GRAPHDB_AUTH_TOKEN: 'other' });
    assert.match(wrong.stderr, /the token is none of this server, or has expired.*it is that of GRAPHDB_AUTH_TOKEN/);
    const fault = await graphdb(['run', '--store', server.url, 'RETURN 1 +'], '', variables);
    assert.match(fault.stderr, /SYNTAX_ERROR\)\n {2}1 \| RETURN 1 \+/);
  } finally {
    await server.end('SIGTERM');
  }
  const gone = await graphdb(['run', '--store', server.url, 'RETURN 1'], '', variables);
  assert.match(gone.stderr, /cannot reach .*\(STORE_UNAVAILABLE\)/);
});

const hasPython = spawnSync('python3', ['-c', 'import pty, fcntl, termios']).status === 0;

test('on a terminal: prompts, completion, tables that fit, Ctrl-C, history', {
  skip: !hasPython && 'there is no python3 that makes a pseudo terminal',
}, async () => {
  const steps = [
    { send: '', expect: 'default> ' },
    { send: "CREATE (:Person {name: 'ann'}),\n", expect: '-> ' },
    { send: `(:Person {name: '東京 and ${'a long name '.repeat(8)}'});\n`, expect: 'default> ' },
    { send: 'MATCH (p:Per\t', expect: 'Person' },
    { send: ') RETURN p.name, p;\n', expect: 'default> ' },
    { send: 'UNWIND range(1, 1000000000) AS x RETURN max(x % 7);\n', expect: '\r\n' },
    { send: '\u0003', expect: 'CANCELLED' },
    { send: '', expect: 'default> ' },
    { send: 'RETURN half', expect: 'half' },
    { send: '\u0003', expect: 'default> ' },
    { send: ':exit\n', expect: '\r\n' },
  ];
  const script = join(import.meta.dirname, 'support/pseudo-terminal.py');
  const env = cleanEnvironment({ XDG_STATE_HOME: folder, TERM: 'xterm' });
  const child = spawn('python3', [script, '60', CLI, 'shell'], { env, cwd: folder });
  child.stdin.end(steps.map((step) => `${JSON.stringify(step)}\n`).join(''));
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  assert.equal(stderr, '', stdout);
  assert.match(stdout, /\[status 0\]\n$/);
  assert.ok(stdout.includes('\u001b[1m'), 'a header is bold');
  const shown = stripVTControlCharacters(stdout).split('\r\n');
  const rules = shown.filter((line) => line.startsWith('+-'));
  assert.ok(rules.length >= 3 && rules.every((rule) => rule.length === 60), rules.join('\n'));
  assert.ok(shown.some((line) => /^\| 東京 and a long .*… \|/.test(line)));
  const history = readFileSync(join(folder, 'graphdb/history'), 'utf8').split('\n');
  assert.equal(history[0], ':exit');
  assert.match(history.find((line) => line.startsWith('CREATE')) ?? '', /^CREATE \(:Person \{name: 'ann'\}\), \(:Person/);
});

test('a long session on a terminal says nothing of listeners', {
  skip: !hasPython && 'there is no python3 that makes a pseudo terminal',
}, async () => {
  const lines = Array.from({ length: 15 }, (_, i) => ({ send: `RETURN ${i} AS x;\n`, expect: 'default> ' }));
  const steps = [{ send: '', expect: 'default> ' }, ...lines, { send: ':exit\n', expect: '\r\n' }];
  const script = join(import.meta.dirname, 'support/pseudo-terminal.py');
  const child = spawn('python3', [script, '60', CLI, 'shell'], { env: cleanEnvironment({ XDG_STATE_HOME: folder }), cwd: folder });
  child.stdin.end(steps.map((step) => `${JSON.stringify(step)}\n`).join(''));
  const [stdout] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  assert.match(stdout, /\[status 0\]\n$/);
  assert.doesNotMatch(stdout, /Warning/);
});

test('messages tell what to do about a port, TLS, and flags and addresses of others', async () => {
  const pem = (name: string) => join(import.meta.dirname, 'server', name);
  const secure = await launchServer([
    '--store',
    'memory://tls',
    '--tls-cert',
    pem('localhost.cert.pem'),
    '--tls-key',
    pem('localhost.key.pem'),
  ]);
  const plain = await launchServer(['--store', 'memory://plain']);
  try {
    const said = async (store: string) => (await graphdb(['run', '--store', store, 'RETURN 1'])).stderr;
    assert.match(await said(secure.url.replace('https:', 'http:')), /closed the connection; if it speaks TLS there, write https:\/\//);
    assert.match(await said(plain.url.replace('http:', 'https:')), /does not speak TLS there; write http:\/\//);
    assert.match(await said('http://127.0.0.1:1'), /web clients refuse port 1; let the server listen on another one/);
    assert.match(await said('bolt://localhost:7687'), /bolt:\/\/ is how drivers reach a server; here it is reached over HTTP/);
  } finally {
    await Promise.all([secure.end('SIGTERM'), plain.end('SIGTERM')]);
  }
  const flag = spawnSync(SERVER, ['--port', '8080', '--store', 'memory://x'], {
    encoding: 'utf8',
  });
  assert.deepEqual(
    [flag.status, flag.stderr],
    [2, "error: unknown option '--port': the port is a part of the address: --listen 127.0.0.1:8080\n"],
  );
  const warned = await graphdb(['run', "RETURN 1 < 'a' AS x"]);
  assert.match(warned.stderr, /^A number is compared with a text\./);
});

test('completion scripts know the commands and their options', async () => {
  const { stdout } = await graphdb(['completion', 'bash']);
  const script = `${stdout}
    COMP_WORDS=(graphdb ex); COMP_CWORD=1; _graphdb; echo "\${COMPREPLY[@]}"
    COMP_WORDS=(graphdb run --format ''); COMP_CWORD=3; _graphdb; echo "\${COMPREPLY[@]}"
    COMP_WORDS=(graphdb import --dry); COMP_CWORD=2; _graphdb; echo "\${COMPREPLY[@]}"`;
  assert.equal(spawnSync('bash', ['-c', script], { encoding: 'utf8' }).stdout, 'explain export\ntable json ndjson csv\n--dry-run\n');
  for (const shell of ['zsh', 'fish']) assert.match((await graphdb(['completion', shell])).stdout, /import/);
  assert.equal((await graphdb(['completion', 'tcsh'])).status, 2);
});
