/** Typed rows, a transaction, a stream, errors by code. Node runs it as it is: `node people.ts`. */
import { GraphDBError, open } from 'graphdb';

interface Acquaintance {
  readonly name: string;
  readonly since: number | null;
}

await using db = await open(process.argv[2] ?? 'memory://people');
await db.query('CREATE CONSTRAINT IF NOT EXISTS FOR (p:Person) REQUIRE p.name IS UNIQUE');

{
  await using tx = await db.begin();
  await tx.query('UNWIND $people AS name CREATE (:Person {name: name})', { people: ['Ada', 'Charles', 'Mary'] });
  await tx.query("MATCH (a {name: 'Ada'}), (b:Person) WHERE a <> b CREATE (a)-[:KNOWS {since: 1833}]->(b)");
  await tx.commit();
}

const { rows } = await db.query<Acquaintance>(
  'MATCH (:Person {name: $name})-[k:KNOWS]->(b) RETURN b.name AS name, k.since AS since ORDER BY name',
  { name: 'Ada' },
  { signal: AbortSignal.timeout(5000) },
);
for (const { name, since } of rows) console.log(`Ada knows ${name} since ${since}`);

for await (const { n } of db.stream<{ n: number }>('UNWIND range(1, 1000000) AS n RETURN n')) {
  if (n === 3) break; // The statement stops here.
}

try {
  await db.query("CREATE (:Person {name: 'Ada'})");
} catch (error) {
  if (!(error instanceof GraphDBError)) throw error;
  console.log(error.code);
}
