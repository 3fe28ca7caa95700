/** Nodes and relationships of an answer as a picture that can be moved, with what a double click finds beside them. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import Sigma from 'sigma';
import { drawDiscNodeHover } from 'sigma/rendering';
import type { Row } from './api.ts';
import { DIRECTIONS, moveCamera, nodeTowards } from './graph-keys.ts';
import { captionOf, colorOf, draw, emptyPicture, keysOf, MOST_NODES } from './graph-model.ts';
import { Details, LabelRow, type TypeCount } from './graph-panels.tsx';
import { type LargeGraph, largeGraph, PLACES_ONLY } from './large-graph.ts';
import { startLayout } from './layout.ts';
import { type LabelStyle, readStyles, writeStyles } from './storage.ts';
import { isNode, type NodeJson, type RelationshipJson } from './values.ts';

/** Above this number of nodes only the relationships of the answer are drawn. */
const MOST_CONNECTED = 500;
/** Relationships that one look at the neighbours of a node takes. */
const MOST_GROWN = 50;
const LAYOUT_MS = 4_000;

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

export function GraphView({ rows, expand, connect, countTypes, isDark }: GraphViewProps) {
  const container = useRef<HTMLDivElement>(null);
  const [styles, setStyles] = useState(readStyles());
  const [chosen, setChosen] = useState<NodeJson | RelationshipJson | null>(null);
  const [message, setMessage] = useState('');
  const [drawn, setDrawn] = useState(0);
  const picture = useMemo(() => draw(emptyPicture(), rows), [rows]);
  const labels = useMemo(
    () => [...new Set([...picture.nodes.values()].map(({ labels: [first] }) => first ?? ''))].sort(),
    [picture, drawn],
  );
  const renderer = useRef<Sigma | null>(null);
  const largeDrawing = useRef<LargeGraph | null>(null);
  const isMarked = useRef(false);

  useEffect(() => {
    const { graph, nodes } = picture;
    for (const [id, node] of nodes) {
      if (!graph.hasNode(id)) continue;
      const label = node.labels[0] ?? '';
      const degree = graph.degree(id);
      const size = ((styles[label]?.size ?? 6) + Math.min(8, Math.sqrt(degree))) / (graph.order > MOST_CONNECTED ? 2 : 1);
      graph.mergeNodeAttributes(id, { label: captionOf(node, styles), color: colorOf(label, labels, styles), size });
    }
    renderer.current?.refresh();
  }, [picture, styles, labels, drawn]);

  useEffect(() => {
    const { graph } = picture;
    if (container.current === null || graph.order === 0) return;
    const large = graph.order > MOST_CONNECTED ? largeGraph(graph) : null;
    largeDrawing.current = large;
    const text = isDark ? '#e6e8eb' : '#1c2126';
    const sigma = new Sigma(graph, container.current, {
      renderEdgeLabels: graph.size <= 300,
      labelColor: { color: text },
      // What is pointed at has a white ground in both themes.
      defaultDrawNodeHover: (context, data, settings) =>
        drawDiscNodeHover(context, data, { ...settings, labelColor: { color: '#1c2126' } }),
      edgeLabelColor: { color: isDark ? '#9aa3ad' : '#5d6670' },
      defaultEdgeColor: isDark ? '#4a525b' : '#b9c0c7',
      labelRenderedSizeThreshold: graph.order > 500 ? 10 : 4,
      allowInvalidContainer: true,
      // Relationships are clicked for their properties; to find out which one is pointed at costs a drawing of all.
      enableEdgeEvents: large === null,
      ...large?.settings,
    });
    renderer.current = sigma;
    let isPointedAt = false;
    sigma.on('enterNode', () => {
      isPointedAt = true;
    });
    sigma.on('leaveNode', () => {
      isPointedAt = false;
    });
    const layout = startLayout(graph, {
      durationMs: LAYOUT_MS,
      onMoved(places) {
        if (large === null) sigma.refresh(PLACES_ONLY);
        else large.move(places, isPointedAt || isMarked.current);
      },
      onEnd: () => large?.settle(),
    });
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
      void grow(node, null, MOST_GROWN);
    });
    return () => {
      layout.stop();
      sigma.kill();
      renderer.current = null;
    };
  }, [picture, isDark]);

  useEffect(() => setChosen(null), [picture]);
  useEffect(() => {
    const { graph } = picture;
    const id = chosen?.id ?? '';
    if (!graph.hasNode(id)) return;
    graph.setNodeAttribute(id, 'highlighted', true);
    isMarked.current = true;
    return () => {
      graph.removeNodeAttribute(id, 'highlighted');
      isMarked.current = false;
    };
  }, [chosen, picture]);

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

  const settle = (): void => largeDrawing.current?.settle();

  const onKey = (event: KeyboardEvent): void => {
    if (renderer.current === null || event.altKey || event.ctrlKey || event.metaKey) return;
    settle();
    const at = chosen !== null && isNode(chosen) ? chosen.id : null;
    if (event.key === 'Enter' && at !== null) void grow(at, null, MOST_GROWN);
    else if (event.key === 'Escape') setChosen(null);
    else if (event.key in DIRECTIONS) {
      const next = nodeTowards(renderer.current, at, DIRECTIONS[event.key]!);
      if (next !== null) setChosen(picture.nodes.get(next) ?? null);
    } else if (!moveCamera(renderer.current, event.key)) return;
    event.preventDefault();
  };

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
        role="application"
        tabIndex={0}
        onKeyDown={onKey}
        // Before the renderer looks for what is there.
        onPointerDownCapture={settle}
        onPointerMoveCapture={settle}
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
          {message || 'Double-click a node, or choose it by the arrow keys and press Enter, to see its neighbours.'}
        </p>
      </aside>
      {chosen !== null && (
        <Details key={chosen.id} entity={chosen} countTypes={countTypes} onExpand={(id, type) => void grow(id, type, 100)} />
      )}
    </div>
  );
}
