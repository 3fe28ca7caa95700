/** Questions about what lies around one person. */
import { type Csr, dayNumber, type Rows } from '../csr.ts';
import type { Cell } from '../peer.ts';
import type { Question } from '../question.ts';

interface Id {
  readonly id: number;
}

const id: Question['parameters'] = (choose) => ({ id: choose.person() });
/** Without KNOWS walked twice, in engines that would. */
const twoHops = '(SELECT k.b FROM knows k WHERE k.a = $id UNION SELECT l.b FROM knows k JOIN knows l ON l.a = k.b WHERE k.a = $id)';

export const NEIGHBOURHOOD: readonly Question[] = [
  {
    name: 'point',
    cypher: 'MATCH (p:Person {id: $id}) RETURN p.name AS name, p.age AS age, p.city AS city',
    sql: 'SELECT name, age, city FROM person WHERE id = $id',
    parameters: id,
    byHand: ({ graph, personAt }, { id }: Id) => {
      const p = personAt.get(id)!;
      return [[graph.names[p]!, graph.ages[p]!, graph.cities[p]!]];
    },
  },
  {
    name: 'neighbours',
    cypher: 'MATCH (p:Person {id: $id})-[:KNOWS]->(f:Person) RETURN f.id AS id, f.name AS name',
    sql: 'SELECT f.id, f.name FROM knows k JOIN person f ON f.id = k.b WHERE k.a = $id',
    parameters: id,
    byHand: ({ graph, personAt, personIds, knows }, { id }: Id) =>
      Array.from(neighbours(knows, personAt.get(id)!), (f) => [personIds[f]!, graph.names[f]!]),
  },
  {
    name: 'friends of friends',
    cypher:
      'MATCH (p:Person {id: $id})-[:KNOWS]->(:Person)-[:KNOWS]->(f:Person) WHERE NOT (p)-[:KNOWS]->(f) AND f.id <> $id RETURN ' +
      'DISTINCT f.id AS id',
    texts: {
      kuzu:
        'MATCH (p:Person {id: $id})-[:KNOWS]->(:Person)-[:KNOWS]->(f:Person) WHERE NOT EXISTS { MATCH (p)-[:KNOWS]->(f) } ' +
        'AND f.id <> $id RETURN DISTINCT f.id AS id',
    },
    sql:
      'SELECT DISTINCT l.b FROM knows k JOIN knows l ON l.a = k.b WHERE k.a = $id AND l.b <> $id AND l.b NOT IN (SELECT b ' +
      'FROM knows WHERE a = $id)',
    parameters: id,
    byHand: ({ personAt, personIds, knows }, { id }: Id) => {
      const p = personAt.get(id)!;
      const seen = marks(personIds.length);
      const stamp = seen.next();
      seen.marks[p] = stamp;
      for (const f of neighbours(knows, p)) seen.marks[f] = stamp;
      const rows: Cell[][] = [];
      for (const f of neighbours(knows, p)) {
        for (let i = knows.offsets[f]!; i < knows.offsets[f + 1]!; i++) {
          const g = knows.targets[i]!;
          if (seen.marks[g] === stamp) continue;
          seen.marks[g] = stamp;
          rows.push([personIds[g]!]);
        }
      }
      return rows;
    },
  },
  {
    name: 'paths of 3',
    cypher: 'MATCH (p:Person {id: $id})-[:KNOWS]->(:Person)-[:KNOWS]->(:Person)-[:KNOWS]->(f:Person) RETURN count(*) AS paths',
    texts: {
      kuzu:
        'MATCH (p:Person {id: $id})-[:KNOWS]->(a:Person)-[:KNOWS]->(b:Person)-[:KNOWS]->(f:Person) WHERE NOT (p.id = b.id ' +
        'AND a.id = f.id) RETURN count(*) AS paths',
      // Counts pairs of ends, not paths, unless a relationship is asked for.
      falkordb:
        'MATCH (p:Person {id: $id})-[k:KNOWS]->(a:Person)-[l:KNOWS]->(b:Person)-[m:KNOWS]->(f:Person) WHERE NOT (p.id = b.id ' +
        'AND a.id = f.id) RETURN count(l) + count(m) - count(k) AS paths',
    },
    sql:
      'SELECT count(*) FROM knows k JOIN knows l ON l.a = k.b JOIN knows m ON m.a = l.b WHERE k.a = $id AND NOT (m.a = k.a ' +
      'AND m.b = k.b)',
    parameters: id,
    byHand: ({ personAt, knows }, { id }: Id) => {
      const p = personAt.get(id)!;
      let paths = 0;
      for (const a of neighbours(knows, p)) {
        for (let i = knows.offsets[a]!; i < knows.offsets[a + 1]!; i++) {
          const b = knows.targets[i]!;
          paths += knows.offsets[b + 1]! - knows.offsets[b]!;
          if (b === p) paths--;
        }
      }
      return [[paths]];
    },
  },
  {
    name: 'newest of friends',
    cypher:
      'MATCH (p:Person {id: $id})-[:KNOWS]->(f:Person)<-[:HAS_CREATOR]-(m:Message) RETURN f.id AS friend, m.id AS message, ' +
      'm.created AS created ORDER BY created DESC, message LIMIT 20',
    sql:
      'SELECT c.b, m.id, m.created FROM knows k JOIN has_creator c ON c.b = k.b JOIN message m ON m.id = c.a WHERE k.a = $id ' +
      'ORDER BY m.created DESC, m.id LIMIT 20',
    parameters: id,
    byHand: (csr, { id }: Id) => newest(csr, neighbours(csr.knows, csr.personAt.get(id)!)),
  },
  {
    name: 'recent likers',
    cypher:
      'MATCH (p:Person {id: $id})<-[:HAS_CREATOR]-(m:Message)<-[l:LIKES]-(f:Person) RETURN f.id AS liker, m.id AS message, l.at ' +
      'AS at ORDER BY at DESC, liker, message LIMIT 20',
    sql: 'SELECT l.a, l.b, l."at" FROM has_creator c JOIN likes l ON l.b = c.a WHERE c.b = $id ORDER BY l."at" DESC, l.a, l.b LIMIT 20',
    parameters: id,
    byHand: ({ personAt, personIds, messageIds, wrote, likers }, { id }: Id) => {
      const rows: [number, number, number][] = [];
      for (const m of neighbours(wrote, personAt.get(id)!)) {
        for (let i = likers.offsets[m]!; i < likers.offsets[m + 1]!; i++)
          rows.push([personIds[likers.targets[i]!]!, messageIds[m]!, likers.values[i]!]);
      }
      return rows.sort((a, b) => b[2] - a[2] || a[0] - b[0] || a[1] - b[1]).slice(0, 20);
    },
  },
  {
    name: 'replies',
    cypher:
      'MATCH (p:Person {id: $id})<-[:HAS_CREATOR]-(m:Message)<-[:REPLY_OF]-(c:Message)-[:HAS_CREATOR]->(a:Person) RETURN a.id ' +
      'AS author, c.id AS reply, c.created AS created ORDER BY created DESC, reply LIMIT 20',
    sql:
      'SELECT a.b, m.id, m.created FROM has_creator c JOIN reply_of r ON r.b = c.a JOIN message m ON m.id = r.a JOIN ' +
      'has_creator a ON a.a = r.a WHERE c.b = $id ORDER BY m.created DESC, m.id LIMIT 20',
    parameters: id,
    byHand: ({ graph, personAt, personIds, messageIds, wrote, replies }, { id }: Id) => {
      const rows: [number, number, number][] = [];
      for (const m of neighbours(wrote, personAt.get(id)!)) {
        for (const r of neighbours(replies, m)) rows.push([personIds[graph.creators[r]!]!, messageIds[r]!, graph.created[r]!]);
      }
      return rows.sort((a, b) => b[2] - a[2] || a[1] - b[1]).slice(0, 20);
    },
  },
  {
    name: 'newest within 2 hops',
    cypher:
      'MATCH (p:Person {id: $id})-[:KNOWS*1..2]->(f:Person) WITH DISTINCT f MATCH (f)<-[:HAS_CREATOR]-(m:Message) RETURN f.id ' +
      'AS friend, m.id AS message, m.created AS created ORDER BY created DESC, message LIMIT 20',
    sql:
      `SELECT c.b, m.id, m.created FROM ${twoHops} f JOIN has_creator c ON c.b = f.b JOIN message m ON m.id = c.a ORDER BY ` +
      'm.created DESC, m.id LIMIT 20',
    parameters: id,
    byHand: (csr, { id }: Id) => newest(csr, within(csr, csr.personAt.get(id)!, 2)),
  },
  {
    name: 'tags of friends in a window',
    cypher:
      'MATCH (p:Person {id: $id})-[:KNOWS]->(f:Person)<-[:HAS_CREATOR]-(m:Message)-[:HAS_TAG]->(t:Tag) WHERE m.day >= ' +
      'date($from) AND m.day < date($to) RETURN t.name AS name, count(*) AS n ORDER BY n DESC, name LIMIT 10',
    texts: {
      grafeo:
        'MATCH (p:Person {id: $id})-[:KNOWS]->(f:Person)<-[:HAS_CREATOR]-(m:Message)-[:HAS_TAG]->(t:Tag) WHERE m.day >= $from ' +
        'AND m.day < $to RETURN t.name AS name, count(*) AS n ORDER BY n DESC, name LIMIT 10',
      falkordb:
        'MATCH (p:Person {id: $id})-[:KNOWS]->(f:Person)<-[:HAS_CREATOR]-(m:Message)-[:HAS_TAG]->(t:Tag) WHERE m.day >= $from ' +
        'AND m.day < $to RETURN t.name AS name, count(*) AS n ORDER BY n DESC, name LIMIT 10',
    },
    sql:
      'SELECT t.name, count(*) AS n FROM knows k JOIN has_creator c ON c.b = k.b JOIN message m ON m.id = c.a JOIN has_tag h ' +
      'ON h.a = m.id JOIN tag t ON t.id = h.b WHERE k.a = $id AND m.day >= $from AND m.day < $to GROUP BY t.name ORDER BY n ' +
      'DESC, t.name LIMIT 10',
    parameters: (choose) => {
      const from = choose.day();
      return { id: choose.person(), from, to: choose.dayAfter(from, 120) };
    },
    byHand: (csr, { id, from, to }: Id & { from: string; to: string }) => {
      const [first, last] = [dayNumber(from), dayNumber(to)];
      const counts = new Map<number, number>();
      for (const f of neighbours(csr.knows, csr.personAt.get(id)!)) {
        for (const m of neighbours(csr.wrote, f)) {
          if (csr.days[m]! < first || csr.days[m]! >= last) continue;
          for (const t of neighbours(csr.tagOf, m)) counts.set(t, (counts.get(t) ?? 0) + 1);
        }
      }
      return topTags(counts);
    },
  },
  {
    name: 'tags beside a tag within 2 hops',
    cypher:
      'MATCH (p:Person {id: $id})-[:KNOWS*1..2]->(f:Person) WITH DISTINCT f MATCH ' +
      '(f)<-[:HAS_CREATOR]-(m:Message)-[:HAS_TAG]->(t:Tag {name: $tag}) MATCH (m)-[:HAS_TAG]->(o:Tag) WHERE o.name <> $tag ' +
      'RETURN o.name AS name, count(*) AS n ORDER BY n DESC, name LIMIT 10',
    sql:
      `SELECT o.name, count(*) AS n FROM tag t JOIN has_tag h ON h.b = t.id JOIN has_creator c ON c.a = h.a JOIN ${twoHops} ` +
      'f ON f.b = c.b JOIN has_tag i ON i.a = h.a JOIN tag o ON o.id = i.b WHERE t.name = $tag AND o.name <> $tag GROUP BY ' +
      'o.name ORDER BY n DESC, o.name LIMIT 10',
    parameters: (choose) => ({ id: choose.person(), tag: choose.tag() }),
    byHand: (csr, { id, tag }: Id & { tag: string }) => {
      const near = new Uint8Array(csr.personIds.length);
      for (const f of within(csr, csr.personAt.get(id)!, 2)) near[f] = 1;
      const own = csr.tagAt.get(tag)!;
      const counts = new Map<number, number>();
      for (const m of neighbours(csr.tagged, own)) {
        if (near[csr.graph.creators[m]!] === 0) continue;
        for (const t of neighbours(csr.tagOf, m)) if (t !== own) counts.set(t, (counts.get(t) ?? 0) + 1);
      }
      return topTags(counts);
    },
  },
  {
    name: 'shortest path',
    cypher: 'MATCH (a:Person {id: $id}), (b:Person {id: $other}) MATCH p = shortestPath((a)-[:KNOWS*]->(b)) RETURN length(p) AS hops',
    texts: {
      kuzu: 'MATCH p = (a:Person {id: $id})-[:KNOWS* SHORTEST 1..30]->(b:Person {id: $other}) RETURN length(p) AS hops',
      falkordb: 'MATCH (a:Person {id: $id}), (b:Person {id: $other}) WITH shortestPath((a)-[:KNOWS*]->(b)) AS p RETURN length(p) AS hops',
    },
    parameters: (choose) => ({ id: choose.person(), other: choose.person() }),
    byHand: (csr, { id, other }: Id & { other: number }) => shortest(csr, csr.personAt.get(id)!, csr.personAt.get(other)!),
  },
  {
    name: 'within 3 hops',
    cypher: 'MATCH (p:Person {id: $id})-[:KNOWS*1..3]->(f:Person) RETURN count(DISTINCT f) AS persons',
    texts: { kuzu: 'MATCH (p:Person {id: $id})-[:KNOWS*1..3]->(f:Person) RETURN count(DISTINCT f.id) AS persons' },
    sql:
      `SELECT count(*) FROM (SELECT b FROM ${twoHops} UNION SELECT m.b FROM (SELECT DISTINCT l.b FROM knows k JOIN knows l ` +
      'ON l.a = k.b WHERE k.a = $id) s JOIN knows m ON m.a = s.b)',
    parameters: id,
    byHand: (csr, { id }: Id) => [[within(csr, csr.personAt.get(id)!, 3).length]],
  },
];

