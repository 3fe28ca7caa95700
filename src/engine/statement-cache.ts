/**
 * Text → shape (the statement without its literals) → bound statement → plan → compiled code. Texts remember their shape, shapes what was made of them: statements
 * that differ in literals only share one plan.
 *
 * A plan is made again when the schema changed or when the graph has grown or shrunk so much that the estimates behind it no longer hold.
 */
import { LRUCache } from '../base/index.ts';
import { autoParameterize, type BoundStatement, parse, type Statement } from '../cypher/index.ts';
import { CompiledPlan, type ProcedureRegistry, requirementsOf, withoutOverflow } from '../exec/index.ts';
import type { GraphView, Requirements } from '../graph/index.ts';
import { type Plan, splitPlan } from '../plan/index.ts';
import type { Value } from '../value/index.ts';
import type { StatementNotification } from './api.ts';
import type { EngineCounters } from './counters.ts';
import { type Mention, mentionsOf, notificationsFor } from './notifications.ts';
import { bindStatement, planOf } from './planning.ts';
import { isForWorkers, type Recipe, recordedStatistics } from './workers/recipe.ts';

export interface PreparedStatement {
  readonly bound: BoundStatement;
  readonly plan: CompiledPlan;
  readonly requirements: Requirements;
  /** null: it runs on this thread alone. */
  readonly recipe: Recipe | null;
  /** The literals that were lifted out of the text, to be given beside the user's parameters. */
  readonly parameters: ReadonlyMap<string, Value>;
  /** What the user should know, to be asked when the statement has run. */
  notifications(view: GraphView): readonly StatementNotification[];
}

interface Text {
  readonly shape: string;
  readonly parameters: ReadonlyMap<string, Value>;
}

interface Entry extends Omit<PreparedStatement, 'parameters' | 'notifications'> {
  /** That was bound; others of the same shape share the entry. */
  readonly text: string;
  readonly mentions: readonly Mention[];
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
  private readonly texts = new LRUCache<string, Text>(CACHED_STATEMENTS);
  private readonly entries = new LRUCache<string, Entry>(CACHED_STATEMENTS);
  private readonly procedures: ProcedureRegistry;
  private readonly forWorkers: boolean;
  private readonly counters: EngineCounters;
  /** Whatever its length: a statement that writes is prepared twice, before and inside its transaction. */
  private last: { readonly text: string; readonly known: Text; readonly entry: Entry } | null = null;

  /** @param forWorkers statements may be run by workers, which plan them again */
  constructor(procedures: ProcedureRegistry, forWorkers: boolean, counters: EngineCounters) {
    this.procedures = procedures;
    this.forWorkers = forWorkers;
    this.counters = counters;
  }

  prepare(text: string, view: GraphView): PreparedStatement {
    return withoutOverflow(() => this.prepareNow(text, view));
  }

  private prepareNow(text: string, view: GraphView): PreparedStatement {
    const last = this.last?.text === text ? this.last : null;
    let known = last?.known ?? this.texts.get(text);
    let statement: Statement | null = null;
    if (known === undefined) {
      const lifted = autoParameterize(parse(text));
      statement = lifted.statement;
      known = { shape: lifted.shape, parameters: lifted.parameters };
    }
    const entry = this.entryFor(text, known, statement, view, last?.entry ?? this.entries.get(known.shape));
    this.last = { text, known, entry };
    if (text.length <= CACHED_TEXT_LENGTH) this.texts.set(text, known);
    const { bound, plan, requirements, recipe } = entry;
    return {
      bound,
      plan,
      requirements,
      recipe,
      parameters: known.parameters,
      notifications: (seen) => this.notifications(text, entry, seen),
    };
  }

  private notifications(text: string, entry: Entry, view: GraphView): readonly StatementNotification[] {
    const inText = (): readonly Mention[] => (entry.text === text ? entry.mentions : mentionsOf(bindStatement(text, this.procedures)));
    return notificationsFor(view, text, entry.mentions, inText);
  }

  private entryFor(text: string, { shape }: Text, statement: Statement | null, view: GraphView, known: Entry | undefined): Entry {
    const size = view.nodeCount + view.relationshipCount + SMALL;
    if (known !== undefined && known.schema === view.schema && size < known.size * GROWTH && known.size < size * GROWTH) {
      this.counters.planCacheHits++;
      return known;
    }
    this.counters.planCacheMisses++;
    const bound = known?.bound ?? bindStatement(text, this.procedures, statement ?? undefined);
    const answers = this.forWorkers ? new Map<string, unknown>() : null;
    const plan = planOf(bound, answers === null ? view.statistics : recordedStatistics(view.statistics, answers));
    const requirements = requirementsOf(plan);
    const mentions = known?.mentions ?? mentionsOf(bound);
    const boundText = known?.text ?? text;
    const recipe = answers !== null && isForWorkers(bound, plan) ? { text: boundText, answers, split: splitOf(plan), isLong: false } : null;
    const entry: Entry = {
      bound,
      plan: new CompiledPlan(plan),
      requirements,
      recipe,
      schema: view.schema,
      size,
      text: boundText,
      mentions,
    };
    if (text.length <= CACHED_TEXT_LENGTH) this.entries.set(shape, entry);
    return entry;
  }
}

function splitOf(plan: Plan): Recipe['split'] {
  const split = splitPlan(plan);
  return split === null ? null : { whole: new CompiledPlan(split.whole), sums: split.sums };
}
