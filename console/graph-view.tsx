/** Nodes and relationships of an answer as a picture that can be moved, with what a double click finds beside them. */
import Graph from 'graphology';
import forceAtlas2 from 'graphology-layout-forceatlas2';
import LayoutWorker from 'graphology-layout-forceatlas2/worker';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import Sigma from 'sigma';
import type { Row } from './api.ts';
import { type LabelStyle, readStyles, writeStyles } from './storage.ts';
import { isNode, jsonText, type NodeJson, type RelationshipJson, shortText, visitEntities } from './values.ts';

/** More are not drawn. */
const MOST_NODES = 5_000;
/** Above this number of nodes only the relationships of the answer are drawn. */
const MOST_CONNECTED = 500;
const LAYOUT_MS = 4_000;
const COLORS = ['#2f7ed8', '#d9793b', '#3f9e5a', '#b5528f', '#8468c9', '#2a9d9d', '#c24f4f', '#9a8a2c', '#5b7083', '#c08a1e'];

export interface GraphViewProps {
  readonly rows: readonly Row[];
  /** The neighbours of a node, as rows; `type` null: all. */
  readonly expand: (node: NodeJson, type: string | null, limit: number) => Promise<readonly Row[]>;
  /** The relationships between nodes, by their ids. */
  readonly connect: (ids: readonly string[]) => Promise<readonly Row[]>;
  /** How many relationships of each type a node has. */
  readonly countTypes: (node: NodeJson) => Promise<readonly TypeCount[]>;
  readonly isDark: boolean;
}

export interface TypeCount {
  readonly type: string;
  readonly count: number;
}

interface Picture {
  readonly graph: Graph;
  readonly nodes: Map<string, NodeJson>;
  readonly relationships: Map<string, RelationshipJson>;
  readonly isCut: boolean;
}

export function captionOf(node: NodeJson, styles: Readonly<Record<string, LabelStyle>>): string {
  const chosen = styles[node.labels[0] ?? '']?.caption;
  if (chosen !== undefined) return shortText(node.properties[chosen] ?? node.id);
  for (const key of ['name', 'title', 'id', 'key']) if (node.properties[key] !== undefined) return shortText(node.properties[key]);
  const first = Object.values(node.properties).find((value) => typeof value !== 'object');
  return first === undefined ? (node.labels[0] ?? node.id) : shortText(first);
}

function colorOf(label: string, labels: readonly string[], styles: Readonly<Record<string, LabelStyle>>): string {
  return styles[label]?.color ?? COLORS[Math.max(0, labels.indexOf(label)) % COLORS.length]!;
}

function draw(picture: Picture, rows: readonly Row[], around?: string): Picture {
  const { graph, nodes, relationships } = picture;
  let { isCut } = picture;
  const added: RelationshipJson[] = [];
  const place = around !== undefined && graph.hasNode(around) ? graph.getNodeAttributes(around) : null;
  for (const row of rows) {
    visitEntities(Object.values(row), (entity) => {
      if (!isNode(entity)) {
        added.push(entity);
        return;
      }
      nodes.set(entity.id, entity);
      if (graph.hasNode(entity.id)) return;
      if (graph.order >= MOST_NODES) {
        isCut = true;
        return;
      }
      const angle = graph.order * 2.399;
      const radius = place === null ? Math.sqrt(graph.order) : 0.5 + Math.random();
      graph.addNode(entity.id, { x: (place?.['x'] ?? 0) + radius * Math.cos(angle), y: (place?.['y'] ?? 0) + radius * Math.sin(angle) });
    });
  }
  for (const relationship of added) {
    relationships.set(relationship.id, relationship);
    const { id, src, dst, edge_type: label } = relationship;
    if (graph.hasNode(src) && graph.hasNode(dst) && !graph.hasEdge(id))
      graph.addEdgeWithKey(id, src, dst, { label, type: 'arrow', size: 1.5 });
  }
  return { graph, nodes, relationships, isCut };
}

