/**
 * Shapes of searches: full-text queries that are long, match everything or match slowly, texts that are slow to
 * analyse, vectors, and both together.
 */
import { type Shape, shapes } from './shape.ts';

const LUCENE = 'CALL db.index.fulltext.queryNodes($index, $query) YIELD node, score RETURN count(node) AS n, max(score) AS best';
const LIMITED =
  'CALL db.index.fulltext.queryNodes($index, $query, {limit: 10}) YIELD node, score RETURN count(node) AS n, max(score) AS best';
const HOPELESS = 'UNWIND range(1, 1000000000) AS i';
const VECTOR = '[x IN range(1, 16) | toFloat((x * i) % 101)]';

function times(count: number, part: (i: number) => string, between = ' '): string {
  return Array.from({ length: count }, (_, i) => part(i)).join(between);
}

/** Queries in Lucene's grammar by what is hard about them; each is asked for all hits and for the best ten. */
const QUERIES: Readonly<Record<string, () => string>> = {
  'everything, again and again': () => times(20_000, () => '*:*'),
  'fields that exist': () => times(20_000, () => 's:*'),
  'many words': () => times(200_000, (i) => `w${i % 977}`),
  'many required words': () => times(50_000, (i) => `+w${i % 977}`),
  'many forbidden words': () => `text ${times(50_000, (i) => `-w${i % 977}`)}`,
  'many prefixes': () => times(5_000, (i) => `w${i % 10}*`),
  'many wildcards': () => times(5_000, (i) => `*w?${i % 10}*`),
  'wildcards within one word': () => `*${times(3_000, () => 'a', '*')}*b`,
  'wildcard of a long text': () => `${'a'.repeat(1_000_000)}*b`,
  'many ranges': () => times(2_000, (i) => `[a${i} TO z]`),
  'many misspelt words': () => times(2_000, (i) => `wordz${i}~2`),
  'long misspelt word': () => `${'a'.repeat(100_000)}~2`,
  'regular expression': () => '/.*(w1|w2|t.*){1,50}.*(x|y|z){1,10}/',
  'regular expression with large counts': () => '/((a{1,900}){1,900}){1,900}/',
  'long regular expression': () => `/${'(a|b)?'.repeat(20_000)}/`,
  'many regular expressions': () => times(1_000, (i) => `/.*w.*${i}/`),
  'phrase of frequent words': () => '"of of of of of"',
  'long phrase': () => `"${times(100_000, () => 'of')}"`,
  'sloppy phrase': () => `"${times(12, () => 'w')} of with a"~100000`,
  'sloppy phrase of one word': () => `"${times(40, () => 'w1')}"~1000000`,
  'nested parentheses': () => `${'('.repeat(200)}text${')'.repeat(200)}`,
  'deeply nested parentheses': () => `${'('.repeat(500_000)}text${')'.repeat(500_000)}`,
  'nested alternatives': () => `${'(a OR '.repeat(200)}text${')'.repeat(200)}`,
  boosts: () => `${'(text '.repeat(200)}${')^2'.repeat(200)}`,
  'open phrase': () => `"${times(500_000, () => 'text')}`,
  'open regular expressions': () => '/a '.repeat(300_000).replace(/\/(?=[^/]*$)/, ''),
  escapes: () => '\\a'.repeat(1_000_000),
  'one long word': () => 'a'.repeat(2_000_000),
  'words of other scripts': () => '東京 กรุงเทพ '.repeat(100_000),
  signs: () => '+ - ! '.repeat(300_000),
};

/** Texts that are slow to analyse, in characters of the number given. */
const TEXTS: Readonly<Record<string, string>> = {
  words: "'some words '",
  'one word': "'aaaaaaaaaa'",
  'signs of addresses': "'!!!!!!!!!!'",
  'parts of addresses': "'a.a.a.a.a.'",
  'schemes of addresses': "'http://,,,'",
  'marks that combine': "'a\u0301\u0301\u0301\u0301'",
  'other scripts': "'東京กรุงเทพ'",
};

const WRITTEN = 2_000_000;

function grown(text: string, length: number): string {
  return `reduce(s = ${text}, x IN range(1, ${Math.ceil(Math.log2(length / 10))}) | s + s)`;
}

