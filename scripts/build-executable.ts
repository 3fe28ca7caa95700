/**
 * `npm run build:executable [-- --out <file>]`: one file that is the command line and the server, with the Node that
 * builds it, for machines of its kind that have nothing else (`dist-executable/graphdb` unless told).
 *
 * A single executable of Node runs one script of CommonJS and carries files (assets). Threads of the engine begin at
 * files, so the script (executable/main.ts) unpacks the program beside the user's caches once for each build, and runs
 * it from there.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { brotliCompressSync, constants } from 'node:zlib';
import { build } from 'esbuild';
import { inject } from 'postject';
import { buildConsole } from './build-console.ts';
import { PROGRAM } from './bundle.ts';
import { bundleWhole } from './bundle-whole.ts';

const ROOT = join(import.meta.dirname, '..');
/** The marker that postject looks for in the binary of Node. */
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';
/** Compressing takes seconds at the highest quality, and saves little beyond this one. */
const BROTLI_QUALITY = 9;

const { values: options } = parseArgs({ options: { out: { type: 'string', default: join(ROOT, 'dist-executable/graphdb') } } });
const folder = mkdtempSync(join(tmpdir(), 'graphdb-executable-'));
try {
  const program = join(folder, 'program');
  await bundleWhole(
    PROGRAM.filter((part) => part !== 'index' && part !== 'stdio/main'),
    program,
  );
  await buildConsole(join(program, 'dist/console'));
  const packed = brotliCompressSync(archiveOf(program), { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } });
  writeFileSync(join(folder, 'program.br'), packed);
  await build({
    entryPoints: [join(import.meta.dirname, 'executable/main.ts')],
    outfile: join(folder, 'main.cjs'),
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node24',
    define: { PROGRAM_HASH: JSON.stringify(createHash('sha256').update(packed).digest('hex')) },
    logLevel: 'warning',
  });
  const configuration = {
    main: join(folder, 'main.cjs'),
    output: join(folder, 'blob'),
    disableExperimentalSEAWarning: true,
    useCodeCache: false,
    execArgv: ['--max-old-space-size-percentage=50', '--max-semi-space-size=16'],
    assets: { program: join(folder, 'program.br') },
  };
  writeFileSync(join(folder, 'sea.json'), JSON.stringify(configuration));
  execFileSync(process.execPath, ['--experimental-sea-config', join(folder, 'sea.json')], { stdio: ['ignore', 'ignore', 'inherit'] });
  mkdirSync(dirname(options.out), { recursive: true });
  rmSync(options.out, { force: true });
  copyFileSync(process.execPath, options.out);
  chmodSync(options.out, 0o755);
  const isMac = process.platform === 'darwin';
  const machO = isMac ? { machoSegmentName: 'NODE_SEA' } : {};
  await inject(options.out, 'NODE_SEA_BLOB', readFileSync(configuration.output), { sentinelFuse: FUSE, ...machO });
  if (isMac) execFileSync('codesign', ['--sign', '-', '--force', options.out]);
  console.log(`${options.out}: ${(statSync(options.out).size / 2 ** 20).toFixed(0)} MiB`);
} finally {
  rmSync(folder, { recursive: true });
}

/**
 * All files of a folder: the length of a JSON index (32 bits, little end first), the index (`[[path, bytes], …]`), and
 * the files one behind the other.
 */
function archiveOf(from: string): Buffer {
  const files = readdirSync(from, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  const contents = files.map((file) => readFileSync(file));
  const index = Buffer.from(JSON.stringify(files.map((file, i) => [relative(from, file), contents[i]!.length])));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(index.length);
  return Buffer.concat([length, index, ...contents]);
}
