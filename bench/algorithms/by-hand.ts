/** Loops as somebody would write them for one purpose, over the arrays that kernels read: nothing is counted, stopped or shared. */

export interface Lists {
  readonly offsets: Uint32Array;
  readonly targets: Uint32Array;
  readonly weights: Float64Array;
}

/** @returns what keeps the compiler from leaving the loop out */
export type ByHand = (out: Lists, inverse: Lists) => number;

export const pageRank: ByHand = ({ offsets }, inverse) => {
  const nodeCount = offsets.length - 1;
  let ranks = new Float64Array(nodeCount).fill(0.15);
  let next = new Float64Array(nodeCount);
  const shares = new Float64Array(nodeCount);
  for (let iteration = 1; iteration < 20; iteration++) {
    for (let node = 0; node < nodeCount; node++) shares[node] = ranks[node]! / (offsets[node + 1]! - offsets[node]!);
    for (let node = 0; node < nodeCount; node++) {
      let sum = 0;
      for (let i = inverse.offsets[node]!; i < inverse.offsets[node + 1]!; i++) sum += shares[inverse.targets[i]!]!;
      next[node] = 0.15 + 0.85 * sum;
    }
    [ranks, next] = [next, ranks];
  }
  return ranks[0]!;
};

export const wcc: ByHand = ({ offsets, targets }) => {
  const nodeCount = offsets.length - 1;
  const parents = Uint32Array.from({ length: nodeCount }, (_, i) => i);
  const find = (node: number): number => {
    let at = node;
    while (parents[at] !== at) at = parents[at] = parents[parents[at]!]!;
    return at;
  };
  for (let node = 0; node < nodeCount; node++)
    for (let i = offsets[node]!; i < offsets[node + 1]!; i++) {
      const [a, b] = [find(node), find(targets[i]!)];
      if (a < b) parents[b] = a;
      else parents[a] = b;
    }
  for (let node = 0; node < nodeCount; node++) parents[node] = find(node);
  return parents[nodeCount - 1]!;
};

export const bfs: ByHand = ({ offsets, targets }) => {
  const nodeCount = offsets.length - 1;
  const isSeen = new Uint8Array(nodeCount);
  const queue = new Uint32Array(nodeCount);
  isSeen[0] = 1;
  let count = 1;
  for (let head = 0; head < count; head++) {
    const node = queue[head]!;
    for (let i = offsets[node]!; i < offsets[node + 1]!; i++) {
      const target = targets[i]!;
      if (isSeen[target] === 1) continue;
      isSeen[target] = 1;
      queue[count++] = target;
    }
  }
  return count;
};

/** Dijkstra with a binary heap of pairs, lazily deleted. */
export const sssp: ByHand = ({ offsets, targets, weights }) => {
  const nodeCount = offsets.length - 1;
  const distances = new Float64Array(nodeCount).fill(Number.POSITIVE_INFINITY);
  const nodes: number[] = [0];
  const keys: number[] = [0];
  distances[0] = 0;
  while (nodes.length > 0) {
    const node = nodes[0]!;
    const key = keys[0]!;
    const lastNode = nodes.pop()!;
    const lastKey = keys.pop()!;
    if (nodes.length > 0) {
      let at = 0;
      for (;;) {
        let child = 2 * at + 1;
        if (child >= nodes.length) break;
        if (child + 1 < nodes.length && keys[child + 1]! < keys[child]!) child++;
        if (keys[child]! >= lastKey) break;
        nodes[at] = nodes[child]!;
        keys[at] = keys[child]!;
        at = child;
      }
      nodes[at] = lastNode;
      keys[at] = lastKey;
    }
    if (key > distances[node]!) continue;
    for (let i = offsets[node]!; i < offsets[node + 1]!; i++) {
      const target = targets[i]!;
      const distance = key + weights[i]!;
      if (distance >= distances[target]!) continue;
      distances[target] = distance;
      let at = nodes.length;
      nodes.push(target);
      keys.push(distance);
      while (at > 0) {
        const above = (at - 1) >> 1;
        if (keys[above]! <= distance) break;
        nodes[at] = nodes[above]!;
        keys[at] = keys[above]!;
        at = above;
      }
      nodes[at] = target;
      keys[at] = distance;
    }
  }
  return distances[nodeCount - 1]!;
};

