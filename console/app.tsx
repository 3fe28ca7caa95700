/** The console: tabs of statements and their answers, beside the schema, the history and what was saved. */
import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { type Answer, type Connection, parseExactly, type Row, run, StatementError } from './api.ts';
import { createEditor, type Editor } from './editor.ts';
import { bare, placeOf } from './fault-place.ts';
import { GraphView, type TypeCount } from './graph-view.tsx';
import { MetricsPage } from './metrics-page.tsx';
import { PlanView } from './plan-view.tsx';
import { EMPTY_SCHEMA, readSchema, type Schema } from './schema.ts';
import { useSession } from './session.ts';
import { Sidebar } from './sidebar.tsx';
import { SignIn } from './sign-in.tsx';
import { addToHistory, readHistory, readTheme, writeTheme } from './storage.ts';
import { TableView } from './table-view.tsx';
import { isNode, isRelationship, jsonText, type NodeJson, quoted, visitEntities } from './values.ts';

type View = 'graph' | 'table' | 'json' | 'plan';
const VIEWS: readonly View[] = ['graph', 'table', 'json', 'plan'];
const SHOWN_JSON_ROWS = 1_000;

interface Tab {
  readonly id: number;
  readonly text: string;
  /** How often another text was put into the editor from outside: what is typed there goes the other way. */
  readonly loads: number;
  readonly parameters: string;
  readonly answer: Answer | null;
  readonly fault: string | null;
  readonly isRunning: boolean;
  readonly view: View;
}

let lastTab = 0;
const newTab = (text = ''): Tab => ({
  id: ++lastTab,
  text,
  loads: 0,
  parameters: '{}',
  answer: null,
  fault: null,
  isRunning: false,
  view: 'table',
});

