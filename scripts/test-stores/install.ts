/** Installs the servers of the store tests into the user's cache folder, once per version. */

import { spawn } from 'node:child_process';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';

export class CannotInstall extends Error {}

export function installFolder(name: string): string {
  const cache = process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache');
  return join(cache, 'graphdb-test-stores', name.replace(/[^\w.-]+/g, '-'));
}

/** `go install` of a program from the Go module proxy; its binary is then in `folder`. */
export async function installGoProgram(folder: string, packageAndVersion: string): Promise<void> {
  await installOnce(folder, (GOBIN) => run('go', ['install', packageAndVersion], { GOBIN }));
}

export async function installNpmPackage(folder: string, packageAndVersion: string): Promise<void> {
  await installOnce(folder, (prefix) =>
    run('npm', ['install', '--prefix', prefix, '--no-save', '--no-audit', '--no-fund', packageAndVersion], {}),
  );
}

/** An installation that was cut off leaves nothing under the final name. */
async function installOnce(folder: string, install: (folder: string) => Promise<void>): Promise<void> {
  if (await stat(folder).catch(() => null)) return;
  const unfinished = `${folder}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { recursive: true });
  process.stdout.write(`installing ${folder}\n`);
  await install(unfinished);
  await rename(unfinished, folder);
}

async function run(command: string, parameters: readonly string[], environment: Readonly<Record<string, string>>): Promise<void> {
  const child = spawn(command, parameters, { env: { ...process.env, ...environment }, stdio: ['ignore', 'ignore', 'pipe'] });
  let complaints = '';
  child.stderr.on('data', (chunk) => {
    complaints += String(chunk);
  });
  const status = await new Promise<number | null>((resolve) => {
    child.once('error', (error) => {
      complaints = error.message;
      resolve(null);
    });
    child.once('close', resolve);
  });
  if (status === 0) return;
  const lastLine = complaints.trim().split('\n').at(-1) ?? '';
  throw new CannotInstall(`${command} ${parameters.join(' ')} failed: ${lastLine}`);
}