function neighbours({ offsets, targets }: Rows, node: number): Uint32Array {
  return targets.subarray(offsets[node]!, offsets[node + 1]!);
}

interface Marks {
  readonly marks: Uint32Array;
  next(): number;
}

let known: { marks: Uint32Array; stamp: number } | null = null;

/** One array for all questions: a node is marked when it holds the latest number. */
function marks(nodes: number): Marks {
  known ??= { marks: new Uint32Array(nodes), stamp: 0 };
  const { marks } = known;
  return { marks, next: () => ++known!.stamp };
}

/** Reached by 1 to `hops` relationships; the start only by a way back. */
function within({ personIds, knows }: Csr, start: number, hops: number): number[] {
  const seen = marks(personIds.length);
  const stamp = seen.next();
  const found: number[] = [];
  let from = 0;
  let frontier: ArrayLike<number> = [start];
  for (let hop = 0; hop < hops; hop++) {
    for (let i = 0; i < frontier.length; i++) {
      const node = frontier[i]!;
      for (let at = knows.offsets[node]!; at < knows.offsets[node + 1]!; at++) {
        const next = knows.targets[at]!;
        if (seen.marks[next] === stamp) continue;
        seen.marks[next] = stamp;
        found.push(next);
      }
    }
    frontier = found.slice(from);
    from = found.length;
  }
  return found;
}

