/**
 * Switches of the engine that change speed and memory but never a result. They are environment variables, read when an
 * engine is opened; any value other than `0` or `OFF` enables. (GRAPHDB_SST_CACHE, which is no field of this type,
 * takes a size as well: see the engine's cache of SSTs.)
 */
export interface EngineFlags {
  /**
   * GRAPHDB_ADJACENCY: relationships are sorted into compressed sparse rows; without it their lists stay linked, as
   * those of new relationships are.
   */
  readonly adjacency: boolean;
  /** GRAPHDB_NODE_CACHE: a node that stands in several rows of a result is read once. */
  readonly nodeCache: boolean;
  /** GRAPHDB_FACTORIZE: rows that differ in nothing that is read again become one with a count. */
  readonly factorize: boolean;
  /** GRAPHDB_WCOJ, which needs `factorize`: nodes that close a cycle are found by intersecting sorted lists. */
  readonly wcoj: boolean;
  /** GRAPHDB_PROFILE_DUMP: the time that each stage of a statement took is written to stderr. */
  readonly profileDump: boolean;
}

interface EngineFlag {
  readonly name: keyof EngineFlags;
  readonly variable: string;
  readonly byDefault: boolean;
  readonly description: string;
}

/** Each switch with its variable, as SHOW SETTINGS tells it. */
export const ENGINE_FLAGS: readonly EngineFlag[] = [
  { name: 'adjacency', variable: 'GRAPHDB_ADJACENCY', byDefault: true, description: 'Sort relationships into compressed sparse rows.' },
  {
    name: 'nodeCache',
    variable: 'GRAPHDB_NODE_CACHE',
    byDefault: true,
    description: 'Read a node that stands in several rows of a result once.',
  },
  {
    name: 'factorize',
    variable: 'GRAPHDB_FACTORIZE',
    byDefault: false,
    description: 'Make rows that differ in nothing that is read again one with a count.',
  },
  {
    name: 'wcoj',
    variable: 'GRAPHDB_WCOJ',
    byDefault: false,
    description: 'Find nodes that close a cycle by intersecting sorted lists; needs GRAPHDB_FACTORIZE.',
  },
  {
    name: 'profileDump',
    variable: 'GRAPHDB_PROFILE_DUMP',
    byDefault: false,
    description: 'Write what each stage of a statement took to stderr.',
  },
];

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads the switches of the engine from the environment. */
export function engineFlags(environment: Environment = process.env): EngineFlags {
  const given = new Map(ENGINE_FLAGS.map(({ name, variable, byDefault }) => [name, isOn(environment[variable], byDefault)]));
  const flag = (name: keyof EngineFlags): boolean => given.get(name) === true;
  return {
    adjacency: flag('adjacency'),
    nodeCache: flag('nodeCache'),
    factorize: flag('factorize'),
    wcoj: flag('factorize') && flag('wcoj'),
    profileDump: flag('profileDump'),
  };
}

function isOn(value: string | undefined, byDefault: boolean): boolean {
  return value === undefined || value === '' ? byDefault : !/^(0|off)$/i.test(value);
}
