/** Vector indexes as schema commands declare, show and drop them, in Neo4j's words. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Engine, openEngine } from '../../src/engine/index.ts';
import { literalText, type Value } from '../../src/value/index.ts';

let stores = 0;

async function withEngine(run: (engine: Engine, uri: string) => Promise<void>): Promise<void> {
  const uri = `memory://vector-index-schema-${++stores}`;
  const engine = await openEngine(uri, { flushIntervalMs: 0 });
  try {
    await run(engine, uri);
  } finally {
    await engine.close();
  }
}

async function answer(engine: Engine, query: string, parameters: Readonly<Record<string, Value>> = {}): Promise<string[]> {
  return (await engine.execute(query, new Map(Object.entries(parameters)))).rows.map((row) => row.map(literalText).join(' | '));
}

const SHOW = 'SHOW VECTOR INDEXES YIELD name, type, entityType, labelsOrTypes, properties, indexProvider';

test('vector indexes are declared, shown, kept over reopening and dropped', () =>
  withEngine(async (engine, uri) => {
    const options = 'OPTIONS {indexConfig: {`vector.dimensions`: toInteger($dimensions), `vector.similarity_function`: $similarity}}';
    const parameters = { name: 'chunks', dimensions: 3, similarity: 'euclidean' };
    const create = `CREATE VECTOR INDEX $name IF NOT EXISTS FOR (n:Chunk|Page) ON n.embedding WITH [n.a, n.\`b c\`] ${options}`;
    await answer(engine, create, parameters);
    await answer(engine, create, parameters);
    await answer(engine, 'CREATE VECTOR INDEX FOR ()-[r:SAYS]-() ON (r.v)');
    const shown = [
      "'chunks' | 'VECTOR' | 'NODE' | ['Chunk', 'Page'] | ['embedding', 'a', 'b c'] | 'vector-2.0'",
      "'index_says_v' | 'VECTOR' | 'RELATIONSHIP' | ['SAYS'] | ['v'] | 'vector-2.0'",
    ];
    assert.deepEqual(await answer(engine, SHOW), shown);
    const statements = await answer(engine, 'SHOW INDEXES YIELD createStatement');
    const config = '`vector.hnsw.ef_construction`: 100, `vector.hnsw.m`: 16, `vector.quantization.enabled`: true';
    assert.equal(
      statements[0],
      literalText(
        `CREATE VECTOR INDEX \`chunks\` FOR (n:\`Chunk\`|\`Page\`) ON (n.\`embedding\`) WITH [n.\`a\`, n.\`b c\`] OPTIONS ` +
          `{indexConfig: {\`vector.dimensions\`: 3, ${config}, \`vector.similarity_function\`: 'EUCLIDEAN'}, indexProvider: ` +
          `'vector-2.0'}`,
      ),
    );
    const fields = 'options.indexConfig.`vector.dimensions`, options.indexConfig.`vector.similarity_function`';
    assert.deepEqual(await answer(engine, `SHOW INDEXES YIELD name, options RETURN name, ${fields} ORDER BY name`), [
      "'chunks' | 3 | 'EUCLIDEAN'",
      "'index_says_v' | null | 'COSINE'",
    ]);
    await engine.flush();
    const other = await openEngine(uri, { flushIntervalMs: 0, readOnly: true });
    assert.deepEqual(await answer(other, SHOW), shown);
    assert.deepEqual(await answer(other, 'SHOW INDEXES YIELD createStatement'), statements);
    await other.close();
    await answer(engine, 'DROP INDEX $name IF EXISTS', { name: 'chunks' });
    await answer(engine, 'DROP INDEX $name IF EXISTS', { name: 'chunks' });
    await assert.rejects(answer(engine, 'DROP INDEX chunks'), { code: 'ENTITY_NOT_FOUND' });
    assert.deepEqual(await answer(engine, SHOW), shown.slice(1));
    await answer(engine, JSON.parse(JSON.stringify(statements[0])).slice(1, -1).replaceAll("\\'", "'"));
    assert.deepEqual((await answer(engine, SHOW)).sort(), shown);
  }));

test('a declaration that cannot be is refused, and says why', () =>
  withEngine(async (engine) => {
    await answer(engine, 'CREATE VECTOR INDEX one FOR (n:A) ON (n.v)');
    const refused = async (query: string, code: string, message: RegExp): Promise<void> => {
      await assert.rejects(answer(engine, query), { code, message });
    };
    const configured = (config: string): string => `CREATE VECTOR INDEX FOR (n:B) ON (n.v) OPTIONS {indexConfig: {${config}}}`;
    await refused('CREATE VECTOR INDEX two FOR (n:A) ON (n.v)', 'CONSTRAINT_VIOLATION', /index like that already: one/);
    await refused('CREATE VECTOR INDEX one FOR (n:B) ON (n.v)', 'CONSTRAINT_VIOLATION', /named one/);
    await refused('CREATE VECTOR INDEX FOR (n:B) ON (n.v, n.w)', 'SYNTAX_ERROR', /one property/);
    await refused('CREATE VECTOR INDEX FOR (n:B) ON (n.v) WITH [n.v]', 'SEMANTIC_ERROR', /named twice/);
    await refused('CREATE VECTOR INDEX FOR (n:B|B) ON (n.v)', 'SYNTAX_ERROR', /named twice/);
    await refused('CREATE INDEX FOR (n:B|C) ON (n.v)', 'SYNTAX_ERROR', /./);
    await refused(configured('`vector.dimensions`: 0'), 'ARGUMENT_ERROR', /vector.dimensions is an Integer from 1 to 4096/);
    await refused(configured('`vector.dimensions`: 5000'), 'ARGUMENT_ERROR', /vector.dimensions/);
    await refused(configured("`vector.similarity_function`: 'dot'"), 'ARGUMENT_ERROR', /'cosine' or 'euclidean'/);
    await refused(configured('`vector.ef`: 3'), 'ARGUMENT_ERROR', /no setting/);
    await refused("CREATE VECTOR INDEX FOR (n:B) ON (n.v) OPTIONS {indexProvider: 'range-1.0'}", 'ARGUMENT_ERROR', /vector-2.0/);
    assert.deepEqual(await answer(engine, 'SHOW INDEXES YIELD name'), ["'one'"]);
  }));