export function searchShapes(): Shape[] {
  const queries = Object.entries(QUERIES).flatMap(([name, make]): Shape[] =>
    [LUCENE, LIMITED].map((statement) => ({
      name: `full text: ${name}${statement === LIMITED ? ', the best' : ''}`,
      statement,
      parameters: () => ({ index: 'texts', query: make() }),
      mayBeRefused: true,
    })),
  );
  const keywords = ['wildcards within one word', 'wildcard of a long text', 'regular expression', 'long misspelt word'].map(
    (name): Shape => ({
      name: `full text: ${name}, over long terms`,
      statement: LUCENE,
      parameters: () => ({ index: 'keywords', query: QUERIES[name]!() }),
      mayBeRefused: true,
    }),
  );
  const written = Object.entries(TEXTS).flatMap(([name, text]): Shape[] =>
    ['texts', 'addresses'].map((index) => ({
      name: `full text: ${name} that are written, ${index}`,
      statement:
        `UNWIND range(1, 20) AS i CREATE (n:Text {s: ${grown(text, WRITTEN)} + i}) WITH count(n) AS n CALL ` +
        `db.index.fulltext.queryNodes('${index}', 'text') YIELD node RETURN n, count(node) AS found`,
      writes: true,
    })),
  );
  return [
    ...queries,
    ...keywords,
    ...written,
    ...shapes(
      'full text',
      {
        'one long text that is written':
          `CREATE (n:Text {s: ${grown(TEXTS['words']!, 30_000_000)}}) WITH n CALL ` +
          `db.index.fulltext.queryNodes('texts', 'text') YIELD node RETURN count(node)`,
        'text that changes again and again':
          `MATCH (n:Text {i: 0}) ${HOPELESS} SET n.s = 'text ' + i WITH i CALL ` +
          `db.index.fulltext.queryNodes('texts', 'text', {limit: 1}) YIELD node RETURN count(node)`,
        'long text that changes again and again':
          'MATCH (n:Text {i: 0}) UNWIND range(1, 1000) AS i SET n.s = ' +
          `${grown(TEXTS['words']!, 500_000)} + i WITH i CALL db.index.fulltext.queryNodes('texts', 'text', {limit: 1}) YIELD ` +
          'node RETURN count(node)',
        'deleted while it is searched':
          `MATCH (n:Text) DETACH DELETE n WITH count(n) AS n ${HOPELESS} CALL ` +
          `db.index.fulltext.queryNodes('texts', 'text') YIELD node RETURN count(node)`,
        'another index of it': 'CREATE FULLTEXT INDEX others FOR (n:T|Text|Long) ON EACH [n.s]',
      },
      { writes: true },
    ),
    ...shapes('full text', {
      'for each row': `${HOPELESS} CALL db.index.fulltext.queryNodes('texts', 'w' + (i % 977)) YIELD node RETURN count(node)`,
      'labels of hits':
        `${HOPELESS} CALL db.index.fulltext.queryNodes('texts', 'text', {labels: ['Text', 'None']}) YIELD node ` + 'RETURN count(node)',
      'SEARCH for each row':
        `${HOPELESS} MATCH (n:Text) SEARCH n IN (FULLTEXT INDEX texts FOR 'text w' + (i % 977) LIMIT 1000) ` +
        'SCORE AS score RETURN sum(score)',
      'all hits kept':
        "CALL db.index.fulltext.queryNodes('texts', 'text') YIELD node, score UNWIND range(1, 1000) AS i RETURN collect([node, score, i])",
    }),
    ...shapes('vectors', {
      'for each row': `${HOPELESS} CALL db.index.vector.queryNodes('vectors', 10, ${VECTOR}) YIELD node, score RETURN sum(score)`,
      'all of them':
        "CALL db.index.vector.queryNodes('vectors', 200000, [x IN range(1, 16) | toFloat(x)]) YIELD node, score RETURN " +
        'collect([node, score])',
      'very many':
        "CALL db.index.vector.queryNodes('vectors', 1000000000, [x IN range(1, 16) | toFloat(x)]) YIELD node, score RETURN count(node)",
      'many wanted for each row': `${HOPELESS} CALL db.index.vector.queryNodes('vectors', 100000, ${VECTOR}) YIELD node RETURN count(node)`,
      'SEARCH for each row':
        `${HOPELESS} MATCH (n:T) SEARCH n IN (VECTOR INDEX vectors FOR ${VECTOR} WHERE n.k < 500 LIMIT ` +
        '100) SCORE AS score RETURN sum(score)',
      'SEARCH and a walk':
        `${HOPELESS} MATCH (n:T)<-[:H]-(h)-[:H]->(o) SEARCH n IN (VECTOR INDEX vectors FOR ${VECTOR} LIMIT 10) ` + 'RETURN count(o)',
    }),
    {
      name: 'vectors: long query',
      statement: "CALL db.index.vector.queryNodes('vectors', 10, $p) YIELD node RETURN count(node)",
      parameters: () => ({ p: Array.from({ length: 3_000_000 }, (_, i) => i + 0.5) }),
      mayBeRefused: true,
    },
    ...shapes('hybrid', {
      'for each row':
        `${HOPELESS} CALL search.hybrid({vectorIndex: 'vectors', vector: ${VECTOR}, fulltextIndex: 'texts', ` +
        `query: 'text w' + (i % 977), k: 10}) YIELD node RETURN count(node)`,
      'very many':
        "CALL search.hybrid({vectorIndex: 'vectors', vector: [x IN range(1, 16) | toFloat(x)], fulltextIndex: 'texts', query: " +
        "'text', k: 1000000000}) YIELD node RETURN count(node)",
      'with a filter':
        `${HOPELESS} CALL search.hybrid({fulltextIndex: 'texts', query: 'text', filter: {i: {\`>=\`: i}}}) YIELD ` +
        'node RETURN count(node)',
      'with a long filter':
        "UNWIND range(1, 1000) AS i CALL search.hybrid({vectorIndex: 'vectors', vector: [x IN range(1, 16) | toFloat(x)], " +
        "filter: {s: reduce(s = 'text', x IN range(1, 18) | s + s)}}) YIELD node RETURN count(node)",
    }),
  ];
}
