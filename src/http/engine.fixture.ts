/** An engine for tests of the protocols: answers what the test says, and remembers what it was asked. */
import assert from 'node:assert/strict';
import type { Engine, EngineStatus, StatementOptions, StatementResult } from '../engine/index.ts';
import type { Value } from '../value/index.ts';

/** A statement that the fake engine was asked. */
export interface AskedStatement {
  readonly query: string;
  readonly params: ReadonlyMap<string, Value>;
  readonly options: StatementOptions | undefined;
}

/** A result of the fake engine; its type is `read` unless the test says otherwise. */
export type FakeResult = Omit<StatementResult, 'type'> & Partial<Pick<StatementResult, 'type'>>;

/** An engine that answers as a test says. */
export interface FakeEngine extends Engine {
  readonly asked: AskedStatement[];
  readonly calls: string[];
}

/** The parts of a fake engine that a test gives. */
export interface FakeEngineParts {
  execute?: (statement: AskedStatement) => Promise<FakeResult> | FakeResult;
  status?: Partial<EngineStatus>;
  flush?: Engine['flush'];
  compact?: Engine['compact'];
}

const COMPACTED = {
  sstsWritten: 2,
  tablesMerged: 3,
  sstsRemoved: 9,
  sstsAdded: 3,
  rowsWritten: 1000,
  objectsRemoved: 12,
  bytesRemoved: 4096,
  manifestVersion: 11,
};

/** Creates a fake engine. */
export function createFakeEngine(parts: FakeEngineParts = {}): FakeEngine {
  const asked: AskedStatement[] = [];
  const calls: string[] = [];
  const execute: Engine['execute'] = async (query, params, options) => {
    const statement = { query, params, options };
    asked.push(statement);
    return { type: 'read', ...((await parts.execute?.(statement)) ?? { columns: [], rows: [] }) };
  };
  const stream: Engine['stream'] = async (query, params, options) => {
    const { columns, rows, ...outcome } = await execute(query, params, options);
    async function* batches() {
      yield rows;
    }
    return { columns, batches: batches(), summary: () => ({ rows: rows.length, ...outcome }) };
  };
  const status: Engine['status'] = () => ({
    status: 'ok',
    namespace: 'test',
    manifestVersion: 7,
    epoch: 3,
    role: 'writer',
    sequence: 41,
    ...parts.status,
  });
  return {
    asked,
    calls,
    answer: execute,
    execute,
    stream,
    begin: async ({ mode }) => {
      calls.push(`begin ${mode}`);
      return {
        execute,
        stream,
        commit: async () => void calls.push('commit'),
        rollback: async () => void calls.push('rollback'),
      };
    },
    reach: async (sequence) => void calls.push(`reach ${sequence}`),
    explain: async (query) => `plan of ${query}`,
    flush: parts.flush ?? (async () => ({ sstsWritten: 2, manifestVersion: 8 })),
    compact: parts.compact ?? (async () => COMPACTED),
    statistics: () => assert.fail('nobody asks'),
    status,
    freshStatus: async () => status(),
    close: async () => void calls.push('close'),
  };
}
