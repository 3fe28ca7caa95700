/**
 * Switches of the engine that change speed and memory, never a result: variables of the environment, read when an engine is opened. Any value other than `0` or `OFF` enables.
 * (GRAPHDB_SST_CACHE, which is one of them, also takes a size: see the engine's cache of SSTs.)
 */
export interface EngineFlags {
  /** GRAPHDB_ADJACENCY: relationships are sorted into compressed sparse rows; without it their lists stay linked, as those of new relationships are. */
  readonly adjacency: boolean;
  /** GRAPHDB_NODE_CACHE: a node that stands in several rows of a result is read once. */
  readonly nodeCache: boolean;
  /** GRAPHDB_FACTORIZE: rows that differ in nothing that is read again become one with a count. */
  readonly factorize: boolean;
  /** GRAPHDB_WCOJ, which needs `factorize`: nodes that close a cycle are found by intersecting sorted lists. */
  readonly wcoj: boolean;
  /** GRAPHDB_PROFILE_DUMP: what each stage of a statement took, on stderr. */
  readonly profileDump: boolean;
}

export function engineFlags(environment: Readonly<Record<string, string | undefined>> = process.env): EngineFlags {
  const flag = (name: string, byDefault: boolean): boolean => {
    const value = environment[`GRAPHDB_${name}`];
    return value === undefined || value === '' ? byDefault : !/^(0|off)$/i.test(value);
  };
  const factorize = flag('FACTORIZE', false);
  return {
    adjacency: flag('ADJACENCY', true),
    nodeCache: flag('NODE_CACHE', true),
    factorize,
    wcoj: factorize && flag('WCOJ', false),
    profileDump: flag('PROFILE_DUMP', false),
  };
}
