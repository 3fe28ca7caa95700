/** The editor without a language of CodeMirror's gets the answers that CodeMirror's own package gives where none is set. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EditorState } from '@codemirror/state';
import {
  getIndentation,
  getIndentUnit,
  IndentContext,
  indentString,
  indentUnit,
  matchBrackets,
  syntaxTree,
} from '../../console/plain-language.ts';

const stateOf = (doc: string) => EditorState.create({ doc });

test('brackets are matched in both directions, over lines and other brackets', () => {
  const state = stateOf('f(a[0],\n{b})]');
  assert.deepEqual(matchBrackets(state, 1, 1), { start: { from: 1, to: 2 }, end: { from: 11, to: 12 }, matched: true });
  assert.deepEqual(matchBrackets(state, 12, -1), { start: { from: 11, to: 12 }, end: { from: 1, to: 2 }, matched: true });
  assert.deepEqual(matchBrackets(state, 13, -1), { start: { from: 12, to: 13 }, matched: false });
  // Where no bracket stands, or one that opens is looked at from behind it.
  for (const [position, direction] of [
    [2, 1],
    [2, -1],
    [0, -1],
    [13, 1],
    [1, -1],
  ] as const)
    assert.equal(matchBrackets(state, position, direction), null, `${position} ${direction}`);
});

test('brackets of another kind do not match; those that are very far apart are not found', () => {
  assert.deepEqual(matchBrackets(stateOf('(a]'), 0, 1), { start: { from: 0, to: 1 }, end: { from: 2, to: 3 }, matched: false });
  assert.equal(matchBrackets(stateOf(`(${' '.repeat(20_000)})`), 0, 1), null);
});

test('lines are indented like the line before', () => {
  const state = stateOf('  a\n\tb  c');
  assert.deepEqual([state.facet(indentUnit), getIndentUnit(state), indentString(state, 3)], ['  ', 2, '   ']);
  const context = new IndentContext(state, { simulateBreak: 6 });
  assert.deepEqual([getIndentation(context, 0), getIndentation(context, 6)], [0, null]);
  assert.deepEqual([context.lineIndent(0), context.lineIndent(4)], [2, 4]);
  // The line is broken within its white space.
  assert.equal(new IndentContext(state, { simulateBreak: 1 }).lineIndent(0), 1);
});

test('the syntax tree is one empty node', () => {
  const node = syntaxTree().resolveInner();
  assert.deepEqual(
    [node.from, node.to, node.parent, node.firstChild, node.childAfter(), node.type.prop()],
    [0, 0, null, null, null, undefined],
  );
  assert.equal(syntaxTree().resolveStack().next, null);
});
