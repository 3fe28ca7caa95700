/** Names are forgotten with their ids, and gaps between ids that commits define stay small enough. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LARGEST_SYMBOL_GAP, Symbols } from './symbols.ts';

test('a forgotten name gets another id; a name that a commit has defined is kept', () => {
  const symbols = new Symbols();
  symbols.intern('kept');
  symbols.setLogged(0, true);
  const size = symbols.size;
  assert.deepEqual([symbols.intern('a'), symbols.intern('b')], [1, 2]);
  symbols.setLogged(2, true);
  symbols.forgetFrom(size);
  assert.deepEqual([symbols.find('a'), symbols.find('b'), symbols.find('kept')], [-1, 2, 0]);
  assert.deepEqual([symbols.intern('a'), symbols.name(1), symbols.forgotten], [3, '', 1]);
  const other = new Symbols();
  for (const [id, name] of ['kept', 'a', 'b'].entries()) other.define(id, name);
  other.follow(symbols.names());
  assert.deepEqual([other.find('a'), other.find('b'), other.name(1), other.forgotten], [3, 2, '', 1]);
});

test('ids without names, however many, leave no gap that a log may not have', () => {
  const symbols = new Symbols();
  symbols.intern('first');
  symbols.setLogged(0, true);
  for (let id = 1; id < 2.7 * LARGEST_SYMBOL_GAP; id++) symbols.forget(symbols.intern(`x${id}`));
  const defined = symbols.definedWith(symbols.intern('last'));
  let size = 1;
  for (const id of defined) {
    assert.ok(id <= size + LARGEST_SYMBOL_GAP && symbols.name(id) !== '');
    size = id + 1;
  }
  assert.equal(symbols.name(defined.at(-1)!), 'last');
});
