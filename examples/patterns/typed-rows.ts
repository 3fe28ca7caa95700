/** Parameters and rows that have the types of interfaces, nodes with typed properties, and short forms for one row and one value. */
import assert from 'node:assert/strict';
import { Node, open } from 'graphdb';

interface NewPerson {
  readonly name: string;
  readonly born: number | null;
  readonly tags: readonly string[];
}

interface Address {
  readonly city: string;
}

interface PersonRow {
  readonly name: string;
  readonly age: number | null;
  readonly address: Address;
}

await using db = await open('memory://typed-rows');
const ada: NewPerson = { name: 'Ada', born: 1815, tags: ['mathematics'] };
await db.query('CREATE (:Person {name: $name, born: $born, tags: $tags})', ada);
await db.query('CREATE (:Person {name: $person.name, tags: $person.tags})', { person: { ...ada, name: 'Somebody' } satisfies NewPerson });

const { rows } = await db.query<PersonRow>(
  "MATCH (p:Person) RETURN p.name AS name, 1852 - p.born AS age, {city: 'London'} AS address ORDER BY name",
);
const ages: (number | null)[] = rows.map(({ age }) => age);
assert.deepEqual(ages, [37, null]);
assert.equal(rows[0]?.address.city.toUpperCase(), 'LONDON');

const first = await db.first<PersonRow>('MATCH (p:Person {name: $name}) RETURN p.name AS name', ada);
assert.equal(first?.name.length, 3);
const count: number = (await db.value<number>('MATCH (p:Person) RETURN count(*)')) ?? 0;
assert.equal(count, 2);

const found = await db.first<{ p: Node<NewPerson> }>('MATCH (p:Person {name: $name}) RETURN p', { name: 'Ada' });
const born: number | null | undefined = found?.p.properties.born;
assert.ok(found?.p instanceof Node && born === 1815);
for await (const { name } of db.stream<Pick<PersonRow, 'name'>>('MATCH (p:Person) RETURN p.name AS name')) assert.ok(name.length > 0);
console.log('typed rows: done');
