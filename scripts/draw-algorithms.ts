/**
 * `node scripts/draw-algorithms.ts`: draws docs/pictures/algorithms-<page>.svg for each page of docs/algorithms: the
 * people of its examples, with what algorithms of the page find. The numbers are those of calls; a test compares the
 * files with what would be drawn now.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { open } from '../src/index.ts';

const ROOT = join(import.meta.dirname, '..');
export const PAGES = ['graphs', 'centrality', 'communities', 'paths', 'similarity'] as const;
export type Page = (typeof PAGES)[number];

/** One graph of a picture. */
interface Panel {
  readonly title: string;
  readonly query: string;
  readonly show: (rows: readonly Row[]) => Shown;
}

interface Row {
  readonly name?: string;
  readonly other?: string;
  readonly value?: number;
  readonly names?: readonly string[];
}

interface Shown {
  /** The text below each node. */
  readonly notes: ReadonlyMap<string, string>;
  /** The radius of each node; 10 where there is none. */
  readonly radii: ReadonlyMap<string, number>;
  /** The number of the colour of each node; 0 where there is none. */
  readonly colours: ReadonlyMap<string, number>;
  /** Lines that are drawn thick, as `from-to`. */
  readonly thick: ReadonlySet<string>;
  /** Lines that are drawn beside those of the graph, with a text. */
  readonly added: readonly { readonly from: string; readonly to: string; readonly text: string }[];
  readonly heads: 'to' | 'from' | 'both';
}

const PLACES: Readonly<Record<string, readonly [number, number]>> = {
  Ada: [50, 75],
  Bob: [190, 75],
  Cleo: [190, 170],
  Dan: [50, 170],
  Eve: [120, 225],
};
const KNOWS: readonly (readonly [string, string, number])[] = [
  ['Ada', 'Bob', 1],
  ['Bob', 'Cleo', 2],
  ['Cleo', 'Ada', 1],
  ['Cleo', 'Dan', 4],
  ['Ada', 'Dan', 8],
];
const PANEL_WIDTH = 240;
/** Nodes above this have their names above them. */
const HIGH = 100;
const HEIGHT = 280;
const COLOURS = ['#0a66c2', '#c2570a', '#2f8f4e', '#8a3fb0', '#7a7a7a'];
const PLAIN: Shown = { notes: new Map(), radii: new Map(), colours: new Map(), thick: new Set(), added: [], heads: 'to' };

/** Scores: a larger one is a larger circle. */
const score = (title: string, call: string): Panel => ({
  title,
  query: `CALL ${call} YIELD nodeId, score RETURN gds.util.asNode(nodeId).name AS name, score AS value`,
  show: (rows) => {
    const most = Math.max(...rows.map(({ value }) => value!));
    return {
      ...PLAIN,
      notes: notesOf(rows),
      radii: new Map(rows.map(({ name, value }) => [name!, 7 + (most === 0 ? 0 : (11 * value!) / most)])),
    };
  },
});

/** Sets of nodes: each has a colour. */
const sets = (title: string, call: string, column: string): Panel => ({
  title,
  query: `CALL ${call} YIELD nodeId, ${column} RETURN gds.util.asNode(nodeId).name AS name, ${column} AS value`,
  show: (rows) => {
    const numbers = [...new Set(rows.map(({ value }) => value!))].sort((a, b) => a - b);
    return { ...PLAIN, notes: notesOf(rows), colours: new Map(rows.map(({ name, value }) => [name!, numbers.indexOf(value!)])) };
  },
});

/** A path, or a tree of pairs: its lines are thick. */
const lines = (title: string, query: string, heads: Shown['heads'] = 'to'): Panel => ({
  title,
  query,
  show: (rows) => {
    const pairs = rows.flatMap(({ name, other, names }) => (names === undefined ? [[name!, other!] as const] : pairsOf(names)));
    return { ...PLAIN, heads, thick: new Set(pairs.map(([from, to]) => `${from}-${to}`)) };
  },
});

