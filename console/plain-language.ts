/**
 * The editor has no language of CodeMirror's: words and faults come from our own parser. The build puts this module in the place of
 * `@codemirror/language` and `@lezer/common`, which would add 14 kB gzipped for a syntax tree that is always empty. Commands and
 * completion get the answers here that those packages give where no language is set; what they do not ask for is absent, so that
 * the build fails if they come to ask for more.
 */
import { countColumn, type EditorState, Facet } from '@codemirror/state';

interface Span {
  readonly from: number;
  readonly to: number;
}

/** The one node of an empty tree. */
const NODE = {
  from: 0,
  to: 0,
  name: '',
  firstChild: null,
  parent: null,
  type: { name: '', prop: () => undefined },
  childAfter: () => null,
  childBefore: () => null,
};
const TREE = { length: 0, resolveInner: () => NODE, resolveStack: () => ({ node: NODE, next: null }) };

/** Properties of nodes that commands look for. */
export const NodeProp = { closedBy: 'closedBy', openedBy: 'openedBy' };

/** Returns the syntax tree of a statement: the empty one. */
export function syntaxTree(): typeof TREE {
  return TREE;
}

/** The facet of the white space that a line is indented by. */
export const indentUnit: Facet<string, string> = Facet.define({ combine: ([unit = '  ']) => unit });

/** Returns the width of `indentUnit` in columns. */
export function getIndentUnit(state: EditorState): number {
  return countColumn(state.facet(indentUnit), state.tabSize);
}

/** Returns the white space before a line that begins at a column. */
export function indentString(_state: EditorState, columns: number): string {
  return ' '.repeat(columns);
}

/** Returns the column at which the line of a position ought to begin; null, as it is with no syntax: the one of the line before. */
export function getIndentation(_context: IndentContext, position: number): number | null {
  return position === 0 ? 0 : null;
}

/** The lines of an editor as they are once a line is broken. */
export class IndentContext {
  readonly #state: EditorState;
  readonly #breakAt: number;

  constructor(state: EditorState, { simulateBreak = -1 }: { readonly simulateBreak?: number } = {}) {
    this.#state = state;
    this.#breakAt = simulateBreak;
  }

  /** Returns the column at which the text of the line begins that ends at, or lies around, a position. */
  lineIndent(position: number): number {
    const { from, to, text } = this.#state.doc.lineAt(position);
    const line = position <= this.#breakAt && this.#breakAt <= to ? text.slice(0, this.#breakAt - from) : text;
    return countColumn(line, this.#state.tabSize, line.search(/\S|$/));
  }
}

const BRACKETS = '()[]{}';
/** Brackets further apart are not looked for. */
const MOST_BETWEEN = 10_000;

/** Brackets that belong together; `end` is absent where there is none. */
export interface BracketMatch {
  readonly start: Span;
  readonly end?: Span;
  readonly matched: boolean;
}

/** Returns the bracket behind a position (`direction` 1) or before it (-1) and its other end; null where there is none. */
export function matchBrackets(state: EditorState, position: number, direction: 1 | -1): BracketMatch | null {
  const isForward = direction > 0;
  const first = isForward ? position : position - 1;
  const kind = kindAt(state.sliceDoc(Math.max(0, first), first + 1));
  if (kind === null || kind.isOpening !== isForward) return null;
  let depth = 0;
  for (let at = first; at >= 0 && at < state.doc.length; at += direction) {
    if (Math.abs(at - first) > MOST_BETWEEN) return null;
    const other = kindAt(state.sliceDoc(at, at + 1));
    if (other === null) continue;
    depth += other.isOpening === isForward ? 1 : -1;
    if (depth === 0) return { start: spanOf(first), end: spanOf(at), matched: other.pair === kind.pair };
  }
  return { start: spanOf(first), matched: false };
}

function spanOf(at: number): Span {
  return { from: at, to: at + 1 };
}

function kindAt(character: string): { readonly pair: number; readonly isOpening: boolean } | null {
  const at = character === '' ? -1 : BRACKETS.indexOf(character);
  return at < 0 ? null : { pair: at >> 1, isOpening: at % 2 === 0 };
}
