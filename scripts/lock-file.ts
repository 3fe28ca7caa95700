/**
 * Keeps package-lock.json whole. Packages with native parts (biome, oxc-parser under knip) name one optional package
 * per platform. A registry mirror that carries only some platforms makes `npm install` leave the others out of the lock
 * file, and `npm ci` then refuses it. The missing entries are written from the names: version from the package that
 * wants them, platform from their own name. They have no checksum; npm skips them on every platform but theirs.
 */

export interface LockFile {
  readonly packages: Record<string, LockEntry>;
}

export interface LockEntry {
  readonly version?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const SYSTEMS = ['android', 'darwin', 'freebsd', 'linux', 'openharmony', 'win32'];
const PROCESSORS = ['arm', 'arm64', 'ia32', 'ppc64', 'riscv64', 's390x', 'x64'];

/** The entries that are wanted and not there, by their place in the lock file. */
export function missingEntries({ packages }: LockFile): Map<string, LockEntry> {
  const missing = new Map<string, LockEntry>();
  for (const [place, entry] of Object.entries(packages)) {
    for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
      const path = `node_modules/${name}`;
      if (packages[path] !== undefined || packages[`${place}/${path}`] !== undefined) continue;
      missing.set(path, { version, ...platformOf(name), ...(entry.dev === true ? { dev: true } : {}), optional: true });
    }
  }
  return missing;
}

/** `@biomejs/cli-linux-x64-musl`, `@oxc-parser/binding-win32-arm64-msvc`. */
function platformOf(name: string): LockEntry {
  const words = name.split(/[/-]/);
  const find = (known: readonly string[]) => known.filter((word) => words.includes(word));
  const isMusl = words.some((word) => word.startsWith('musl'));
  const isGnu = words.some((word) => word.startsWith('gnu'));
  return { os: find(SYSTEMS), cpu: find(PROCESSORS), ...(isMusl ? { libc: ['musl'] } : isGnu ? { libc: ['glibc'] } : {}) };
}
