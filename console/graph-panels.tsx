/** The panels beside the picture of a graph: how each label looks, and the details of what is chosen. */
import { useEffect, useState } from 'preact/hooks';
import type { LabelStyle } from './storage.ts';
import { isNode, jsonText, type NodeJson, type RelationshipJson, shortText } from './values.ts';

export interface TypeCount {
  readonly type: string;
  readonly count: number;
}

export interface LabelRowProps {
  readonly label: string;
  readonly color: string;
  readonly style: LabelStyle;
  readonly keys: readonly string[];
  readonly onChange: (label: string, style: LabelStyle) => void;
}

export function LabelRow({ label, color, style, keys, onChange }: LabelRowProps) {
  const name = label === '' ? 'no label' : label;
  return (
    <div class="label-row">
      <input
        type="color"
        value={color}
        aria-label={`Colour of ${name}`}
        onChange={({ currentTarget }) => onChange(label, { color: currentTarget.value })}
      />
      <span>{name}</span>
      <select
        aria-label={`Caption of ${name}`}
        value={style.caption ?? ''}
        onChange={({ currentTarget }) => onChange(label, { caption: currentTarget.value })}
      >
        <option value="">caption</option>
        {keys.map((key) => (
          <option key={key} value={key}>
            {key}
          </option>
        ))}
      </select>
      <input
        type="range"
        min="3"
        max="20"
        value={style.size ?? 6}
        aria-label={`Size of ${name}`}
        onInput={({ currentTarget }) => onChange(label, { size: Number(currentTarget.value) })}
      />
    </div>
  );
}

export interface DetailsProps {
  readonly entity: NodeJson | RelationshipJson;
  /** How many relationships of each type a node has. */
  readonly countTypes: (node: NodeJson) => Promise<readonly TypeCount[]>;
  /** `type` null: all. */
  readonly onExpand: (id: string, type: string | null) => void;
}

export function Details({ entity, countTypes, onExpand }: DetailsProps) {
  const [types, setTypes] = useState<readonly TypeCount[]>([]);
  useEffect(() => {
    if (isNode(entity)) countTypes(entity).then(setTypes, () => undefined);
  }, [entity]);
  return (
    <aside class="details" aria-label="Details" aria-live="polite">
      <h3>{isNode(entity) ? entity.labels.map((label) => `:${label}`).join('') || '(no label)' : `:${entity.edge_type}`}</h3>
      <p class="note">{entity.id}</p>
      <dl>
        {Object.entries(entity.properties).map(([key, value]) => (
          <div key={key}>
            <dt>{key}</dt>
            <dd>{typeof value === 'object' ? jsonText(value) : shortText(value)}</dd>
          </div>
        ))}
      </dl>
      {types.length > 0 && (
        <div class="chips">
          <button type="button" class="chip" onClick={() => onExpand(entity.id, null)}>
            Expand all
          </button>
          {types.map(({ type, count }) => (
            <button key={type} type="button" class="chip" onClick={() => onExpand(entity.id, type)}>
              {type} <span class="count">{count}</span>
            </button>
          ))}
        </div>
      )}
    </aside>
  );
}
