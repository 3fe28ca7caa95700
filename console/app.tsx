/** The console: tabs of statements and their answers, beside the schema, the history and what was saved. */
import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { viewFor } from './answer-view.tsx';
import { type Connection, parseExactly, type Row, run, StatementError } from './api.ts';
import type { Editor, Fault } from './editor.ts';
import { type Place, placeOf } from './fault-place.ts';
import { MetricsPage } from './metrics-page.tsx';
import { EMPTY_SCHEMA, readSchema, type Schema } from './schema.ts';
import { useSession } from './session.ts';
import { Sidebar } from './sidebar.tsx';
import { SignIn } from './sign-in.tsx';
import { StatementView } from './statement-view.tsx';
import { addToHistory, readHistory, readTheme, writeTheme } from './storage.ts';
import { newTab, type Tab } from './tab.ts';

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
        const warnings = answer.summary.notifications ?? [];
        if (editor !== null) editor.showFaults(warnings.flatMap((warning) => faultAt(text, editor, warning, true)));
        setHistory(addToHistory(statement));
        if (answer.summary.write_outcome !== undefined || /^\s*(CREATE|DROP)\s/i.test(statement)) void refresh();
      } catch (error) {
        // Another run of the tab has taken its place.
        if (running.current.get(id) !== stop) return;
        const wasStopped = stop.signal.aborted;
        change(id, { isRunning: false, fault: wasStopped ? 'cancelled' : error instanceof Error ? error.message : String(error) });
        if (!wasStopped && error instanceof StatementError) {
          if (error.code === 'UNAUTHORIZED') setNeedsToken(true);
          if (editor !== null)
            editor.showFaults(faultAt(text, editor, { line: error.line, column: error.column, description: error.message }, false));
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
            <StatementView
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

/** Returns what is underlined for a fault or a warning of the server; nothing if it has no place in the editor's text. */
function faultAt(statement: string, editor: Editor, told: Place & { readonly description?: string }, isWarning: boolean): Fault[] {
  const at = placeOf(statement, editor.view.state.doc.toString(), told);
  return at === null ? [] : [{ at, message: told.description ?? '', isWarning }];
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
