/** Questions that look at all of the graph. */
import { dayNumber, type Rows } from '../csr.ts';
import type { Cell } from '../peer.ts';
import type { Question } from '../question.ts';

const none: Question['parameters'] = () => ({});

export const WHOLE_GRAPH: readonly Question[] = [
  {
    name: 'triangles, directed',
    cypher: 'MATCH (a:Person)-[:KNOWS]->(b:Person)-[:KNOWS]->(c:Person)-[:KNOWS]->(a) RETURN count(*) AS triangles',
    sql: 'SELECT count(*) FROM knows k JOIN knows l ON l.a = k.b JOIN knows m ON m.a = l.b AND m.b = k.a',
    parameters: none,
    byHand: ({ knows, known, personIds }) => [[triangles(knows, known, personIds.length)]],
  },
  {
    name: 'triangles, undirected',
    cypher: 'MATCH (a:Person)-[:KNOWS]-(b:Person)-[:KNOWS]-(c:Person)-[:KNOWS]-(a) RETURN count(*) AS triangles',
    sql:
      'WITH u AS (SELECT a, b FROM knows UNION ALL SELECT b, a FROM knows) SELECT count(*) FROM u k JOIN u l ON l.a = k.b ' +
      'JOIN u m ON m.a = l.b AND m.b = k.a WHERE l.b <> k.a',
    parameters: none,
    byHand: (csr) => {
      const both = bothWays(csr.knows, csr.known);
      return [[triangles(both, both, csr.personIds.length)]];
    },
  },
  {
    name: '4-cycles',
    cypher: 'MATCH (a:Person)-[:KNOWS]->(b:Person)-[:KNOWS]->(c:Person)-[:KNOWS]->(d:Person)-[:KNOWS]->(a) RETURN count(*) AS cycles',
    texts: {
      kuzu:
        'MATCH (a:Person)-[:KNOWS]->(b:Person)-[:KNOWS]->(c:Person)-[:KNOWS]->(d:Person)-[:KNOWS]->(a) WHERE NOT (a.id = ' +
        'c.id AND b.id = d.id) RETURN count(*) AS cycles',
    },
    sql:
      'SELECT count(*) FROM knows k JOIN knows l ON l.a = k.b JOIN knows m ON m.a = l.b JOIN knows n ON n.a = m.b AND n.b = ' +
      'k.a WHERE NOT (k.a = m.a AND k.b = m.b)',
    parameters: none,
    byHand: ({ knows, known, personIds }) => [[squares(knows, known, personIds.length)]],
  },
  {
    name: 'paths of 2',
    cypher: 'MATCH (a:Person)-[:KNOWS]->(b:Person)-[:KNOWS]->(c:Person) RETURN count(*) AS paths',
    // Counts pairs of ends, not paths, unless a relationship is asked for.
    texts: { falkordb: 'MATCH (a:Person)-[:KNOWS]->(b:Person)-[l:KNOWS]->(c:Person) RETURN count(l) AS paths' },
    sql: 'SELECT count(*) FROM knows k JOIN knows l ON l.a = k.b',
    parameters: none,
    byHand: ({ knows, known, personIds }) => {
      let paths = 0;
      for (let b = 0; b < personIds.length; b++) {
        paths += (known.offsets[b + 1]! - known.offsets[b]!) * (knows.offsets[b + 1]! - knows.offsets[b]!);
      }
      return [[paths]];
    },
  },
  {
    name: '2 hops, both ends filtered, grouped',
    cypher:
      'MATCH (a:Person)-[:KNOWS]->(b:Person)-[:KNOWS]->(c:Person) WHERE a.age > $age AND c.age < $age RETURN b.id AS id, ' +
      'count(*) AS paths ORDER BY paths DESC, id LIMIT 10',
    sql:
      'SELECT k.b AS id, count(*) AS paths FROM person a JOIN knows k ON k.a = a.id JOIN knows l ON l.a = k.b JOIN person c ' +
      'ON c.id = l.b WHERE a.age > $age AND c.age < $age GROUP BY k.b ORDER BY paths DESC, id LIMIT 10',
    parameters: (choose) => ({ age: choose.age() }),
    byHand: ({ graph: { ages }, knows, known, personIds }, { age }: { age: number }) => {
      const rows: [number, number][] = [];
      for (let b = 0; b < personIds.length; b++) {
        let before = 0;
        for (let i = known.offsets[b]!; i < known.offsets[b + 1]!; i++) before += +(ages[known.targets[i]!]! > age);
        if (before === 0) continue;
        let after = 0;
        for (let i = knows.offsets[b]!; i < knows.offsets[b + 1]!; i++) after += +(ages[knows.targets[i]!]! < age);
        if (after > 0) rows.push([personIds[b]!, before * after]);
      }
      return rows.sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, 10);
    },
  },
  {
    name: 'persons by age, with their posts',
    cypher: 'MATCH (p:Person)<-[:HAS_CREATOR]-(m:Message) RETURN p.age AS age, count(*) AS messages, avg(m.length) AS length ORDER BY age',
    sql:
      'SELECT p.age, count(*), avg(m.length) FROM person p JOIN has_creator c ON c.b = p.id JOIN message m ON m.id = c.a ' +
      'GROUP BY p.age ORDER BY p.age',
    parameters: none,
    byHand: ({ graph: { ages, creators }, lengths }) => {
      const counts = new Uint32Array(128);
      const sums = new Float64Array(128);
      for (let m = 0; m < creators.length; m++) {
        const age = ages[creators[m]!]!;
        counts[age]!++;
        sums[age]! += lengths[m]!;
      }
      return Array.from(counts, (count, age): Cell[] => [age, count, sums[age]! / count]).filter(([, count]) => count !== 0);
    },
  },
  {
    name: 'most frequent names',
    cypher: 'MATCH (p:Person) RETURN p.city AS city, count(*) AS n ORDER BY n DESC, city LIMIT 10',
    sql: 'SELECT city, count(*) AS n FROM person GROUP BY city ORDER BY n DESC, city LIMIT 10',
    parameters: none,
    byHand: ({ cityCodes, cityList }) => {
      const counts = new Uint32Array(cityList.length);
      for (const code of cityCodes) counts[code]!++;
      const rows = cityList.map((city, code): [string, number] => [city, counts[code]!]);
      return rows.sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, 10);
    },
  },
  {
    name: 'texts that contain a word',
    cypher: 'MATCH (m:Message) WHERE m.text CONTAINS $word RETURN count(*) AS n',
    sql: "SELECT count(*) FROM message WHERE text LIKE '%' || $word || '%'",
    parameters: (choose) => ({ word: choose.word() }),
    byHand: ({ graph }, { word }: { word: string }) => {
      let n = 0;
      for (const text of graph.texts) if (text.includes(word)) n++;
      return [[n]];
    },
  },
  {
    name: 'messages of a range of days',
    cypher: 'MATCH (m:Message) WHERE m.day >= date($from) AND m.day < date($to) RETURN count(*) AS n, avg(m.length) AS length',
    texts: {
      grafeo: 'MATCH (m:Message) WHERE m.day >= $from AND m.day < $to RETURN count(*) AS n, avg(m.length) AS length',
      falkordb: 'MATCH (m:Message) WHERE m.day >= $from AND m.day < $to RETURN count(*) AS n, avg(m.length) AS length',
    },
    sql: 'SELECT count(*), avg(length) FROM message WHERE day >= $from AND day < $to',
    parameters: (choose) => {
      const from = choose.day();
      return { from, to: choose.dayAfter(from, 90) };
    },
    byHand: ({ days, lengths }, { from, to }: { from: string; to: string }) => {
      const [first, last] = [dayNumber(from), dayNumber(to)];
      let n = 0;
      let sum = 0;
      for (let m = 0; m < days.length; m++) {
        if (days[m]! < first || days[m]! >= last) continue;
        n++;
        sum += lengths[m]!;
      }
      return [[n, n === 0 ? null : sum / n]];
    },
  },
];

