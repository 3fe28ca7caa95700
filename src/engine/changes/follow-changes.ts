/** Reads changes through an engine by statements, so that the rights, limits and logs of statements apply. */
import { GraphDBError, monotonicMs } from '../../base/index.ts';
import type { ResultValue, Value } from '../../value/index.ts';
import type { Engine } from '../api.ts';

/** The columns of db.cdc.query. */
export const CHANGE_COLUMNS = ['id', 'txId', 'seq', 'metadata', 'event'] as const;

const QUERY = `CALL db.cdc.query($from, $selectors) YIELD ${CHANGE_COLUMNS.join(', ')} RETURN ${CHANGE_COLUMNS.join(', ')}`;

/** The changes that a caller wants. */
export interface ChangesWanted {
  /** The id of the change after which reading begins. */
  readonly from: string;
  readonly selectors?: readonly Value[];
  /** Milliseconds to wait for the first change if there is none yet; 0: no wait. */
  readonly waitMs?: number;
  readonly signal?: AbortSignal | undefined;
}

/** Returns the id of the last change (`current`), or the id after which all changes are retained (`earliest`). */
export async function changeId(engine: Pick<Engine, 'execute'>, which: 'earliest' | 'current', signal?: AbortSignal): Promise<string> {
  const { rows } = await engine.execute(`CALL db.cdc.${which}() YIELD id RETURN id`, new Map(), { signal });
  return rows[0]![0] as string; // as: the procedure has one row with a text
}

/**
 * Yields rows of changes in the order of commits, up to the last one; if there is none, waits up to `waitMs` for the
 * first.
 *
 * @throws the errors of db.cdc.query.
 */
export async function* changesBehind(
  engine: Engine,
  { from, selectors = [], waitMs = 0, signal }: ChangesWanted,
): AsyncGenerator<ResultValue[][], void, void> {
  const end = monotonicMs() + waitMs;
  const params = new Map<string, Value>([
    ['from', from],
    ['selectors', [...selectors]],
  ]);
  for (;;) {
    const { sequence } = engine.status();
    let any = false;
    for await (const rows of (await engine.stream(QUERY, params, { signal })).batches) {
      any = true;
      yield rows;
    }
    const leftMs = end - monotonicMs();
    if (any || leftMs <= 0 || !(await hasNews(engine, sequence, { leftMs, signal }))) return;
  }
}

/** Waits for a commit after this sequence. Returns false if none has come within `leftMs` milliseconds. */
async function hasNews(
  engine: Engine,
  sequence: number,
  { leftMs, signal }: { readonly leftMs: number; readonly signal: AbortSignal | undefined },
): Promise<boolean> {
  try {
    await engine.reach(sequence + 1, { timeoutMs: Math.ceil(leftMs), ...(signal === undefined ? {} : { signal }) });
    return true;
  } catch (error) {
    if (error instanceof GraphDBError && error.code === 'BOOKMARK_TIMEOUT') return false;
    throw error;
  }
}
