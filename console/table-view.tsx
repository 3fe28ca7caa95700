/** Rows of an answer as a table of any length: only those in sight are in the page. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Row } from './api.ts';
import { clipboardText, compareValues, csvText, jsonText, shortText } from './values.ts';

const ROW_PIXELS = 28;
const BEYOND = 10;

/** Rows and columns that an arrow key goes on by. */
const STEPS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

interface Cell {
  readonly row: number;
  readonly column: number;
}

interface Order {
  readonly column: string;
  readonly isDescending: boolean;
}

export function TableView({ columns, rows }: { readonly columns: readonly string[]; readonly rows: readonly Row[] }) {
  const [order, setOrder] = useState<Order | null>(null);
  const [top, setTop] = useState(0);
  const [height, setHeight] = useState(600);
  const [opened, setOpened] = useState<unknown>(undefined);
  const scroller = useRef<HTMLElement>(null);
  const sorted = useMemo(() => {
    if (order === null) return rows;
    const direction = order.isDescending ? -1 : 1;
    return [...rows].sort((one, other) => direction * compareValues(one[order.column], other[order.column]));
  }, [rows, order]);
  const first = Math.max(0, Math.floor(top / ROW_PIXELS) - BEYOND);
  const shown = sorted.slice(first, first + Math.ceil(height / ROW_PIXELS) + 2 * BEYOND);
  const [cell, setCell] = useState<Cell | null>(null);
  /** The chosen cell takes the focus as soon as its row is in the page. */
  const awaitsFocus = useRef(false);
  useEffect(() => setCell(null), [rows, columns]);
  useEffect(() => {
    awaitsFocus.current = cell !== null;
  }, [cell]);
  useEffect(() => {
    if (!awaitsFocus.current || cell === null || scroller.current === null) return;
    const button = scroller.current.querySelector<HTMLElement>('.cell[tabindex="0"]');
    if (button === null) scroller.current.scrollTop = cell.row * ROW_PIXELS;
    else {
      awaitsFocus.current = false;
      button.focus();
    }
  });
  const onKey = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') setOpened(undefined);
    const [down, right] = STEPS[event.key] ?? [0, 0];
    if ((down === 0 && right === 0) || sorted.length === 0 || columns.length === 0) return;
    event.preventDefault();
    setCell((before) => {
      const { row, column } = before ?? { row: Math.ceil(top / ROW_PIXELS) - down, column: -right };
      return { row: within(row + down, sorted.length), column: within(column + right, columns.length) };
    });
  };
  const sortBy = (column: string): void =>
    setOrder(order?.column !== column ? { column, isDescending: false } : order.isDescending ? null : { column, isDescending: true });

  return (
    <div class="table-view">
      <div class="toolbar">
        <button type="button" onClick={() => void copy(clipboardText(columns, sorted))}>
          Copy
        </button>
        <button type="button" onClick={() => download('result.csv', 'text/csv', csvText(columns, sorted))}>
          CSV
        </button>
        <button type="button" onClick={() => download('result.json', 'application/json', jsonText(sorted, 2))}>
          JSON
        </button>
      </div>
      <section
        class="table-scroller"
        ref={scroller}
        tabIndex={0}
        aria-label="Rows"
        onKeyDown={onKey}
        onScroll={({ currentTarget }) => {
          setTop(currentTarget.scrollTop);
          setHeight(currentTarget.clientHeight);
        }}
      >
        <table aria-rowcount={sorted.length + 1}>
          <thead>
            <tr>
              <th class="number">#</th>
              {columns.map((column) => (
                <th key={column} aria-sort={order?.column !== column ? 'none' : order.isDescending ? 'descending' : 'ascending'}>
                  <button type="button" class="plain" onClick={() => sortBy(column)}>
                    {column}
                    {order?.column === column ? (order.isDescending ? ' ↓' : ' ↑') : ''}
                  </button>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {first > 0 && <tr class="spacer" style={{ height: `${first * ROW_PIXELS}px` }} />}
            {shown.map((row, i) => (
              <tr key={first + i} style={{ height: `${ROW_PIXELS}px` }} aria-rowindex={first + i + 2}>
                <td class="number">{first + i + 1}</td>
                {columns.map((column, number) => (
                  <td key={column} class={cellClass(row[column])}>
                    <button
                      type="button"
                      class="plain cell"
                      tabIndex={cell?.row === first + i && cell.column === number ? 0 : -1}
                      onClick={() => setOpened(row[column])}
                    >
                      {shortText(row[column])}
                    </button>
                  </td>
                ))}
              </tr>
            ))}
            {first + shown.length < sorted.length && (
              <tr class="spacer" style={{ height: `${(sorted.length - first - shown.length) * ROW_PIXELS}px` }} />
            )}
          </tbody>
        </table>
      </section>
      {opened !== undefined && (
        <div class="opened">
          <button type="button" aria-label="Close the value" onClick={() => setOpened(undefined)}>
            ×
          </button>
          <pre>{typeof opened === 'string' ? opened : jsonText(opened, 2)}</pre>
        </div>
      )}
    </div>
  );
}

function within(at: number, count: number): number {
  return Math.max(0, Math.min(count - 1, at));
}

function cellClass(value: unknown): string {
  if (value === null) return 'null';
  return typeof value === 'number' || typeof value === 'bigint' ? 'number' : '';
}

/** Pages of plain http have no clipboard but that of a selection. */
async function copy(text: string): Promise<void> {
  if (isSecureContext) return navigator.clipboard.writeText(text);
  const area = document.createElement('textarea');
  area.value = text;
  document.body.append(area);
  area.select();
  document.execCommand('copy');
  area.remove();
}

export function download(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
