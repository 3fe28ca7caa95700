/**
 * Text → bound statement → plan → compiled code, remembered by text.
 *
 * A plan is made again when the schema changed or when the graph has grown or shrunk so much that the estimates behind it no longer hold.
 */
import { LRUCache } from '../base/index.ts';
import { analyze, type BoundStatement, parse } from '../cypher/index.ts';
import { aggregates, CompiledPlan, functions, type ProcedureRegistry, requirementsOf } from '../exec/index.ts';
import type { GraphView, Requirements } from '../graph/index.ts';
import { planStatement } from '../plan/index.ts';

export interface PreparedStatement {
  readonly bound: BoundStatement;
  readonly plan: CompiledPlan;
  readonly requirements: Requirements;
}

interface Entry extends PreparedStatement {
  readonly schema: GraphView['schema'];
  readonly size: number;
}

const CACHED_STATEMENTS = 1000;
/** Longer texts are hardly ever seen twice, and would fill the memory. */
const CACHED_TEXT_LENGTH = 16384;
/** Estimates are made again when the graph has this many times as many entities as it had, or as few. */
const GROWTH = 4;
/** Below this many entities any plan will do. */
const SMALL = 1000;

export class StatementCache {
  private readonly entries = new LRUCache<string, Entry>(CACHED_STATEMENTS);
  private readonly procedures: ProcedureRegistry;
  /** Whatever its length: a statement that writes is prepared twice, before and inside its transaction. */
  private last: { readonly text: string; readonly entry: Entry } | null = null;

  constructor(procedures: ProcedureRegistry) {
    this.procedures = procedures;
  }

  prepare(text: string, view: GraphView): PreparedStatement {
    const known = this.last?.text === text ? this.last.entry : this.entries.get(text);
    const size = view.nodeCount + view.relationshipCount + SMALL;
    if (known !== undefined && known.schema === view.schema && size < known.size * GROWTH && known.size < size * GROWTH) return known;
    const bound = known?.bound ?? this.bind(text);
    const plan = this.plan(bound, view);
    const requirements = requirementsOf(plan, view.schema.constraints.length > 0);
    const entry: Entry = { bound, plan: new CompiledPlan(plan), requirements, schema: view.schema, size };
    this.last = { text, entry };
    if (text.length <= CACHED_TEXT_LENGTH) this.entries.set(text, entry);
    return entry;
  }

  private bind(text: string): BoundStatement {
    return analyze(parse(text), text, {
      procedures: (name) => this.procedures.find(name),
      functions: (name) => functionSignature(name),
    });
  }

  private plan(bound: BoundStatement, view: GraphView): ReturnType<typeof planStatement> {
    return planStatement(bound, view.statistics, { isAggregate: (name) => aggregates.has(name.toLowerCase()) });
  }
}

function functionSignature(name: string): { minArgs: number; maxArgs: number; aggregate: boolean } | undefined {
  const lower = name.toLowerCase();
  const scalar = functions.get(lower);
  if (scalar !== undefined) return { minArgs: scalar.minArgs, maxArgs: scalar.maxArgs, aggregate: false };
  const aggregate = aggregates.get(lower);
  return aggregate === undefined ? undefined : { minArgs: aggregate.minArgs, maxArgs: aggregate.maxArgs, aggregate: true };
}
