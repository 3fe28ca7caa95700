/**
 * The editor of statements: CodeMirror within a shadow root, so that its styles need no inline `<style>`; words and
 * faults come from the parser in a worker.
 */
import { autocompletion, type CompletionContext, type CompletionResult, closeCompletion, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { EditorState, type Range, StateEffect, type StateEffectType, StateField } from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  EditorView,
  highlightSpecialChars,
  hoverTooltip,
  keymap,
  lineNumbers,
  placeholder,
} from '@codemirror/view';
import type { Analysis } from './language-worker.ts';
import type { Schema } from './schema.ts';
import { quoted } from './values.ts';

export interface EditorOptions {
  readonly parent: HTMLElement;
  readonly text: string;
  readonly schema: () => Schema;
  readonly onChange: (text: string) => void;
  readonly onRun: () => void;
  readonly onCancel: () => void;
}

export interface Fault {
  readonly at: number;
  readonly message: string;
  /** The statement can run nevertheless. */
  readonly isWarning: boolean;
}

export interface Editor {
  readonly view: EditorView;
  setText(text: string): void;
  /** Underlines what the server told, until the text changes. */
  showFaults(faults: readonly Fault[]): void;
  destroy(): void;
}

const setDecorations = StateEffect.define<DecorationSet>();
/** Sets the faults that the parser of the page finds. */
const setRead = StateEffect.define<readonly Fault[]>();
/** Sets the faults and warnings that the server told of the statement. */
const setTold = StateEffect.define<readonly Fault[]>();

const decorations = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(set, transaction) {
    for (const effect of transaction.effects) if (effect.is(setDecorations)) return effect.value;
    return set.map(transaction.changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});

function underlinedBy(effect: StateEffectType<readonly Fault[]>): StateField<readonly Fault[]> {
  return StateField.define<readonly Fault[]>({
    create: () => [],
    update(faults, transaction) {
      for (const each of transaction.effects) if (each.is(effect)) return each.value;
      return transaction.docChanged ? [] : faults;
    },
    provide: (field) => EditorView.decorations.from(field, (faults) => (view) => underlined(view.state, faults)),
  });
}

const faultFields = [underlinedBy(setRead), underlinedBy(setTold)];

function underlined(state: EditorState, faults: readonly Fault[]): DecorationSet {
  if (state.doc.length === 0) return Decoration.none;
  const ranges = faults.map(({ at: place, isWarning }) => {
    const at = Math.min(place, state.doc.length - 1);
    const { from, to } = state.wordAt(at) ?? { from: at, to: at + 1 };
    return Decoration.mark({ class: isWarning ? 'cm-warned' : 'cm-fault' }).range(from, Math.max(to, from + 1));
  });
  return Decoration.set(ranges, true);
}

const faultTooltip = hoverTooltip((view, position) => {
  const faults = faultFields.flatMap((field) => view.state.field(field));
  const fault = faults.find(({ at }) => Math.abs(position - at) <= 20);
  if (fault === undefined) return null;
  return {
    pos: Math.min(fault.at, view.state.doc.length),
    create() {
      const dom = document.createElement('div');
      dom.className = 'cm-fault-message';
      dom.textContent = fault.message;
      return { dom };
    },
  };
});

const KEYWORDS = (
  'MATCH OPTIONAL WHERE RETURN WITH UNWIND CREATE MERGE SET DELETE DETACH REMOVE ORDER BY SKIP LIMIT DISTINCT ' +
  'CALL YIELD UNION EXPLAIN PROFILE SHOW INDEX CONSTRAINT CASE WHEN THEN ELSE END AND OR NOT XOR IN STARTS ENDS ' +
  'CONTAINS IS NULL EXISTS COUNT COLLECT ON AS ASC DESC FOREACH USE'
).split(' ');

