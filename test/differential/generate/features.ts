/** The parts of the language that random statements are made of beside its core, each of which can be switched on and off. */
export const FEATURES = [
  /** UNION and UNION ALL inside EXISTS, COUNT and COLLECT. */
  'unions',
  /** Vectors as literals, properties and parameters, wherever a list may stand. */
  'vectors',
  /** A value that is no list where a list is iterated. */
  'singles',
  /** Chains of hundreds of operators, literals of many elements. */
  'chains',
  /** Map projections under a name of their own. */
  'projections',
  /** Map projections that are named after what they project. */
  'projection names',
  /** Rounding to places in a mode; means and deviations of numbers whose sum is no Float. */
  'numbers',
  /** The text of temporal values. */
  'texts',
  /** Points as literals and properties, their order, their distances, their components. */
  'points',
] as const;

export type Feature = (typeof FEATURES)[number];
export type Features = ReadonlySet<Feature>;

/** Those that a run draws from unless it is told otherwise. */
export const DRAWN: Features = new Set(FEATURES);

/** The features of a list of names, separated by commas; throws for a name that is none. */
export function parseFeatures(names: string): Features {
  return new Set(
    names.split(',').map((name) => {
      const feature = FEATURES.find((known) => known === name.trim());
      if (feature === undefined) throw new Error(`--features takes some of ${FEATURES.join(', ')}, separated by commas`);
      return feature;
    }),
  );
}