/** Marks what leads into `a`, then probes the ends of two steps from it. */
function triangles(out: Rows, into: Rows, nodes: number): number {
  const weights = new Uint8Array(nodes);
  let found = 0;
  for (let a = 0; a < nodes; a++) {
    for (let i = into.offsets[a]!; i < into.offsets[a + 1]!; i++) weights[into.targets[i]!]!++;
    for (let i = out.offsets[a]!; i < out.offsets[a + 1]!; i++) {
      const b = out.targets[i]!;
      for (let j = out.offsets[b]!, end = out.offsets[b + 1]!; j < end; j++) found += weights[out.targets[j]!]!;
    }
    for (let i = into.offsets[a]!; i < into.offsets[a + 1]!; i++) weights[into.targets[i]!] = 0;
  }
  return found;
}

/** Multiplies the two-step ways from a to c by those from c to a; takes off what uses a relationship twice. */
function squares(out: Rows, into: Rows, nodes: number): number {
  const ways = new Uint32Array(nodes);
  let found = 0;
  for (let a = 0; a < nodes; a++) {
    for (let i = out.offsets[a]!; i < out.offsets[a + 1]!; i++) {
      const b = out.targets[i]!;
      for (let j = out.offsets[b]!, end = out.offsets[b + 1]!; j < end; j++) ways[out.targets[j]!]!++;
    }
    for (let i = into.offsets[a]!; i < into.offsets[a + 1]!; i++) {
      const d = into.targets[i]!;
      for (let j = into.offsets[d]!, end = into.offsets[d + 1]!; j < end; j++) found += ways[into.targets[j]!]!;
    }
    found -= ways[a]!;
    for (let i = out.offsets[a]!; i < out.offsets[a + 1]!; i++) {
      const b = out.targets[i]!;
      for (let j = out.offsets[b]!, end = out.offsets[b + 1]!; j < end; j++) ways[out.targets[j]!] = 0;
    }
  }
  return found;
}

function bothWays(out: Rows, into: Rows): Rows {
  const offsets = new Uint32Array(out.offsets.length);
  const targets = new Uint32Array(out.targets.length + into.targets.length);
  let at = 0;
  for (let node = 0; node + 1 < offsets.length; node++) {
    for (const rows of [out, into]) {
      for (let i = rows.offsets[node]!; i < rows.offsets[node + 1]!; i++) targets[at++] = rows.targets[i]!;
    }
    targets.subarray(offsets[node]!, at).sort();
    offsets[node + 1] = at;
  }
  return { offsets, targets, values: new Int32Array(0) };
}