export function GraphView({ rows, expand, connect, countTypes, isDark }: GraphViewProps) {
  const container = useRef<HTMLDivElement>(null);
  const [styles, setStyles] = useState(readStyles());
  const [chosen, setChosen] = useState<NodeJson | RelationshipJson | null>(null);
  const [message, setMessage] = useState('');
  const [drawn, setDrawn] = useState(0);
  const picture = useMemo(
    () => draw({ graph: new Graph({ multi: true, type: 'directed' }), nodes: new Map(), relationships: new Map(), isCut: false }, rows),
    [rows],
  );
  const labels = useMemo(
    () => [...new Set([...picture.nodes.values()].map(({ labels: [first] }) => first ?? ''))].sort(),
    [picture, drawn],
  );
  const renderer = useRef<Sigma | null>(null);

  useEffect(() => {
    const { graph, nodes } = picture;
    for (const [id, node] of nodes) {
      if (!graph.hasNode(id)) continue;
      const label = node.labels[0] ?? '';
      const degree = graph.degree(id);
      const size = (styles[label]?.size ?? 6) + Math.min(8, Math.sqrt(degree));
      graph.mergeNodeAttributes(id, { label: captionOf(node, styles), color: colorOf(label, labels, styles), size });
    }
    renderer.current?.refresh();
  }, [picture, styles, labels, drawn]);

  useEffect(() => {
    const { graph } = picture;
    if (container.current === null || graph.order === 0) return;
    const text = isDark ? '#e6e8eb' : '#1c2126';
    const sigma = new Sigma(graph, container.current, {
      renderEdgeLabels: graph.size <= 300,
      labelColor: { color: text },
      edgeLabelColor: { color: isDark ? '#9aa3ad' : '#5d6670' },
      defaultEdgeColor: isDark ? '#4a525b' : '#b9c0c7',
      labelRenderedSizeThreshold: graph.order > 500 ? 10 : 4,
      allowInvalidContainer: true,
    });
    renderer.current = sigma;
    const layout = new LayoutWorker(graph, { settings: { ...forceAtlas2.inferSettings(graph), slowDown: 4 } });
    layout.start();
    const timer = setTimeout(() => layout.stop(), LAYOUT_MS);
    let dragged: string | null = null;
    sigma.on('downNode', ({ node }) => {
      dragged = node;
      layout.stop();
    });
    sigma.on('moveBody', ({ event }) => {
      if (dragged === null) return;
      const { x, y } = sigma.viewportToGraph(event);
      graph.mergeNodeAttributes(dragged, { x, y });
      event.preventSigmaDefault();
      event.original.preventDefault();
    });
    const release = (): void => {
      dragged = null;
    };
    sigma.on('upNode', release);
    sigma.on('upStage', release);
    sigma.on('clickNode', ({ node }) => setChosen(picture.nodes.get(node) ?? null));
    sigma.on('clickEdge', ({ edge }) => setChosen(picture.relationships.get(edge) ?? null));
    sigma.on('clickStage', () => setChosen(null));
    sigma.on('doubleClickNode', ({ node, event }) => {
      event.preventSigmaDefault();
      void grow(node, null, 50);
    });
    return () => {
      clearTimeout(timer);
      layout.kill();
      sigma.kill();
      renderer.current = null;
    };
  }, [picture, isDark]);

  useEffect(() => {
    const ids = [...picture.nodes.keys()];
    if (ids.length < 2 || ids.length > MOST_CONNECTED) return;
    let isOver = false;
    connect(ids).then(
      (found) => {
        if (isOver) return;
        draw(picture, found);
        setDrawn((count) => count + 1);
      },
      () => undefined,
    );
    return () => {
      isOver = true;
    };
  }, [picture, connect]);

  async function grow(id: string, type: string | null, limit: number): Promise<void> {
    const node = picture.nodes.get(id);
    if (node === undefined) return;
    setMessage('…');
    try {
      const before = picture.graph.order;
      draw(picture, await expand(node, type, limit), id);
      setMessage(`${picture.graph.order - before} more nodes`);
      setDrawn((count) => count + 1);
    } catch (error) {
      setMessage(error instanceof Error ? error.message : String(error));
    }
  }

  const change = (label: string, style: LabelStyle): void => {
    const next = { ...styles, [label]: { ...styles[label], ...style } };
    writeStyles(next);
    setStyles(next);
  };

  if (picture.graph.order === 0)
    return <p class="empty">This answer has no nodes to draw. Return nodes, relationships or paths, or look at the table.</p>;
  return (
    <div class="graph">
      <div
        class="canvas"
        ref={container}
        role="img"
        aria-label={`Graph of ${picture.graph.order} nodes and ${picture.graph.size} relationships`}
      />
      <aside class="legend" aria-label="Labels">
        {labels.map((label) => (
          <LabelRow
            key={label}
            label={label}
            color={colorOf(label, labels, styles)}
            style={styles[label] ?? {}}
            keys={keysOf(picture, label)}
            onChange={change}
          />
        ))}
        {picture.isCut && <p class="note">The first {MOST_NODES} nodes are drawn.</p>}
        <p class="note" role="status">
          {message || 'Double-click a node to see its neighbours.'}
        </p>
      </aside>
      {chosen !== null && (
        <Details key={chosen.id} entity={chosen} countTypes={countTypes} onExpand={(id, type) => void grow(id, type, 100)} />
      )}
    </div>
  );
}

function keysOf({ nodes }: Picture, label: string): string[] {
  const keys = new Set<string>();
  for (const node of nodes.values()) if ((node.labels[0] ?? '') === label) for (const key of Object.keys(node.properties)) keys.add(key);
  return [...keys].sort();
}

interface LabelRowProps {
  readonly label: string;
  readonly color: string;
  readonly style: LabelStyle;
  readonly keys: readonly string[];
  readonly onChange: (label: string, style: LabelStyle) => void;
}

function LabelRow({ label, color, style, keys, onChange }: LabelRowProps) {
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

interface DetailsProps {
  readonly entity: NodeJson | RelationshipJson;
  readonly countTypes: GraphViewProps['countTypes'];
  /** `type` null: all. */
  readonly onExpand: (id: string, type: string | null) => void;
}

function Details({ entity, countTypes, onExpand }: DetailsProps) {
  const [types, setTypes] = useState<readonly TypeCount[]>([]);
  useEffect(() => {
    if (isNode(entity)) countTypes(entity).then(setTypes, () => undefined);
  }, [entity]);
  return (
    <aside class="details" aria-label="Details">
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