/** The order in which nodes are met: a number below each. */
const visits = (title: string, call: string): Panel => ({
  title,
  query: `MATCH (a:Person {name: 'Ada'}) CALL ${call} YIELD path RETURN [n IN nodes(path) | n.name] AS names`,
  show: ([row]) => ({ ...PLAIN, notes: new Map(row!.names!.map((name, i) => [name, `${i + 1}`])) }),
});

/** Pairs of nodes that are alike. */
const pairs = (title: string, call: string): Panel => ({
  title,
  query: `CALL ${call} YIELD node1, node2, similarity
    RETURN gds.util.asNode(node1).name AS name, gds.util.asNode(node2).name AS other, similarity AS value`,
  show: (rows) => ({
    ...PLAIN,
    added: rows
      .filter(({ name, other }) => name! < other!)
      .map(({ name, other, value }) => ({ from: name!, to: other!, text: shortText(value!) })),
  }),
});

const projected = (title: string, heads: Shown['heads']): Panel => ({
  title,
  query: 'RETURN 1 AS value',
  show: () => ({ ...PLAIN, heads }),
});

const PANELS: Readonly<Record<Page, readonly Panel[]>> = {
  graphs: [projected('NATURAL', 'to'), projected('REVERSE', 'from'), projected('UNDIRECTED', 'both')],
  centrality: [
    score('PageRank', "gds.pageRank.stream('people', {relationshipWeightProperty: 'weight'})"),
    score('Betweenness', "gds.betweenness.stream('people')"),
    score('Degree, UNDIRECTED', "gds.degree.stream('people', {orientation: 'UNDIRECTED'})"),
  ],
  communities: [
    sets('Weakly connected', "gds.wcc.stream('people')", 'componentId'),
    sets('Strongly connected', "gds.scc.stream('people')", 'componentId'),
    sets('Triangles through each', "gds.triangleCount.stream('friends')", 'triangleCount'),
  ],
  paths: [
    visits('Breadth first from Ada', "gds.bfs.stream('people', {sourceNode: a})"),
    lines(
      'Lightest from Ada to Dan',
      `MATCH (a:Person {name: 'Ada'}), (d:Person {name: 'Dan'})
       CALL gds.shortestPath.dijkstra.stream('people', {sourceNode: a, targetNode: d, relationshipWeightProperty: 'weight'})
       YIELD path RETURN [n IN nodes(path) | n.name] AS names`,
    ),
    lines(
      'Spanning tree from Ada',
      `MATCH (a:Person {name: 'Ada'})
       CALL gds.spanningTree.stream('friends', {sourceNode: a, relationshipWeightProperty: 'weight'}) YIELD nodeId, parentId
       WHERE nodeId <> parentId RETURN gds.util.asNode(parentId).name AS name, gds.util.asNode(nodeId).name AS other`,
      'both',
    ),
  ],
  similarity: [
    pairs('Common targets (Jaccard)', "gds.nodeSimilarity.stream('people')"),
    pairs('Either direction', "gds.nodeSimilarity.stream('friends')"),
  ],
};

/** Returns the drawing of a page. */
export async function drawingOf(page: Page): Promise<string> {
  const text = readFileSync(join(ROOT, 'docs/algorithms', `${page}.md`), 'utf8');
  const [, setting] = /```cypher\n(.*?)```/s.exec(text)!;
  await using db = await open(`memory://drawing-${page}`);
  for (const statement of setting!.split(/;\n/)) await db.query(statement);
  const panels: string[] = [];
  for (const { title, query, show } of PANELS[page]) {
    const { rows } = await db.query<Row>(query);
    panels.push(panelOf(title, show(rows), panels.length * PANEL_WIDTH));
  }
  const width = panels.length * PANEL_WIDTH;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${HEIGHT}" font-family="system-ui, sans-serif" font-size="12">`,
    `<title>${PANELS[page].map(({ title }) => title).join('; ')}</title>`,
    '<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" markerUnits="userSpaceOnUse" ' +
      'orient="auto-start-reverse">' +
      '<path d="M0,0 L8,4 L0,8 z" fill="#888"/></marker></defs>',
    `<rect width="${width}" height="${HEIGHT}" fill="white"/>`,
    ...panels,
    '</svg>',
    '',
  ].join('\n');
}

