/** The schema, which writes statements, and the statements of before. */
import { useState } from 'preact/hooks';
import type { Schema } from './schema.ts';
import { readSaved, type SavedStatement, writeSaved } from './storage.ts';
import { quoted } from './values.ts';

export interface SidebarProps {
  readonly schema: Schema;
  readonly history: readonly string[];
  /** The statement in the editor. */
  readonly current: string;
  readonly onOpen: (text: string) => void;
  readonly onRefresh: () => void;
}

export function Sidebar({ schema, history, current, onOpen, onRefresh }: SidebarProps) {
  const [saved, setSaved] = useState<readonly SavedStatement[]>(readSaved());
  const [name, setName] = useState('');
  const keep = (next: readonly SavedStatement[]): void => {
    writeSaved(next);
    setSaved(next);
  };
  return (
    <aside class="sidebar" aria-label="Schema and statements">
      <details open>
        <summary>Schema</summary>
        <button type="button" class="plain" onClick={onRefresh}>
          Refresh
        </button>
        <h2>Labels</h2>
        <div class="chips">
          {schema.labels.map((label) => (
            <button key={label} type="button" class="chip" onClick={() => onOpen(`MATCH (n:${quoted(label)}) RETURN n LIMIT 25`)}>
              {label} <span class="count">{countText(schema.labelCounts[label])}</span>
            </button>
          ))}
        </div>
        <h2>Relationship types</h2>
        <div class="chips">
          {schema.types.map((type) => (
            <button key={type} type="button" class="chip" onClick={() => onOpen(`MATCH p = ()-[:${quoted(type)}]->() RETURN p LIMIT 25`)}>
              {type} <span class="count">{countText(schema.typeCounts[type])}</span>
            </button>
          ))}
        </div>
        <h2>Property keys</h2>
        <div class="chips">
          {schema.keys.map((key) => (
            <button
              key={key}
              type="button"
              class="chip"
              onClick={() => onOpen(`MATCH (n) WHERE n.${quoted(key)} IS NOT NULL RETURN n.${quoted(key)} LIMIT 25`)}
            >
              {key}
            </button>
          ))}
        </div>
        <List title="Indexes" lines={schema.indexes} />
        <List title="Constraints" lines={schema.constraints} />
      </details>
      <details>
        <summary>Saved</summary>
        <form
          class="save"
          onSubmit={(event) => {
            event.preventDefault();
            if (name.trim() === '' || current.trim() === '') return;
            keep([...saved.filter((each) => each.name !== name), { name, text: current }]);
            setName('');
          }}
        >
          <input
            type="text"
            aria-label="Name of the statement"
            placeholder="name"
            value={name}
            onInput={({ currentTarget }) => setName(currentTarget.value)}
          />
          <button type="submit">Save</button>
        </form>
        <ul>
          {saved.map((each) => (
            <li key={each.name}>
              <button type="button" class="plain" title={each.text} onClick={() => onOpen(each.text)}>
                {each.name}
              </button>
              <button
                type="button"
                class="plain"
                aria-label={`Forget ${each.name}`}
                onClick={() => keep(saved.filter((other) => other !== each))}
              >
                ×
              </button>
            </li>
          ))}
        </ul>
      </details>
      <details>
        <summary>History</summary>
        <ul>
          {history.slice(0, 50).map((text) => (
            <li key={text}>
              <button type="button" class="plain statement-text" title={text} onClick={() => onOpen(text)}>
                {text}
              </button>
            </li>
          ))}
        </ul>
      </details>
    </aside>
  );
}

function List({ title, lines }: { readonly title: string; readonly lines: readonly string[] }) {
  if (lines.length === 0) return null;
  return (
    <>
      <h2>{title}</h2>
      <ul>
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </>
  );
}

function countText(count: number | undefined): string {
  return count === undefined ? '' : new Intl.NumberFormat('en', { notation: 'compact' }).format(count);
}