export const cdlp: ByHand = ({ offsets, targets }) => {
  const nodeCount = offsets.length - 1;
  let labels = Uint32Array.from({ length: nodeCount }, (_, i) => i);
  let next = new Uint32Array(nodeCount);
  const counts = new Uint32Array(nodeCount);
  for (let iteration = 0; iteration < 10; iteration++) {
    for (let node = 0; node < nodeCount; node++) {
      let best = labels[node]!;
      let most = 0;
      for (let i = offsets[node]!; i < offsets[node + 1]!; i++) {
        const label = labels[targets[i]!]!;
        const count = ++counts[label]!;
        if (count > most || (count === most && label < best)) {
          most = count;
          best = label;
        }
      }
      for (let i = offsets[node]!; i < offsets[node + 1]!; i++) counts[labels[targets[i]!]!] = 0;
      next[node] = best;
    }
    [labels, next] = [next, labels];
  }
  return labels[0]!;
};

/** Triangles by lists of later neighbours, of simple graphs: parallel relationships are passed over. */
export const lcc: ByHand = ({ offsets, targets }) => {
  const nodeCount = offsets.length - 1;
  const degrees = new Uint32Array(nodeCount);
  const clean = new Uint32Array(targets.length);
  const ends = new Uint32Array(nodeCount);
  for (let node = 0; node < nodeCount; node++) {
    let last = -1;
    let at = offsets[node]!;
    for (let i = offsets[node]!; i < offsets[node + 1]!; i++) {
      if (targets[i] === last || targets[i] === node) continue;
      last = targets[i]!;
      clean[at++] = last;
    }
    ends[node] = at;
    degrees[node] = at - offsets[node]!;
  }
  for (let node = 0; node < nodeCount; node++) {
    let at = offsets[node]!;
    for (let i = offsets[node]!; i < ends[node]!; i++) {
      const other = clean[i]!;
      if (degrees[other]! > degrees[node]! || (degrees[other] === degrees[node] && other > node)) clean[at++] = other;
    }
    ends[node] = at;
  }
  const marks = new Uint32Array(nodeCount);
  const triangles = new Float64Array(nodeCount);
  for (let node = 0; node < nodeCount; node++) {
    for (let i = offsets[node]!; i < ends[node]!; i++) marks[clean[i]!] = node + 1;
    for (let i = offsets[node]!; i < ends[node]!; i++) {
      const middle = clean[i]!;
      for (let j = offsets[middle]!; j < ends[middle]!; j++) {
        if (marks[clean[j]!] !== node + 1) continue;
        triangles[node]!++;
        triangles[middle]!++;
        triangles[clean[j]!]!++;
      }
    }
  }
  let sum = 0;
  for (let node = 0; node < nodeCount; node++) {
    const degree = degrees[node]!;
    if (degree > 1) sum += (2 * triangles[node]!) / (degree * (degree - 1));
  }
  return sum;
};

/** Graphalytics' coefficient: relationships among the neighbours of either direction, by how many there could be. */
export const directedLcc: ByHand = ({ offsets, targets }, inverse) => {
  const nodeCount = offsets.length - 1;
  const clean = new Uint32Array(targets.length);
  const ends = new Uint32Array(nodeCount);
  for (let node = 0; node < nodeCount; node++) {
    let at = offsets[node]!;
    for (let i = offsets[node]!; i < offsets[node + 1]!; i++)
      if (targets[i] !== node && (at === offsets[node] || targets[i] !== clean[at - 1])) clean[at++] = targets[i]!;
    ends[node] = at;
  }
  const marks = new Uint32Array(nodeCount);
  const neighbours = new Uint32Array(nodeCount);
  let sum = 0;
  for (let node = 0; node < nodeCount; node++) {
    let degree = 0;
    const add = (other: number): void => {
      if (other === node || marks[other] === node + 1) return;
      marks[other] = node + 1;
      neighbours[degree++] = other;
    };
    for (let i = offsets[node]!; i < ends[node]!; i++) add(clean[i]!);
    for (let i = inverse.offsets[node]!; i < inverse.offsets[node + 1]!; i++) add(inverse.targets[i]!);
    let among = 0;
    for (let k = 0; k < degree; k++) {
      const middle = neighbours[k]!;
      for (let i = offsets[middle]!; i < ends[middle]!; i++) if (marks[clean[i]!] === node + 1) among++;
    }
    if (degree > 1) sum += among / (degree * (degree - 1));
  }
  return sum;
};