function panelOf(title: string, shown: Shown, left: number): string {
  const nodes = Object.keys(PLACES).map((name) => nodeOf(name, shown));
  const known = KNOWS.map(([from, to, weight]) => lineOf(from, to, shown, { text: `${weight}` }));
  const added = shown.added.map(({ from, to, text }) => lineOf(from, to, shown, { text, isAdded: true }));
  const heading = `<text x="${PANEL_WIDTH / 2}" y="20" text-anchor="middle" font-weight="600">${title}</text>`;
  return `<g transform="translate(${left},0)">${heading}${known.join('')}${added.join('')}${nodes.join('')}</g>`;
}

function nodeOf(name: string, { radii, colours, notes }: Shown): string {
  const [x, y] = PLACES[name]!;
  const radius = shortText(radii.get(name) ?? 10);
  const note = notes.get(name);
  const text = note === undefined ? name : `${name} ${note}`;
  return (
    `<circle cx="${x}" cy="${y}" r="${radius}" fill="${COLOURS[colours.get(name) ?? 0]}"/>` +
    `<text x="${x}" y="${y < HIGH ? y - 22 : y + 32}" text-anchor="middle" stroke="white" stroke-width="3" paint-order="stroke">` +
    `${text}</text>`
  );
}

interface LineText {
  readonly text: string;
  readonly isAdded?: boolean;
}

function lineOf(from: string, to: string, { thick, radii, heads }: Shown, { text, isAdded = false }: LineText): string {
  const [x1, y1] = PLACES[from]!;
  const [x2, y2] = PLACES[to]!;
  const length = Math.hypot(x2 - x1, y2 - y1);
  const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
  const [start, end] = [(radii.get(from) ?? 10) + 2, (radii.get(to) ?? 10) + 2];
  // Added lines run beside those of the graph.
  const aside = isAdded ? -9 : 0;
  const begins = [x1 + dx * start - dy * aside, y1 + dy * start + dx * aside].map(shortText);
  const ends = [x2 - dx * end - dy * aside, y2 - dy * end + dx * aside].map(shortText);
  const isThick = thick.has(`${from}-${to}`) || (heads === 'both' && thick.has(`${to}-${from}`));
  const stroke = isAdded ? 'stroke="#c2570a" stroke-dasharray="4 3"' : `stroke="${isThick ? '#c2570a' : '#888'}"`;
  const marks = isAdded ? '' : `${heads === 'from' ? '' : ' marker-end="url(#head)"'}${heads === 'to' ? '' : ' marker-start="url(#head)"'}`;
  const beside = isAdded ? aside - 14 : 8;
  const [middleX, middleY] = [(x1 + x2) / 2 - dy * beside, (y1 + y2) / 2 + dx * beside + 4].map(shortText);
  return (
    `<line x1="${begins[0]}" y1="${begins[1]}" x2="${ends[0]}" y2="${ends[1]}" ${stroke} stroke-width="${isThick ? 3 : 1.2}"${marks}/>` +
    `<text x="${middleX}" y="${middleY}" text-anchor="middle" font-size="10" fill="${isAdded ? '#c2570a' : '#888'}">${text}</text>`
  );
}

function notesOf(rows: readonly Row[]): ReadonlyMap<string, string> {
  return new Map(rows.map(({ name, value }) => [name!, shortText(value!)]));
}

function pairsOf(names: readonly string[]): readonly (readonly [string, string])[] {
  return names.slice(1).map((name, i) => [names[i]!, name]);
}

function shortText(value: number): string {
  return String(Math.round(value * 100) / 100);
}

if (import.meta.main) for (const page of PAGES) writeFileSync(join(ROOT, `docs/pictures/algorithms-${page}.svg`), await drawingOf(page));
