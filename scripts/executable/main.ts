/**
 * The entry point of the single executable (build-executable.ts). The program is unpacked once for each build, into a
 * folder that only the user can write: `$XDG_CACHE_HOME/graphdb/<hash>`, `~/.cache/graphdb/<hash>`, or a folder of
 * temporary files where neither can be made.
 *
 * It is the server where it is called `graphdb-server`, or its first argument is `server`; otherwise the command line.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { homedir, tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { getRawAsset } from 'node:sea';
import { brotliDecompressSync } from 'node:zlib';

declare const PROGRAM_HASH: string;

const START = 'start.cjs';

const folder = unpackedProgram();
const [, , ...given] = process.argv;
const isServer = basename(process.argv0) === 'graphdb-server' || given[0] === 'server';
process.argv = [
  process.execPath,
  join(folder, isServer ? 'graphdb-server' : 'graphdb'),
  ...(given[0] === 'server' ? given.slice(1) : given),
];
const start = createRequire(join(folder, START))(`./${START}`) as (program: string) => Promise<unknown>;
void start(isServer ? 'server' : 'cli');

function unpackedProgram(): string {
  const user = process.getuid?.() ?? 0;
  // There may be no home, nor a name of the user.
  const places = [
    () => join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'graphdb'),
    () => join(tmpdir(), `graphdb-${user}`),
  ];
  const faults: unknown[] = [];
  for (const placeOf of places) {
    try {
      const place = placeOf();
      mkdirSync(place, { recursive: true, mode: 0o700 });
      const { uid, mode } = lstatSync(place);
      if (process.getuid !== undefined && (uid !== user || (mode & 0o022) !== 0)) throw new Error(`${place} can be written by others`);
      return unpackInto(join(place, PROGRAM_HASH));
    } catch (fault) {
      faults.push(fault);
    }
  }
  throw new AggregateError(faults, `graphdb: the program cannot be unpacked: ${faults.map(String).join('; ')}`);
}

/** Whoever comes first makes it; what is half made has another name. */
function unpackInto(target: string): string {
  if (existsSync(join(target, START))) return target;
  const making = `${target}.${randomBytes(6).toString('hex')}`;
  try {
    const archive = brotliDecompressSync(Buffer.from(getRawAsset('program')));
    const indexEnd = 4 + archive.readUInt32LE(0);
    let at = indexEnd;
    for (const [path, length] of JSON.parse(archive.toString('utf8', 4, indexEnd)) as [string, number][]) {
      const file = join(making, path);
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      writeFileSync(file, archive.subarray(at, at + length));
      at += length;
    }
    writeFileSync(join(making, START), "module.exports = (program) => import('./dist/' + program + '/main.js');\n");
    renameSync(making, target);
  } catch (fault) {
    rmSync(making, { recursive: true, force: true });
    // Another process was faster.
    if (!existsSync(join(target, START))) throw fault;
  }
  return target;
}
