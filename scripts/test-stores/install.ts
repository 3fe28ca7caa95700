/** Installs the servers of the store tests into a folder that git ignores, once per version. */

import { spawn } from 'node:child_process';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

export class CannotInstall extends Error {}

const FOLDER = join(import.meta.dirname, '../../.cache/test-stores');
/** A registry that cannot be reached, or a machine too slow to compile a server, must not hold up everything else. */
const INSTALL_LIMIT_MS = 240_000;

export function installFolder(name: string): string {
  return join(FOLDER, name.replace(/[^\w.-]+/g, '-'));
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
  const child = spawn(command, parameters, {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: INSTALL_LIMIT_MS,
  });
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
  if (child.signalCode !== null)
    throw new CannotInstall(`${command} ${parameters.join(' ')} took longer than ${INSTALL_LIMIT_MS / 1_000} s`);
  const lastLine = complaints.trim().split('\n').at(-1) ?? '';
  throw new CannotInstall(`${command} ${parameters.join(' ')} failed: ${lastLine}`);
}