function newest({ graph, personIds, messageIds, wrote }: Csr, persons: ArrayLike<number>): Cell[][] {
  const best: { readonly m: number; readonly f: number }[] = [];
  let worst = -1;
  const before = (a: number, b: number): number => graph.created[b]! - graph.created[a]! || messageIds[a]! - messageIds[b]!;
  const cut = (): void => {
    best.sort((a, b) => before(a.m, b.m));
    best.length = Math.min(best.length, 20);
    if (best.length === 20) worst = graph.created[best[19]!.m]!;
  };
  for (let i = 0; i < persons.length; i++) {
    const f = persons[i]!;
    for (let at = wrote.offsets[f]!; at < wrote.offsets[f + 1]!; at++) {
      const m = wrote.targets[at]!;
      if (graph.created[m]! < worst) continue;
      best.push({ m, f });
      if (best.length === 256) cut();
    }
  }
  cut();
  return best.map(({ m, f }) => [personIds[f]!, messageIds[m]!, graph.created[m]!]);
}

function topTags(counts: ReadonlyMap<number, number>): Cell[][] {
  const rows = Array.from(counts, ([tag, n]): [string, number] => [`Tag ${tag}`, n]);
  return rows.sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, 10);
}

/** Breadth first from both ends, the smaller frontier next. */
function shortest({ personIds, knows, known: knownBy }: Csr, from: number, to: number): Cell[][] {
  if (from === to) return [];
  const seen = marks(personIds.length);
  const sides = [
    { rows: knows, stamp: seen.next(), frontier: [from] },
    { rows: knownBy, stamp: seen.next(), frontier: [to] },
  ];
  for (const { frontier, stamp } of sides) seen.marks[frontier[0]!] = stamp;
  for (let hops = 1; ; hops++) {
    const [side, other] = sides[0]!.frontier.length <= sides[1]!.frontier.length ? [sides[0]!, sides[1]!] : [sides[1]!, sides[0]!];
    const next: number[] = [];
    for (const node of side.frontier) {
      for (let at = side.rows.offsets[node]!; at < side.rows.offsets[node + 1]!; at++) {
        const target = side.rows.targets[at]!;
        if (seen.marks[target] === other.stamp) return [[hops]];
        if (seen.marks[target] === side.stamp) continue;
        seen.marks[target] = side.stamp;
        next.push(target);
      }
    }
    if (next.length === 0) return [];
    side.frontier = next;
  }
}
