/** A statement: its editor, the buttons that run it, its parameters and its answer. */
import { useEffect, useRef } from 'preact/hooks';
import { AnswerView } from './answer-view.tsx';
import type { Connection } from './api.ts';
import { createEditor, type Editor } from './editor.ts';
import { bare } from './fault-place.ts';
import type { Schema } from './schema.ts';
import type { Tab } from './tab.ts';

export interface StatementProps {
  readonly tab: Tab;
  readonly schema: Schema;
  readonly isDark: boolean;
  readonly connection: Connection;
  readonly onChange: (part: Partial<Tab>) => void;
  readonly onRun: (tab: Tab, editor: Editor | null) => Promise<void>;
  readonly onCancel: () => void;
}

export function StatementView({ tab, schema, isDark, connection, onChange, onRun, onCancel }: StatementProps) {
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<Editor | null>(null);
  const latest = useRef({ tab, schema, onRun, onChange, onCancel });
  latest.current = { tab, schema, onRun, onChange, onCancel };
  useEffect(() => {
    editor.current = createEditor({
      parent: host.current!,
      text: tab.text,
      schema: () => latest.current.schema,
      onChange: (text) => latest.current.onChange({ text }),
      onRun: () => void latest.current.onRun(latest.current.tab, editor.current),
      onCancel: () => latest.current.onCancel(),
    });
    editor.current.view.focus();
    return () => editor.current?.destroy();
  }, []);
  useEffect(() => {
    if (tab.loads > 0) editor.current?.setText(tab.text);
  }, [tab.loads]);

  return (
    <section class="statement" aria-label="Statement and answer">
      <div class="editor" ref={host} />
      <div class="toolbar">
        <button type="button" class="primary" disabled={tab.isRunning} title="Ctrl+Enter" onClick={() => void onRun(tab, editor.current)}>
          Run
        </button>
        <button type="button" disabled={!tab.isRunning} title="Escape" onClick={onCancel}>
          Cancel
        </button>
        <button
          type="button"
          disabled={tab.isRunning}
          onClick={() => void onRun({ ...tab, text: `EXPLAIN ${bare(tab.text)}` }, editor.current)}
        >
          Explain
        </button>
        <button
          type="button"
          disabled={tab.isRunning}
          onClick={() => void onRun({ ...tab, text: `PROFILE ${bare(tab.text)}` }, editor.current)}
        >
          Profile
        </button>
        <label class="parameters">
          Parameters{' '}
          <input
            type="text"
            value={tab.parameters}
            spellcheck={false}
            onInput={({ currentTarget }) => onChange({ parameters: currentTarget.value })}
          />
        </label>
      </div>
      {tab.fault !== null && (
        <p class="error" role="alert">
          {tab.fault}
        </p>
      )}
      {tab.answer !== null && (
        <AnswerView tab={tab} answer={tab.answer} isDark={isDark} connection={connection} onView={(view) => onChange({ view })} />
      )}
    </section>
  );
}
