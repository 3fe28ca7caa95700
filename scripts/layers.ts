/**
 * The arrows between the folders of `src/` (ARCHITECTURE.md): who may import whom, and that it goes through the door.
 *
 * - A layer may import itself, and the layers of the ranks before its own; two layers of one rank do not know each other.
 * - Across layers only the door, `src/<layer>/index.ts`, is imported; by tests also a fixture (`*.fixture.ts`).
 * - `src/index.ts` is a layer of its own.
 */

const RANKS: readonly (readonly string[])[] = [
  ['base'],
  ['value'],
  ['functions'],
  ['object-store'],
  ['formats'],
  ['search'],
  ['storage'],
  ['graph'],
  ['algorithms'],
  ['cypher'],
  ['plan'],
  ['exec', 'sql'],
  ['engine', 'import'],
  ['result', 'namespaces'],
  ['mcp', 'remote'],
  ['http', 'bolt', 'stdio', 'transfer'],
  ['server', 'cli', 'library'],
  ['index.ts'],
];

const IMPORTS =
  /^\s*(?:import|export)\b[^'"`;]*?\bfrom\s*['"](\.[^'"]+)['"]|^\s*import\s*['"](\.[^'"]+)['"]|\bimport\(\s*['"](\.[^'"]+)['"]/gm;

/** A module of `src/`: its path from there (`storage/api.ts`) and its text. */
export interface SourceModule {
  readonly path: string;
  readonly text: string;
}

/** An import of another module of `src/`, in any form: of values or of types alone, at once or when it is called for. */
export interface Import {
  /** From `src/`, as that of a module. */
  readonly path: string;
  readonly line: number;
}

/** The imports of a module in the order of its text. Packages are left out. */
export function importsOf({ path, text }: SourceModule): Import[] {
  return [...text.matchAll(IMPORTS)].map((match) => {
    const specifier = match[1] ?? match[2] ?? match[3] ?? '';
    const line = text.slice(0, match.index + match[0].indexOf(specifier)).split('\n').length;
    return { path: new URL(specifier, `file:///${path}`).pathname.slice(1), line };
  });
}

/** One line per forbidden import, with file and line. */
export function findViolations(modules: readonly SourceModule[]): string[] {
  return modules.flatMap((module) =>
    importsOf(module).flatMap(({ path, line }) => {
      const fault = faultOf(module.path, path);
      return fault === undefined ? [] : [`src/${module.path}:${line}: ${fault}`];
    }),
  );
}

function faultOf(importer: string, imported: string): string | undefined {
  const from = layerOf(importer);
  const to = layerOf(imported);
  if (from === to) return undefined;
  const fromRank = rankOf(from);
  const toRank = rankOf(to);
  if (fromRank < 0) return `the folder ${from} has no place among the layers`;
  if (toRank < 0) return `imports ${imported}, which is in no layer`;
  if (toRank >= fromRank) return `${from} must not import ${to}`;
  if (isTest(importer) && imported.endsWith('.fixture.ts')) return undefined;
  if (imported !== `${to}/index.ts`) return `imports ${imported} past the door ${to}/index.ts`;
  return undefined;
}

function isTest(path: string): boolean {
  return path.endsWith('.test.ts') || path.endsWith('.fixture.ts');
}

function layerOf(path: string): string {
  return path.split('/', 1)[0] ?? path;
}

function rankOf(layer: string): number {
  return RANKS.findIndex((rank) => rank.includes(layer));
}
