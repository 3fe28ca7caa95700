/** Statements that change a small graph in all the ways there are, at random. */
import type { Random } from '../support/random.ts';

export function randomUpdate(random: Random, number: number): string {
  const key = (): number => random.between(0, 60);
  const label = (): string => random.pick(['A', 'B', 'C']);
  const value = (): string =>
    random.pick([`${number}`, `${number}.5`, `'text ${number}'`, `[${number}, 2]`, 'null', 'true', "date('2024-02-29')"]);
  return random.pick([
    () => `CREATE (:${label()} {k: ${key()}, v: ${value()}})`,
    () => `CREATE (a:${label()} {_id: 'own-${number}', k: ${key()}})-[:R {w: ${number}}]->(b:${label()} {k: ${key()}})`,
    () => `MERGE (a:${label()} {k: ${key()}}) ON MATCH SET a.seen = ${number} ON CREATE SET a.made = ${number}`,
    () => `MATCH (a {k: ${key()}}), (b {k: ${key()}}) WITH a, b LIMIT 3 CREATE (a)-[:R {w: ${value()}}]->(b)`,
    () => `MATCH (a {k: ${key()}}) SET a.v = ${value()}`,
    () => `MATCH (a {k: ${key()}}) SET a = {k: ${key()}, n: ${number}}`,
    () => `MATCH (a {k: ${key()}}) SET a:${label()} REMOVE a:${label()}`,
    () => `MATCH (a {k: ${key()}})-[r]->() SET r.w = ${value()}, r.u = ${number}`,
    () => `MATCH ({k: ${key()}})-[r]->() DELETE r`,
    () => `MATCH (a {k: ${key()}}) DETACH DELETE a`,
    () => `MATCH (a:${label()}) WITH a LIMIT 5 SET a.batch = ${number} WITH a SET a.batch = null`,
    () => `UNWIND range(1, ${random.between(1, 40)}) AS i CREATE (:${label()} {k: i, i: ${number}})`,
  ])();
}