export function App() {
  const session = useSession();
  const { token, isReturning } = session;
  const [namespace, setNamespace] = useState<string | null>(null);
  const connection = useMemo<Connection>(() => ({ token, namespace }), [token, namespace]);
  const [needsToken, setNeedsToken] = useState(false);
  const [tabs, setTabs] = useState<readonly Tab[]>([newTab('MATCH (n) RETURN n LIMIT 25')]);
  const [current, setCurrent] = useState(tabs[0]!.id);
  const [schema, setSchema] = useState<Schema>(EMPTY_SCHEMA);
  const [history, setHistory] = useState(readHistory());
  const [namespaces, setNamespaces] = useState<readonly string[]>([]);
  const [theme, setTheme] = useState(readTheme());
  const [page, setPage] = useState<'statements' | 'metrics'>(location.hash === '#metrics' ? 'metrics' : 'statements');
  const isDark = useDark(theme);
  const running = useRef(new Map<number, AbortController>());
  const refreshes = useRef(0);
  const tab = tabs.find(({ id }) => id === current) ?? tabs[0]!;
  const change = useCallback(
    (id: number, part: Partial<Tab>) => setTabs((all) => all.map((each) => (each.id === id ? { ...each, ...part } : each))),
    [],
  );

  const refresh = useCallback(async () => {
    const own = ++refreshes.current;
    try {
      const found = await readSchema(connection);
      const { rows } = await run(connection, 'SHOW DATABASES');
      // The schema of a namespace that is no longer chosen may come last.
      if (own !== refreshes.current) return;
      setSchema(found);
      setNamespaces(rows.map((row) => String(row['name'])));
      setNeedsToken(false);
    } catch (error) {
      if (own === refreshes.current && error instanceof StatementError && error.code === 'UNAUTHORIZED') setNeedsToken(true);
    }
  }, [connection]);
  useEffect(() => {
    if (!isReturning) void refresh();
  }, [refresh, isReturning]);
  useEffect(() => {
    const follow = (): void => setPage(location.hash === '#metrics' ? 'metrics' : 'statements');
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);

  const execute = useCallback(
    async ({ id, text, parameters }: Tab, editor: Editor | null) => {
      const statement = text.trim().replace(/;\s*$/, '');
      if (statement === '') return;
      running.current.get(id)?.abort();
      const stop = new AbortController();
      running.current.set(id, stop);
      change(id, { isRunning: true, fault: null });
      try {
        const given = parseExactly(parameters.trim() || '{}') as Record<string, unknown>;
        const onRows = (columns: readonly string[], rows: readonly Row[]) =>
          change(id, { answer: { columns, rows: [...rows], summary: { rows: rows.length, elapsed_ms: 0 }, isCut: false } });
        const answer = await run(connection, statement, { parameters: given, signal: stop.signal, onRows });
        if (running.current.get(id) !== stop) return;
        change(id, { answer, isRunning: false, view: viewFor(answer) });
        setHistory(addToHistory(statement));
        if (answer.summary.write_outcome !== undefined || /^\s*(CREATE|DROP)\s/i.test(statement)) void refresh();
      } catch (error) {
        // Another run of the tab has taken its place.
        if (running.current.get(id) !== stop) return;
        const wasStopped = stop.signal.aborted;
        change(id, { isRunning: false, fault: wasStopped ? 'cancelled' : error instanceof Error ? error.message : String(error) });
        if (!wasStopped && error instanceof StatementError) {
          if (error.code === 'UNAUTHORIZED') setNeedsToken(true);
          const at = placeOf(text, editor?.view.state.doc.toString() ?? '', error);
          if (at !== null) editor?.showFault({ at, message: error.message });
        }
      } finally {
        if (running.current.get(id) === stop) running.current.delete(id);
      }
    },
    [connection, change, refresh],
  );
  const cancel = useCallback((id: number) => running.current.get(id)?.abort(), []);
  const open = (text: string): void => {
    if (tab.text.trim() === '') change(tab.id, { text, loads: tab.loads + 1 });
    else {
      const added = newTab(text);
      setTabs([...tabs, added]);
      setCurrent(added.id);
    }
    location.hash = '';
  };
  const close = (id: number): void => {
    cancel(id);
    const rest = tabs.filter((each) => each.id !== id);
    const left = rest.length > 0 ? rest : [newTab()];
    setTabs(left);
    if (id === current) setCurrent(left[left.length - 1]!.id);
  };
  const cycleTheme = (): void => {
    const next = isDark ? 'light' : 'dark';
    writeTheme(next);
    setTheme(next);
  };

  return (
    <div class="app" data-theme={isDark ? 'dark' : 'light'}>
      <header>
        <h1>GraphDB</h1>
        <nav aria-label="Pages">
          <a href="#statements" aria-current={page === 'statements' ? 'page' : undefined}>
            Statements
          </a>
          <a href="#metrics" aria-current={page === 'metrics' ? 'page' : undefined}>
            Metrics
          </a>
        </nav>
        <span class="spring" />
        {namespaces.length > 1 && (
          <label>
            Namespace{' '}
            <select value={namespace ?? ''} onChange={({ currentTarget }) => setNamespace(currentTarget.value || null)}>
              <option value="">default</option>
              {namespaces
                .filter((name) => name !== 'system')
                .map((name) => (
                  <option key={name} value={name}>
                    {name}
                  </option>
                ))}
            </select>
          </label>
        )}
        {token !== null && (
          <button type="button" onClick={session.end}>
            Sign out
          </button>
        )}
        <button type="button" onClick={cycleTheme} aria-label={isDark ? 'Light colours' : 'Dark colours'}>
          {isDark ? '☀' : '☾'}
        </button>
      </header>
      {needsToken && <SignIn session={session} />}
      {page === 'metrics' ? (
        <MetricsPage connection={connection} isDark={isDark} />
      ) : (
        <div class="work">
          <Sidebar schema={schema} history={history} current={tab.text} onOpen={open} onRefresh={() => void refresh()} />
          <main>
            <div class="tabs">
              {tabs.map((each, i) => (
                <span key={each.id} class={each.id === tab.id ? 'tab chosen' : 'tab'}>
                  <button type="button" class="plain" aria-pressed={each.id === tab.id} onClick={() => setCurrent(each.id)}>
                    {each.text.trim().slice(0, 24) || `Statement ${i + 1}`}
                    {each.isRunning ? ' …' : ''}
                  </button>
                  <button type="button" class="plain" aria-label={`Close statement ${i + 1}`} onClick={() => close(each.id)}>
                    ×
                  </button>
                </span>
              ))}
              <button type="button" class="plain" aria-label="New statement" onClick={() => open(' ')}>
                +
              </button>
            </div>
            <Statement
              key={tab.id}
              tab={tab}
              schema={schema}
              isDark={isDark}
              connection={connection}
              onChange={(part) => change(tab.id, part)}
              onRun={execute}
              onCancel={() => cancel(tab.id)}
            />
          </main>
        </div>
      )}
    </div>
  );
}

interface StatementProps {
  readonly tab: Tab;
  readonly schema: Schema;
  readonly isDark: boolean;
  readonly connection: Connection;
  readonly onChange: (part: Partial<Tab>) => void;
  readonly onRun: (tab: Tab, editor: Editor | null) => Promise<void>;
  readonly onCancel: () => void;
}

function Statement({ tab, schema, isDark, connection, onChange, onRun, onCancel }: StatementProps) {
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

interface AnswerProps {
  readonly tab: Tab;
  readonly answer: Answer;
  readonly isDark: boolean;
  readonly connection: Connection;
  readonly onView: (view: View) => void;
}

function AnswerView({ tab, answer, isDark, connection, onView }: AnswerProps) {
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
function viewFor({ rows, summary }: Answer): View {
  if (summary.plan !== undefined) return 'plan';
  let hasEntities = false;
  for (const row of rows.slice(0, 50))
    visitEntities(Object.values(row), (entity) => (hasEntities ||= isNode(entity) || isRelationship(entity)));
  return hasEntities ? 'graph' : 'table';
}

function useDark(theme: 'dark' | 'light' | 'system'): boolean {
  const query = useMemo(() => matchMedia('(prefers-color-scheme: dark)'), []);
  const [isSystemDark, setSystemDark] = useState(query.matches);
  useEffect(() => {
    const follow = (): void => setSystemDark(query.matches);
    query.addEventListener('change', follow);
    return () => query.removeEventListener('change', follow);
  }, [query]);
  return theme === 'system' ? isSystemDark : theme === 'dark';
}
