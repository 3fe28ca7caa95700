/** Wraps namespaces: callers are kept to their limits, and statements and refusals are written to the audit log. */
import { type Caller, type CallerLimits, type ErrorCode, fromForeignError, monotonicMs } from '../../base/index.ts';
import type { Engine, EngineTransaction, StatementOutcome } from '../../engine/index.ts';
import type { HeldNamespace, Namespaces, Origin, Sender, Wanted } from '../../namespaces/index.ts';
import { watchBatches } from '../watched-batches.ts';
import type { AuditLog } from './audit-log.ts';

/** The limits and the audit log for namespaces. */
export interface NamespacesWatch {
  readonly protocol: string;
  readonly limits: CallerLimits;
  /** Null if there is no audit log. */
  readonly audit: AuditLog | null;
}

/** Wraps namespaces so that their callers are limited and recorded. */
export function watchNamespaces(namespaces: Namespaces, { protocol, limits, audit }: NamespacesWatch): Namespaces {
  const heldBy = (caller: Caller, origin: Origin, held: HeldNamespace, leave: () => void): HeldNamespace => {
    const { requestId } = origin;
    let isReleased = false;
    const release = (): void => {
      if (isReleased) return;
      isReleased = true;
      leave();
      held.release();
    };
    const { database, isOneOfMany } = held;
    if (audit === null) return { engine: held.engine, database, isOneOfMany, release };
    const { namespace } = held.engine.status();
    const about = { protocol, requestId, who: caller.name, namespace };
    const onRefused = (error: unknown): void => refused(namespace, caller, origin, error);
    return { engine: audited(held.engine, audit, about, onRefused), database, isOneOfMany, release };
  };
  const refused = (namespace: string | null, { name: who }: Caller, { requestId, address }: Sender, error: unknown): void =>
    audit?.refused({ requestId, protocol, who, namespace, address, result: codeOf(error) });
  return {
    hold(wanted, caller, origin) {
      let leave: (() => void) | null = null;
      const fail = (error: unknown): never => {
        leave?.();
        refused(nameOf(wanted), caller, origin, error);
        throw error;
      };
      try {
        const left = limits.admit(caller);
        leave = left;
        const held = namespaces.hold(wanted, caller, origin);
        if (!(held instanceof Promise)) return heldBy(caller, origin, held, left);
        return held.then((opened) => heldBy(caller, origin, opened, left)).catch(fail);
      } catch (error) {
        return fail(error);
      }
    },
    async statusOf(wanted, caller, sender) {
      try {
        return await namespaces.statusOf(wanted, caller, sender);
      } catch (error) {
        if (isRefusal(error)) refused(nameOf(wanted), caller, sender, error);
        throw error;
      }
    },
  };
}

function nameOf(wanted: Wanted): string | null {
  if (wanted === null) return null;
  return 'namespace' in wanted ? wanted.namespace : wanted.database;
}

/** Returns whether the caller itself was refused; a status is asked all the time, also while the store cannot be reached. */
function isRefusal(error: unknown): boolean {
  return ['FORBIDDEN', 'NOT_FOUND'].includes(codeOf(error));
}

function codeOf(error: unknown): ErrorCode {
  return fromForeignError(error).code;
}

interface Audited {
  readonly protocol: string;
  readonly requestId: string;
  readonly who: string;
  readonly namespace: string;
}

type Statements = Pick<EngineTransaction, 'execute' | 'stream'>;

/** Records the statements of an engine. @param onRefused called when it refuses what is no statement */
function audited(engine: Engine, audit: AuditLog, about: Audited, onRefused: (error: unknown) => void): Engine {
  const begin = (query: string) => {
    const startMs = monotonicMs();
    return (outcome: StatementOutcome | null, rows: number, error?: unknown): void => {
      const result = error === undefined ? ('ok' as const) : codeOf(error);
      audit.statement({ ...about, query, outcome, rows, result, elapsedMs: monotonicMs() - startMs });
    };
  };
  const statements = (inner: Statements): Statements => ({
    async execute(query, params, options) {
      const end = begin(query);
      try {
        const result = await inner.execute(query, params, options);
        end(result, result.rows.length);
        return result;
      } catch (error) {
        end(null, 0, error);
        throw error;
      }
    },
    async stream(query, params, options) {
      const end = begin(query);
      try {
        const { columns, batches, summary } = await inner.stream(query, params, options);
        let rows = 0;
        const onBatch = (count: number): void => {
          rows += count;
        };
        const onEnd = (error?: unknown): void => end(error === undefined ? summary() : null, rows, error);
        return { columns, batches: watchBatches(batches, { onBatch, onEnd }), summary };
      } catch (error) {
        end(null, 0, error);
        throw error;
      }
    },
  });
  const allowed = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      if (isRefusal(error)) onRefused(error);
      throw error;
    }
  };
  const own = statements(engine);
  return Object.assign(Object.create(engine) as Engine, {
    ...own,
    answer: own.execute,
    begin: async (options) => {
      const transaction = await engine.begin(options);
      return { ...statements(transaction), commit: () => transaction.commit(), rollback: () => transaction.rollback() };
    },
    flush: () => allowed(() => engine.flush()),
    compact: () => allowed(() => engine.compact()),
  } satisfies Partial<Engine>);
}
