/**
 * Text → shape (the statement without its literals) → bound statement → plan → compiled code. Texts remember their shape, shapes what was made of them: statements
 * that differ in literals only share one plan.
 *
 * A plan is made again when the schema changed or when the graph has grown or shrunk so much that the estimates behind it no longer hold.
 */
import { boundedWork, LRUCache } from '../../base/index.ts';
import { autoParameterize, type BoundStatement, parse, type Statement } from '../../cypher/index.ts';
import { CompiledPlan, type ProcedureRegistry, requirementsOf } from '../../exec/index.ts';
import type { GraphView } from '../../graph/index.ts';
import { hasConstantSteps, type Plan, splitPlan } from '../../plan/index.ts';
import type { Value } from '../../value/index.ts';
import type { StatementNotification } from '../api.ts';
import { bindStatement, type PlanFlags, planOf } from '../execution/planning.ts';
import { isForWorkers, type Recipe, recordedStatistics } from '../execution/recipe.ts';
import type { StatementCounters } from './counters.ts';
import { isOdd, type Mention, mentionsOf, notificationsFor } from './notifications.ts';
import { type PreparedStatement, typeOf } from './prepared-statement.ts';

interface Text {
  readonly shape: string;
  readonly parameters: ReadonlyMap<string, Value>;
}

/** A text, and what is known of its shape. */
interface Known {
  readonly text: string;
  readonly lifted: Text;
  readonly entry: Entry;
  readonly prepared: PreparedStatement;
}

interface Entry extends Omit<PreparedStatement, 'parameters' | 'required' | 'notifications'> {
  readonly bound: BoundStatement;
  /** The text that was bound; others of the same shape share the entry. */
  readonly text: string;
  readonly mentions: readonly Mention[];
  /** Everything that it mentions is in the graph, and stays: names are never forgotten. */
  mentionsNothingOdd: boolean;
  /** The switches that it was planned with: whoever opened the engine may change his own. */
  readonly flags: PlanFlags;
  readonly schema: GraphView['schema'];
  /** The version of the view for which it was last found to have the automatic indexes that it was planned with. */
  indexesVersion: number;
  readonly size: number;
}

const CACHED_STATEMENTS = 1000;
/** Longer texts are hardly ever seen twice, and would fill the memory. */
const CACHED_TEXT_LENGTH = 16384;
/** Estimates are made again when the graph has this many times as many entities as it had, or as few. */
const GROWTH = 4;
/** Below this many entities any plan will do. */
const SMALL = 1000;
const NOTHING_TO_TELL: readonly StatementNotification[] = [];

export interface StatementCacheOptions {
  readonly procedures: ProcedureRegistry;
  /** Statements may be run by workers, which plan them again. */
  readonly forWorkers: boolean;
  readonly counters: StatementCounters;
  readonly flags: PlanFlags;
}

export class StatementCache {
  private readonly texts = new LRUCache<string, Known>(CACHED_STATEMENTS);
  private readonly entries = new LRUCache<string, Entry>(CACHED_STATEMENTS);
  private readonly options: StatementCacheOptions;
  /** Whatever its length: a statement that writes is prepared twice, before and inside its transaction. */
  private last: Known | null = null;

  constructor(options: StatementCacheOptions) {
    this.options = options;
  }

  /** True: the text changes the graph, which depends on nothing else. False: it does not, or nobody knows yet. */
  isKnownToWrite(text: string): boolean {
    const plan = this.known(text)?.prepared.plan.plan;
    return plan?.writes === true && plan.mode === 'run';
  }

  private known(text: string): Known | undefined {
    return this.last?.text === text ? this.last : this.texts.get(text);
  }

  /** Finds or makes the plan of the text for the view. Errors of the text by their codes; QUERY_TIMEOUT past the deadline (milliseconds of `monotonicMs()`; Infinity: none). */
  prepare(text: string, view: GraphView, deadline: number): PreparedStatement {
    const known = this.known(text);
    if (known === undefined || !this.isFor(known.entry, view)) return boundedWork(deadline, () => this.prepareNow(text, view, known));
    this.options.counters.planCacheHits++;
    this.last = known;
    return known.prepared;
  }

  /** True: schema, sizes and switches still hold for which the plan was made. */
  private isFor(entry: Entry, view: GraphView): boolean {
    const { schema, size, flags } = entry;
    const now = sizeOf(view);
    const isSized = schema === view.schema && now < size * GROWTH && size < now * GROWTH;
    return (
      isSized && flags.factorize === this.options.flags.factorize && flags.wcoj === this.options.flags.wcoj && hasItsIndexes(entry, view)
    );
  }

