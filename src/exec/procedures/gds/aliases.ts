/** Aliases of procedures in the tiers `alpha` and `beta` of Graph Data Science. Each runs the procedure of the present name. */
import type { Procedure } from '../../runtime/procedure.ts';

const MODES = ['stream', 'stats', 'mutate', 'write'];

/** Algorithms by their present name, with the tiers in which they have aliases. */
const ALGORITHMS: Readonly<Record<string, readonly string[]>> = {
  articleRank: ['alpha', 'beta'],
  'closeness.harmonic': ['alpha'],
  closeness: ['alpha', 'beta'],
  eigenvector: ['alpha', 'beta'],
  hits: ['alpha'],
  knn: ['beta'],
  'knn.filtered': ['alpha'],
  'nodeSimilarity.filtered': ['alpha'],
  scc: ['alpha'],
  k1coloring: ['beta'],
  leiden: ['alpha', 'beta'],
  kcore: ['alpha'],
  scaleProperties: ['alpha', 'beta'],
  spanningTree: ['alpha', 'beta'],
  node2vec: ['alpha', 'beta'],
  randomWalk: ['alpha', 'beta'],
  fastRP: ['beta'],
};

/** Aliases of other procedures, with their present names. */
const OTHERS: Readonly<Record<string, string>> = {
  'gds.beta.listProgress': 'gds.listProgress',
  'gds.beta.graph.project.subgraph': 'gds.graph.filter',
  'gds.beta.graph.generate': 'gds.graph.generate',
  'gds.beta.graph.relationships.stream': 'gds.graph.relationships.stream',
  'gds.beta.graph.relationships.toUndirected': 'gds.graph.relationships.toUndirected',
  'gds.alpha.graph.nodeLabel.mutate': 'gds.graph.nodeLabel.mutate',
  'gds.alpha.graph.nodeLabel.write': 'gds.graph.nodeLabel.write',
  'gds.graph.streamNodeProperty': 'gds.graph.nodeProperty.stream',
  'gds.graph.streamNodeProperties': 'gds.graph.nodeProperties.stream',
  'gds.graph.writeNodeProperties': 'gds.graph.nodeProperties.write',
  'gds.graph.removeNodeProperties': 'gds.graph.nodeProperties.drop',
  'gds.graph.streamRelationshipProperty': 'gds.graph.relationshipProperty.stream',
  'gds.graph.streamRelationshipProperties': 'gds.graph.relationshipProperties.stream',
  'gds.graph.writeRelationship': 'gds.graph.relationship.write',
  'gds.graph.deleteRelationships': 'gds.graph.relationships.drop',
};

function formerNames(): [string, string][] {
  const algorithms = Object.entries(ALGORITHMS).flatMap(([name, tiers]) =>
    tiers.flatMap((tier) =>
      MODES.flatMap((mode): [string, string][] => [
        [`gds.${tier}.${name}.${mode}`, `gds.${name}.${mode}`],
        [`gds.${tier}.${name}.${mode}.estimate`, `gds.${name}.${mode}.estimate`],
      ]),
    ),
  );
  return [...algorithms, ...Object.entries(OTHERS)];
}

/** Returns the procedures under their aliases; aliases of unknown procedures are left out. */
export function aliasesOf(procedures: readonly Procedure[]): readonly Procedure[] {
  const known = new Map(procedures.map((each) => [each.name, each]));
  return formerNames().flatMap(([former, today]) => {
    const procedure = known.get(today);
    return procedure === undefined ? [] : [{ ...procedure, name: former, description: `Former name of ${today}.` }];
  });
}
