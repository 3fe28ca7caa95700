/**
 * The order of the house: how the files of `src/` lie in folders and import each other.
 *
 * - A folder holds at most 22 files beside tests and fixtures.
 * - Files do not import each other in a cycle; types count. The groups below are free to, each in one cycle: where a
 *   grammar or a tree recurses, so does the code.
 * - Folders side by side do not import each other in both directions; imports within a group do not count.
 */
import { importsOf, type SourceModule } from './layers.ts';

const MOST_FILES = 22;
const MOST_GROUPS = 5;

/** Files of `src/` that may import each other in a cycle. */
export interface Group {
  /** Folders, with all that is in them, and single files; each has a part in the cycle. */
  readonly places: readonly string[];
  readonly reason: string;
}

export const GROUPS: readonly Group[] = [
  { places: ['cypher/parser'], reason: 'the grammar recurses: an expression holds patterns and queries, which hold expressions' },
  { places: ['cypher/binder'], reason: 'it follows the syntax tree, which recurses as the grammar does' },
  { places: ['cypher/format'], reason: 'it writes the syntax tree, which recurses as the grammar does' },
  { places: ['exec/codegen'], reason: 'an operator holds expressions, and an expression the operators of its subquery' },
];

/** The modules that a module imports, by its path. */
type Imports = ReadonlyMap<string, readonly string[]>;

/** One line per fault. */
export function findHouseFaults(modules: readonly SourceModule[], groups: readonly Group[]): string[] {
  const sources = modules.filter(({ path }) => !/\.(?:test|fixture)\.ts$/.test(path));
  const paths = new Set(sources.map(({ path }) => path));
  const imports: Imports = new Map(
    sources.map((source) => [
      source.path,
      importsOf(source)
        .map(({ path }) => path)
        .filter((path) => paths.has(path)),
    ]),
  );
  return [...fullFolders([...paths]), ...cycleFaults(imports, groups), ...mutualFolders(imports, groups)];
}

function fullFolders(paths: readonly string[]): string[] {
  return [...Map.groupBy(paths, folderOf)]
    .filter(([, files]) => files.length > MOST_FILES)
    .map(([folder, files]) => `src/${folder}: ${files.length} files; a folder holds at most ${MOST_FILES} beside tests and fixtures`);
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

function cycleFaults(imports: Imports, groups: readonly Group[]): string[] {
  const faults = groups.length > MOST_GROUPS ? [`${groups.length} groups may import in a cycle; at most ${MOST_GROUPS} may`] : [];
  const used = new Set<Group>();
  for (const cycle of cyclesOf(imports)) {
    const group = groups.find((each) => cycle.every((path) => isIn(each, path)));
    if (group === undefined || used.has(group)) {
      const beside = group === undefined ? '' : ` beside the cycle of ${group.places.join(', ')}`;
      faults.push(`${shortestWay(imports, cycle)}: a cycle of imports among ${cycle.length} files${beside}`);
      continue;
    }
    used.add(group);
    const idle = group.places.filter((place) => !cycle.some((path) => isAt(place, path)));
    faults.push(...idle.map((place) => `src/${place}: has no part in the cycle of its group; take it off the list`));
  }
  const unused = groups.filter((group) => !used.has(group));
  return [
    ...faults,
    ...unused.map(({ places }) => `src/${places.join(', src/')}: a group without a cycle of imports; take it off the list`),
  ];
}

function isIn({ places }: Group, path: string): boolean {
  return places.some((place) => isAt(place, path));
}

function isAt(place: string, path: string): boolean {
  return path === place || path.startsWith(`${place}/`);
}

/** The strongly connected components of more than one module, by Tarjan's algorithm; the paths of each in alphabetical order. */
function cyclesOf(imports: Imports): string[][] {
  const cycles: string[][] = [];
  const numbers = new Map<string, number>();
  const open: string[] = [];
  const visit = (path: string): number => {
    const number = numbers.size;
    let lowest = number;
    numbers.set(path, number);
    open.push(path);
    for (const imported of imports.get(path) ?? []) {
      const known = numbers.get(imported);
      if (known === undefined) lowest = Math.min(lowest, visit(imported));
      else if (open.includes(imported)) lowest = Math.min(lowest, known);
    }
    if (lowest === number) {
      const cycle = open.splice(open.indexOf(path));
      if (cycle.length > 1) cycles.push(cycle.toSorted());
    }
    return lowest;
  };
  for (const path of imports.keys()) if (!numbers.has(path)) visit(path);
  return cycles;
}

/** A shortest way round within a cycle: `src/a.ts → src/b.ts → src/a.ts`. */
function shortestWay(imports: Imports, cycle: readonly string[]): string {
  const ways = cycle.map((start) => wayRound(imports, cycle, start)).toSorted((a, b) => a.length - b.length);
  return (ways[0] ?? []).map((path) => `src/${path}`).join(' → ');
}

/** A shortest way from a member of a cycle back to it, found breadth first. */
function wayRound(imports: Imports, cycle: readonly string[], start: string): string[] {
  const found = new Set<string>();
  let ways: string[][] = [[start]];
  while (ways.length > 0) {
    const longer: string[][] = [];
    for (const way of ways) {
      for (const next of imports.get(way.at(-1) ?? start) ?? []) {
        if (next === start) return [...way, next];
        if (!cycle.includes(next) || found.has(next)) continue;
        found.add(next);
        longer.push([...way, next]);
      }
    }
    ways = longer;
  }
  return [start];
}

function mutualFolders(imports: Imports, groups: readonly Group[]): string[] {
  /** An example of an import between two folders, by `<folder> <folder beside it>`. */
  const examples = new Map<string, string>();
  for (const [path, imported] of imports) {
    for (const other of imported) {
      const sides = foldersBeside(path, other);
      const isWithin = groups.some((group) => isIn(group, path) && isIn(group, other));
      if (sides !== null && !isWithin) examples.set(sides.join(' '), `src/${path} imports src/${other}`);
    }
  }
  return [...examples].flatMap(([sides, example]) => {
    const [from = '', to = ''] = sides.split(' ');
    const back = examples.get(`${to} ${from}`);
    return from > to || back === undefined ? [] : [`src/${from} and src/${to} import each other: ${example}, ${back}`];
  });
}

/**
 * The two folders of one layer that lie side by side and hold a module each; null: one module lies beside the folder of
 * the other, or they are of two layers.
 */
function foldersBeside(one: string, other: string): readonly [string, string] | null {
  const [a, b] = [one.split('/'), other.split('/')];
  const depth = a.findIndex((name, index) => name !== b[index]);
  if (depth < 1 || depth >= a.length - 1 || depth >= b.length - 1) return null;
  return [a.slice(0, depth + 1).join('/'), b.slice(0, depth + 1).join('/')];
}
