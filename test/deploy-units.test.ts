/**
 * Files that start the server elsewhere: the unit of systemd and the chart of Helm use no setting that the server does
 * not know. Their own checkers look at them where they are there: systemd-analyze, and helm on PATH or where
 * GRAPHDB_HELM says.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { readConfiguration } from '../src/server/configuration.ts';

const ROOT = join(import.meta.dirname, '..');
const CHART = join(ROOT, 'deploy/helm/graphdb');
const HELM = process.env['GRAPHDB_HELM'] ?? 'helm';

function has(program: string, ...args: string[]): boolean {
  return spawnSync(program, args).status === 0;
}

function folder(context: TestContext): string {
  const place = mkdtempSync(join(tmpdir(), 'graphdb-deploy-'));
  context.after(() => rmSync(place, { recursive: true }));
  return place;
}

test('the unit is one that systemd takes', { skip: !has('systemd-analyze', '--version') && 'there is no systemd-analyze' }, (context) => {
  const unit = join(folder(context), 'graphdb.service');
  const text = readFileSync(join(ROOT, 'deploy/systemd/graphdb.service'), 'utf8');
  writeFileSync(unit, text.replace(/^ExecStart=\S+/m, `ExecStart=${join(ROOT, 'bin/graphdb-server')}`));
  const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', unit], { encoding: 'utf8' });
  assert.deepEqual([status, stderr], [0, '']);
});

test('the example in the unit is a configuration file', (context) => {
  const text = readFileSync(join(ROOT, 'deploy/systemd/graphdb.service'), 'utf8');
  const lines = [...text.matchAll(/^# {3}(.* = .*)$/gm)].map(([, line]) => line);
  assert.ok(lines.length >= 2);
  const path = join(folder(context), 'graphdb.conf');
  writeFileSync(path, lines.join('\n'));
  assert.equal(readConfiguration(['--config', path], {}).store, 'file:///var/lib/graphdb?ns=main');
});

test('the chart has the version of the package, and probes that there are', () => {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
  assert.match(readFileSync(join(CHART, 'Chart.yaml'), 'utf8'), new RegExp(`^version: ${version}\\nappVersion: ${version}$`, 'm'));
  const templates = readdirSync(join(CHART, 'templates')).map((name) => readFileSync(join(CHART, 'templates', name), 'utf8'));
  const paths = templates.flatMap((text) => [...text.matchAll(/^\s+path: (\S+)$/gm)].map(([, path]) => path));
  assert.deepEqual([...new Set(paths)].sort(), ['/v0/live', '/v0/ready']);
  const openapi = readFileSync(join(ROOT, 'src/http/openapi.ts'), 'utf8');
  for (const path of paths) assert.ok(openapi.includes(`'${path}'`), path);
});

test('the chart is one that helm takes, and its settings are those of the server', {
  skip: !has(HELM, 'version') && 'there is no helm',
}, (context) => {
  const values = ['--set', 'store=s3://bucket/graphs?ns=prod&region=eu-central-1', '--set', 'readers=2', '--set', 'existingSecret=graphdb'];
  const lint = spawnSync(HELM, ['lint', '--strict', CHART, ...values], { encoding: 'utf8' });
  assert.equal(lint.status, 0, lint.stdout + lint.stderr);
  const { stdout, status, stderr } = spawnSync(HELM, ['template', 'graph', CHART, ...values], { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  const kinds = [...stdout.matchAll(/^kind: (\w+)$/gm)].map(([, kind]) => kind);
  assert.deepEqual(kinds.sort(), ['ConfigMap', 'Deployment', 'Deployment', 'Service', 'Service', 'ServiceAccount']);
  const block = /graphdb\.conf: \|\n((?: {4}.*\n)+)/.exec(stdout)?.[1] ?? '';
  const path = join(folder(context), 'graphdb.conf');
  writeFileSync(path, block.replace(/^ {4}/gm, '').replace('cache-dir = /cache', `cache-dir = ${tmpdir()}`));
  const configuration = readConfiguration(['--config', path], {});
  assert.deepEqual(
    [configuration.store, configuration.listen.port, configuration.boltListen?.port, configuration.queryTimeoutMs],
    ['s3://bucket/graphs?ns=prod&region=eu-central-1', 8080, 7687, 30_000],
  );
  assert.match(stdout, /- --read-only\n/);
  const without = spawnSync(HELM, ['template', 'graph', CHART], { encoding: 'utf8' });
  assert.match(without.stderr, /store: a storage URI is needed/);
});