  private prepareNow(text: string, view: GraphView, known: Known | undefined): PreparedStatement {
    let lifted = known?.lifted;
    let statement: Statement | null = null;
    if (lifted === undefined) {
      const made = autoParameterize(parse(text));
      statement = made.statement;
      lifted = { shape: made.shape, parameters: made.parameters };
    }
    const entry = this.entryFor(text, lifted, statement, view, this.entries.get(lifted.shape) ?? known?.entry);
    this.last = { text, lifted, entry, prepared: this.prepared(text, lifted, entry) };
    if (text.length <= CACHED_TEXT_LENGTH) this.texts.set(text, this.last);
    return this.last.prepared;
  }

  private prepared(text: string, { parameters }: Text, entry: Entry): PreparedStatement {
    const { plan, type, columns, requirements, recipe, bound } = entry;
    const required = [...bound.parameters].filter((name) => !parameters.has(name));
    const notifications = (view: GraphView): readonly StatementNotification[] => this.notifications(text, entry, view);
    return { plan, type, columns, requirements, recipe, parameters, required, notifications };
  }

  private notifications(text: string, entry: Entry, view: GraphView): readonly StatementNotification[] {
    if (entry.mentionsNothingOdd) return NOTHING_TO_TELL;
    if (!entry.mentions.some((mention) => isOdd(view, mention))) {
      entry.mentionsNothingOdd = true;
      return NOTHING_TO_TELL;
    }
    return notificationsFor(view, text, entry.text === text ? entry.mentions : mentionsOf(bindStatement(text, this.options.procedures)));
  }

  private entryFor(text: string, { shape }: Text, statement: Statement | null, view: GraphView, known: Entry | undefined): Entry {
    if (known !== undefined && this.isFor(known, view)) {
      this.options.counters.planCacheHits++;
      return known;
    }
    this.options.counters.planCacheMisses++;
    const { factorize, wcoj } = this.options.flags;
    const flags: PlanFlags = { factorize, wcoj };
    const bound = known?.bound ?? bindStatement(text, this.options.procedures, statement ?? undefined);
    const answers = this.options.forWorkers ? new Map<string, unknown>() : null;
    const plan = planOf(bound, answers === null ? view.statistics : recordedStatistics(view.statistics, answers), flags);
    const requirements = requirementsOf(plan);
    const mentions = known?.mentions ?? mentionsOf(bound);
    const boundText = known?.text ?? text;
    const recipe =
      answers !== null && isForWorkers(bound, plan, this.options.procedures)
        ? { text: boundText, answers, flags, hasConstantSteps: hasConstantSteps(plan), split: splitOf(plan), isSplit: true, isLong: false }
        : null;
    const entry: Entry = {
      bound,
      plan: new CompiledPlan(plan),
      type: typeOf(plan),
      columns: Object.freeze(plan.columns.map(({ name }) => asKey(name))),
      requirements,
      recipe,
      flags,
      schema: view.schema,
      indexesVersion: view.indexesVersion,
      size: sizeOf(view),
      text: boundText,
      mentions,
      mentionsNothingOdd: false,
    };
    if (text.length <= CACHED_TEXT_LENGTH) this.entries.set(shape, entry);
    return entry;
  }
}

/** The name as V8 keeps keys of objects: one that was cut out of the statement would be looked up for each row that a program reads by it. */
function asKey(name: string): string {
  return Object.keys({ [name]: null })[0]!;
}

/** True: the planner would be shown the automatic indexes that it was shown. */
function hasItsIndexes(entry: Entry, view: GraphView): boolean {
  if (entry.indexesVersion === view.indexesVersion) return true;
  const { askedIndexes = [] } = entry.plan.plan;
  const isSame = askedIndexes.every(
    ({ label, key, automatic }) =>
      (view.statistics.findIndex({ entity: 'node', labelOrType: label, keys: [key], question: 'equality' })?.automatic === true) ===
      automatic,
  );
  if (isSame) entry.indexesVersion = view.indexesVersion;
  return isSame;
}

function sizeOf(view: GraphView): number {
  return view.nodeCount + view.relationshipCount + SMALL;
}

function splitOf(plan: Plan): Recipe['split'] {
  const split = splitPlan(plan);
  if (split === null) return null;
  const { whole, sums, sumsOfMeans } = split;
  return { whole: new CompiledPlan(whole), sums, sumsOfMeans };
}
