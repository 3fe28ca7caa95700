import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseNodeHeader, parseRelationshipHeader } from './header.ts';

test('a node header', () => {
  const header = parseNodeHeader([
    'id:ID(Person){id-type: long}',
    'name',
    'a:b:int[]',
    'at:DateTime{timezone:Europe/Stockholm}',
    ':LABEL',
    'x:IGNORE',
  ]);
  assert.deepEqual(header.id, { column: 0, space: 'Person', idType: 'integer', key: 'id' });
  assert.equal(header.label, 4);
  assert.deepEqual(header.properties, [
    { column: 1, key: 'name', type: { scalar: 'string', list: false } },
    { column: 2, key: 'a:b', type: { scalar: 'integer', list: true } },
    { column: 3, key: 'at', type: { scalar: 'datetime', list: false, timezone: 'Europe/Stockholm' } },
  ]);
});

test('a relationship header', () => {
  const header = parseRelationshipHeader([':START_ID(A)', ':END_ID', ':TYPE', 'since:double']);
  assert.deepEqual(header.start, { column: 0, space: 'A', idType: null });
  assert.deepEqual(header.end, { column: 1, space: '', idType: null });
  assert.equal(header.type, 2);
  assert.deepEqual(header.properties, [{ column: 3, key: 'since', type: { scalar: 'float', list: false } }]);
});

for (const [fields, message] of [
  [['id:ID', 'other:ID'], /two columns are :ID/],
  [['id:ID', 'id:int'], /two columns are named "id"/],
  [['name:text'], /unknown type "text" \(string, /],
  [['where:polygon'], /unknown type "polygon"/],
  [['a:b c'], /what follows the colon is no type/],
  [[':ID(A)|v:int[]'], /is the delimiter right/],
  [[':int'], /column 1 has no name/],
  [['id:ID', ':json'], /column 2 has no name/],
  [['x:int(Space)'], /have an id space/],
  [['id:ID{id-type:uuid}'], /id-type is one of string, integer/],
  [['id:ID{kind:long}'], /unknown option "kind:long"/],
  [[':START_ID', ':END_ID'], /no place in a file of nodes/],
  [['_id:int'], /_id is a string/],
  [['_id:ID{id-type:long}'], /_id is a string/],
  [['at:datetime{timezone:Nowhere/Land}'], /Nowhere/],
] as const) {
  test(`refused: ${fields.join()}`, () => {
    assert.throws(() => parseNodeHeader(fields), { code: 'ARGUMENT_ERROR', message });
  });
}

test('refused: relationships without ends, or with labels', () => {
  assert.throws(() => parseRelationshipHeader([':START_ID', 'x']), { message: /needs a :START_ID and an :END_ID/ });
  assert.throws(() => parseRelationshipHeader([':START_ID', ':END_ID', '_id']), { message: /no _id that can be set/ });
  assert.throws(() => parseRelationshipHeader([':START_ID', ':END_ID', ':LABEL']), { message: /no place in a file of relationships/ });
});
