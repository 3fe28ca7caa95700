/** The answer of a statement: its status, its warnings, and one view of its rows or its plan. */
import { useMemo } from 'preact/hooks';
import { type Answer, type Connection, type Row, run } from './api.ts';
import type { TypeCount } from './graph-panels.tsx';
import { GraphView } from './graph-view.tsx';
import { PlanView } from './plan-view.tsx';
import { type Tab, VIEWS, type View } from './tab.ts';
import { TableView } from './table-view.tsx';
import { isNode, isRelationship, jsonText, type NodeJson, quoted, visitEntities } from './values.ts';

const SHOWN_JSON_ROWS = 1_000;

export interface AnswerProps {
  readonly tab: Tab;
  readonly answer: Answer;
  readonly isDark: boolean;
  readonly connection: Connection;
  readonly onView: (view: View) => void;
}

export function AnswerView({ tab, answer, isDark, connection, onView }: AnswerProps) {
  const { columns, rows, summary, isCut } = answer;
  const ask = useMemo(() => {
    const rowsOf = async (query: string, parameters: Record<string, unknown>): Promise<readonly Row[]> =>
      (await run(connection, query, { parameters })).rows;
    return {
      expand: ({ id }: NodeJson, type: string | null, limit: number) =>
        rowsOf(`MATCH (n)-[r${type === null ? '' : `:${quoted(type)}`}]-(m) WHERE elementId(n) = $id RETURN n, r, m LIMIT ${limit}`, {
          id,
        }),
      connect: (ids: readonly string[]) =>
        rowsOf('MATCH (n)-[r]->(m) WHERE elementId(n) IN $ids AND elementId(m) IN $ids RETURN r LIMIT 5000', { ids }),
      countTypes: async ({ id }: NodeJson): Promise<readonly TypeCount[]> => {
        const found = await rowsOf(
          'MATCH (n)-[r]-() WHERE elementId(n) = $id RETURN type(r) AS type, count(*) AS count ORDER BY count DESC',
          { id },
        );
        return found.map((row) => ({ type: String(row['type']), count: Number(row['count']) }));
      },
    };
  }, [connection]);
  const status = useMemo(() => statusOf(answer), [answer]);
  return (
    <>
      <div class="views">
        {VIEWS.map((view) => (
          <button
            key={view}
            type="button"
            aria-pressed={tab.view === view}
            class={tab.view === view ? 'chosen' : ''}
            onClick={() => onView(view)}
          >
            {view === 'json' ? 'JSON' : view[0]!.toUpperCase() + view.slice(1)}
          </button>
        ))}
        <span class="status" role="status">
          {status}
          {isCut ? ' (cut here: add a LIMIT, or narrow the statement)' : ''}
        </span>
      </div>
      {summary.notifications?.map((notification, i) => (
        <p key={`${i}`} class="warning">
          {notification.title ?? ''} {notification.description ?? notification.message ?? ''}
        </p>
      ))}
      <div class="answer">
        {tab.view === 'graph' && <GraphView rows={rows} {...ask} isDark={isDark} />}
        {tab.view === 'table' && <TableView columns={columns} rows={rows} />}
        {tab.view === 'json' && (
          <pre class="json" tabIndex={0}>
            {jsonText(rows.slice(0, SHOWN_JSON_ROWS), 2)}
          </pre>
        )}
        {tab.view === 'plan' && <PlanView plan={summary.plan} />}
      </div>
    </>
  );
}

function statusOf({ rows, summary }: Answer): string {
  const parts = [`${rows.length} ${rows.length === 1 ? 'row' : 'rows'}`];
  if (summary.elapsed_ms > 0) parts.push(`${summary.elapsed_ms < 10 ? summary.elapsed_ms.toFixed(2) : Math.round(summary.elapsed_ms)} ms`);
  for (const [name, count] of Object.entries(summary.write_outcome ?? {}))
    if (count > 0) parts.push(`${count} ${name.replaceAll('_', ' ')}`);
  return parts.join(' · ');
}

/** Returns the view that shows the answer best. */
export function viewFor({ rows, summary }: Answer): View {
  if (summary.plan !== undefined) return 'plan';
  let hasEntities = false;
  for (const row of rows.slice(0, 50))
    visitEntities(Object.values(row), (entity) => (hasEntities ||= isNode(entity) || isRelationship(entity)));
  return hasEntities ? 'graph' : 'table';
}