function completions(schema: () => Schema): (context: CompletionContext) => CompletionResult | null {
  return (context) => {
    const word = context.matchBefore(/[\w$`.]*$/);
    if (word === null || (word.from === word.to && !context.explicit && !/[:.|]$/.test(context.state.sliceDoc(0, context.pos))))
      return null;
    const { labels, types, keys, functions, procedures } = schema();
    const before = context.state.sliceDoc(Math.max(0, word.from - 200), word.from);
    const option = (type: string) => (label: string) => ({
      label,
      type,
      apply: type === 'label' || type === 'type' || type === 'key' ? quoted(label) : label,
    });
    if (/\[[^\]]*[:|]\s*$/.test(before)) return { from: word.from, options: types.map(option('type')), validFor: /^[\w`]*$/ };
    if (/[:|&]\s*$/.test(before)) return { from: word.from, options: labels.map(option('label')), validFor: /^[\w`]*$/ };
    const dot = word.text.lastIndexOf('.');
    if (dot >= 0 && !/\bCALL\s+$/i.test(before)) {
      const dotted = functions.filter((name) => name.includes('.')).map(option('function'));
      return {
        from: word.from,
        options: [...keys.map((key) => ({ ...option('key')(key), label: word.text.slice(0, dot + 1) + key })), ...dotted],
      };
    }
    if (/\bCALL\s+$/i.test(before)) return { from: word.from, options: procedures.map(option('procedure')), validFor: /^[\w.]*$/ };
    const options = [
      ...KEYWORDS.map(option('keyword')),
      ...functions.map((name) => ({ label: name, type: 'function', apply: `${name}(` })),
    ];
    return { from: word.from, options, validFor: /^[\w.]*$/ };
  };
}

/**
 * Where text takes the place of coloured text, Chromium keeps its colours in a style of the element, which the policy
 * of the page forbids. So it never comes to that.
 */
function replaceSelected(event: InputEvent, view: EditorView): boolean {
  const { state } = view;
  if (event.inputType !== 'insertText' || event.isComposing || event.data === null || state.selection.main.empty) return false;
  event.preventDefault();
  view.dispatch({ ...state.replaceSelection(event.data), scrollIntoView: true, userEvent: 'input.type' });
  return true;
}

/** `isTaken`: no other command of the key runs. */
function onKey(work: () => void, isTaken: boolean): () => boolean {
  return () => {
    work();
    return isTaken;
  };
}

export function createEditor(options: EditorOptions): Editor {
  const { parent, onChange, onRun, onCancel, schema } = options;
  const root = parent.shadowRoot ?? parent.attachShadow({ mode: 'open' });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(STYLES);
  root.adoptedStyleSheets = [sheet];
  const worker = new Worker(new URL('./language-worker.js', import.meta.url), { type: 'module' });
  let version = 0;
  const analyse = (text: string): void => worker.postMessage({ version: ++version, text });
  const state = EditorState.create({
    doc: options.text,
    extensions: [
      lineNumbers(),
      history(),
      highlightSpecialChars(),
      decorations,
      ...faultFields,
      faultTooltip,
      autocompletion({ override: [completions(schema)], icons: false }),
      EditorView.domEventHandlers({ beforeinput: replaceSelected }),
      placeholder('MATCH (n) RETURN n LIMIT 25'),
      EditorView.lineWrapping,
      EditorView.contentAttributes.of({ 'aria-label': 'Statement' }),
      keymap.of([
        { key: 'Mod-Enter', run: (view) => closeCompletion(view) && false },
        { key: 'Mod-Enter', run: onKey(onRun, true) },
        { key: 'Escape', run: onKey(onCancel, false) },
        ...completionKeymap,
        ...historyKeymap,
        indentWithTab,
        ...defaultKeymap,
      ]),
      EditorView.updateListener.of((update) => {
        if (!update.docChanged) return;
        const text = update.state.doc.toString();
        onChange(text);
        analyse(text);
      }),
    ],
  });
  // as: a shadow root takes children as an element does
  const view = new EditorView({ state, root, parent: root as unknown as HTMLElement });
  worker.onmessage = ({ data }: MessageEvent<Analysis>) => {
    if (data.version !== version) return;
    const marks: Range<Decoration>[] = data.tokens.map(({ start, end, kind }) =>
      Decoration.mark({ class: `cm-${kind}` }).range(start, end),
    );
    // A fault at the end of what is being typed is none yet.
    const isShown = data.fault !== null && data.fault.at < view.state.doc.toString().trimEnd().length;
    const faults = isShown ? [{ ...data.fault!, isWarning: false }] : [];
    view.dispatch({ effects: [setDecorations.of(Decoration.set(marks, true)), setRead.of(faults)] });
  };
  analyse(options.text);
  return {
    view,
    setText(text) {
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
    },
    showFaults(faults) {
      view.dispatch({ effects: setTold.of(faults) });
    },
    destroy() {
      worker.terminate();
      view.destroy();
    },
  };
}

/** Colours come from the page's custom properties, which a shadow root inherits. */
const STYLES = `
:host { display: block; height: 100%; }
.cm-editor { height: 100%; font-size: 14px; color: var(--text); background: var(--surface); }
.cm-editor.cm-focused { outline: 2px solid var(--accent); outline-offset: -2px; }
.cm-scroller { font-family: var(--mono); line-height: 1.5; }
.cm-editor.cm-editor .cm-gutters { background: var(--surface); color: var(--muted); border: 0; }
.cm-editor.cm-editor .cm-cursor { border-left-color: var(--text); }
.cm-selectionBackground, .cm-content ::selection { background: var(--selection); }
.cm-keyword { color: var(--keyword); font-weight: 600; }
.cm-function { color: var(--function); }
.cm-label { color: var(--label); }
.cm-number { color: var(--number); }
.cm-string { color: var(--string); }
.cm-parameter { color: var(--parameter); }
.cm-comment { color: var(--muted); font-style: italic; }
.cm-fault { text-decoration: underline wavy var(--error); text-underline-offset: 3px; }
.cm-warned { text-decoration: underline wavy var(--warn); text-underline-offset: 3px; }
.cm-editor.cm-editor .cm-fault-message { padding: 6px 8px; max-width: 40em; }
.cm-editor.cm-editor .cm-tooltip { background: var(--raised); color: var(--text); border: 1px solid var(--line); border-radius: 4px; }
.cm-editor.cm-editor .cm-tooltip.cm-tooltip-autocomplete ul li[aria-selected] { background: var(--accent); color: var(--on-accent); }
.cm-editor.cm-editor .cm-placeholder { color: var(--muted); }
`;
