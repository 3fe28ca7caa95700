/** All algorithms. */
import { betweenness } from './centrality/betweenness.ts';
import { closeness, harmonic } from './centrality/closeness.ts';
import { degree } from './centrality/degree.ts';
import { eigenvector } from './centrality/eigenvector.ts';
import { hits } from './centrality/hits.ts';
import { articleRank, pageRank } from './centrality/page-rank.ts';
import { scaleProperties } from './centrality/scale-properties.ts';
import { directedClusteringCoefficient } from './community/directed-clustering.ts';
import { kcore } from './community/k-core.ts';
import { k1coloring } from './community/k1-coloring.ts';
import { labelPropagation } from './community/label-propagation.ts';
import { leiden } from './community/leiden.ts';
import { louvain } from './community/louvain.ts';
import { localClusteringCoefficient, triangleCount } from './community/triangles.ts';
import { scc } from './components/scc.ts';
import { wcc } from './components/wcc.ts';
import { fastRP } from './embeddings/fast-rp.ts';
import { node2vec } from './embeddings/node2vec.ts';
import { randomWalk } from './embeddings/random-walk.ts';
import { astar, delta, dijkstraToAll, dijkstraToTargets } from './paths/shortest-paths.ts';
import { spanningTree } from './paths/spanning-tree.ts';
import { bfs, dfs } from './paths/traversal.ts';
import { yens } from './paths/yens.ts';
import { filteredKnn, knn } from './similarity/knn.ts';
import { filteredNodeSimilarity, nodeSimilarity } from './similarity/node-similarity.ts';
import type { Algorithm } from './table/algorithm.ts';

/** All algorithms, in the order in which `gds.list` shows them. */
export const algorithms: readonly Algorithm[] = [
  pageRank,
  articleRank,
  eigenvector,
  degree,
  betweenness,
  closeness,
  harmonic,
  hits,
  wcc,
  scc,
  labelPropagation,
  louvain,
  leiden,
  triangleCount,
  localClusteringCoefficient,
  directedClusteringCoefficient,
  kcore,
  k1coloring,
  bfs,
  dfs,
  dijkstraToTargets,
  astar,
  yens,
  dijkstraToAll,
  delta,
  spanningTree,
  nodeSimilarity,
  filteredNodeSimilarity,
  knn,
  filteredKnn,
  randomWalk,
  fastRP,
  node2vec,
  scaleProperties,
];
