/** Questions that write; each run writes something else. Durable when they answer. */
import type { Cell } from '../peer.ts';
import type { Question } from '../question.ts';

const ROWS = 10_000;
let next = 0;

export const WRITING: readonly Question[] = [
  {
    name: 'one CREATE',
    cypher: 'CREATE (:Event {id: $id, name: $name})',
    sql: 'INSERT INTO event VALUES ($id, $name)',
    parameters: () => ({ id: next++, name: 'an event' }),
  },
  {
    name: '10,000 nodes',
    cypher: 'UNWIND $rows AS row CREATE (:Event {id: row.id, name: row.name})',
    sql: 'INSERT INTO event VALUES ($id, $name)',
    texts: { duckdb: 'INSERT INTO event VALUES $rows' },
    parameters: () => ({ rows: rows(() => ({ id: next++, name: `event ${next}` })) }),
  },
  {
    name: '10,000 relationships',
    cypher: 'UNWIND $rows AS row MATCH (a:Person {id: row.a}), (b:Person {id: row.b}) CREATE (a)-[:FOLLOWS {w: row.w}]->(b)',
    sql: 'INSERT INTO follows VALUES ($a, $b, $w)',
    texts: { duckdb: 'INSERT INTO follows VALUES $rows' },
    parameters: (choose) => ({ rows: rows(() => ({ a: choose.person(), b: choose.person(), w: choose.number(1, 9) })) }),
  },
];

function rows(row: () => { [name: string]: Cell }): { [name: string]: Cell }[] {
  return Array.from({ length: ROWS }, row);
}
