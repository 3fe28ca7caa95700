/**
 * Caches what is made of statements: text → shape (the statement without its literals) → bound statement → plan → code.
 * Statements that differ in literals only have one shape, and share its plan.
 *
 * A plan is made again when the schema changes, or when the graph's size no longer fits the plan's estimates.
 */
import { deserialize } from 'node:v8';
import { attemptWork, boundedWork, type Caller, GraphDBError, LRUCache, may, nextTurn } from '../../base/index.ts';
import { autoParameterize, type BoundStatement, parse, type Statement } from '../../cypher/index.ts';
import { CompiledPlan, type ProcedureRegistry } from '../../exec/index.ts';
import type { GraphView, WantedIndex } from '../../graph/index.ts';
import { type AskedIndex, hasConstantSteps, type Plan, readsByPage, splitPlan } from '../../plan/index.ts';
import type { Value } from '../../value/index.ts';
import type { StatementNotification } from '../api.ts';
import { type Mention, mentionsOf } from '../execution/mentions.ts';
import { isForWorkers, type PlanInputs, recordedStatistics, withFewerIndexes } from '../execution/plan-inputs.ts';
import { type PlannedStatement, planBound, planText, requiredOf } from '../execution/plan-text.ts';
import { bindStatement, type PlanFlags } from '../execution/planning.ts';
import type { Planner } from '../planning/planner.ts';
import type { PlannedText } from '../planning/planner-messages.ts';
import { unpackLiterals } from '../workers/packed-values.ts';
import { planOfBytes } from '../workers/plan-bytes.ts';
import type { StatementCounters } from './counters.ts';
import { isOdd, notificationsFor } from './notifications.ts';
import type { PreparedStatement } from './prepared-statement.ts';
import { DEFAULT_MEMORY_BYTES, type StatementRequest } from './request.ts';

interface Text {
  /** The shape; null if the planner thread has planned the text, so that nothing is known of others of its shape. */
  readonly shape: string | null;
  readonly parameters: ReadonlyMap<string, Value>;
}

/** A text, and what is known of its shape. */
interface KnownText {
  readonly text: string;
  readonly lifted: Text;
  readonly entry: Entry;
  readonly prepared: PreparedStatement;
}

interface Entry extends Omit<PreparedStatement, 'parameters' | 'required' | 'notifications'> {
  /** Null if the planner thread has bound the statement. */
  readonly bound: BoundStatement | null;
  readonly askedIndexes: readonly AskedIndex[];
  /** The text that was bound; others of the same shape share the entry. */
  readonly text: string;
  readonly mentions: readonly Mention[];
  /** True once every mentioned name is in the graph, where it stays: names are never forgotten. */
  mentionsNothingOdd: boolean;
  /** The switches with which the statement was planned; the opener of the engine may change its own later. */
  readonly flags: PlanFlags;
  readonly schema: GraphView['schema'];
  /** The last version of the view that was found to have the automatic indexes with which the plan was made. */
  indexesVersion: number;
  readonly size: number;
}

/** The sum of the characters of cached texts: what is kept of a statement takes up to 300 bytes for each. */
const CACHED_CHARACTERS = 1_024_000;
/** A shorter text counts as one of this length. */
const FEW_CHARACTERS = 1_024;
/** The longest cached text in characters: longer ones are hardly ever seen twice, and would fill the memory. */
const CACHED_TEXT_LENGTH = 16384;
/** A plan is made again when the graph has this many times as many entities as it had, or as few. */
const GROWTH = 4;
/** Below this many entities any plan will do. */
const SMALL = 1000;
/** Longer texts are planned in the planner thread: parsing and binding this many characters takes some 10 ms. */
const LONG_TEXT = 8192;
/** Planning that takes more steps begins again in the planner thread: some 15 ms. An ordinary statement takes hundreds to thousands. */
const MOST_STEPS_HERE = 60_000;
/** The most bytes of a plan, and the most steps of generating code, that this thread takes in one piece: some 100 ms each. */
const MOST_PLAN_BYTES = 8 * 2 ** 20;
const MOST_CODE_STEPS_HERE = 500_000;
const NOTHING_TO_TELL: readonly StatementNotification[] = [];

/** The options of the statement cache. */
export interface StatementCacheOptions {
  readonly procedures: ProcedureRegistry;
  /** True if workers may run statements, which they plan again. */
  readonly forWorkers: boolean;
  /** Plans texts that would keep this thread for too long; null if this thread plans everything. */
  readonly planner: Planner | null;
  readonly counters: StatementCounters;
  readonly flags: PlanFlags;
}

/** Caches statements from their text to their code. */
export class StatementCache {
  private readonly texts = new LRUCache<string, KnownText>(CACHED_CHARACTERS, weightOf);
  private readonly entries = new LRUCache<string, Entry>(CACHED_CHARACTERS, weightOf);
  private readonly options: StatementCacheOptions;
  /** The last text, whatever its length: a statement that writes is prepared twice, before and inside its transaction. */
  private last: KnownText | null = null;
  /** Statements prepared for requests that are not answered yet, whatever else has been prepared meanwhile. */
  private readonly requests = new WeakMap<StatementRequest, KnownText>();

  constructor(options: StatementCacheOptions) {
    this.options = options;
  }

  /** Returns whether the text is known to write and the caller may; false also if the text has not been prepared yet. */
  isKnownToWrite(text: string, caller?: Caller): boolean {
    const prepared = this.known(text)?.prepared;
    return prepared?.writes === true && prepared.mode === 'run' && (caller === undefined || may(caller, prepared.right));
  }

  private known(text: string): KnownText | undefined {
    return this.last?.text === text ? this.last : this.texts.get(text);
  }

  /**
   * Finds or makes the plan of the text for the view; a promise if another thread makes it, until when the view must
   * not change. Throws the errors of the text and of `Planner.plan`, and QUERY_TIMEOUT past the deadline.
   *
   * @param runsHere true if no worker can run the statement, since only this thread has the view
   */
  prepare(request: StatementRequest, view: GraphView, { runsHere }: { runsHere: boolean }): PreparedStatement | Promise<PreparedStatement> {
    const { query: text, deadline } = request;
    const known = this.requests.get(request) ?? this.known(text);
    if (known !== undefined && this.isFor(known.entry, view) && !(runsHere && isElsewhere(known.prepared))) {
      this.options.counters.planCacheHits++;
      this.last = known;
      return known.prepared;
    }
    const { planner } = this.options;
    if (planner === null) return boundedWork(deadline, () => this.prepareNow(text, view, known));
    if (text.length <= LONG_TEXT) {
      const prepared = attemptWork(deadline, MOST_STEPS_HERE, () => this.prepareNow(text, view, known));
      if (prepared !== null) return prepared;
    }
    return this.prepareElsewhere(planner, request, view, runsHere);
  }

  /** Returns whether the plan still fits: the schema, sizes, switches and automatic indexes for which it was made. */
  private isFor(entry: Entry, view: GraphView): boolean {
    const { schema, size, flags } = entry;
    const now = sizeOf(view);
    const isSized = schema === view.schema && now < size * GROWTH && size < now * GROWTH;
    return (
      isSized && flags.factorize === this.options.flags.factorize && flags.wcoj === this.options.flags.wcoj && hasItsIndexes(entry, view)
    );
  }

  private prepareNow(text: string, view: GraphView, known: KnownText | undefined): PreparedStatement {
    let lifted = known?.lifted;
    let statement: Statement | null = null;
    if (lifted === undefined || lifted.shape === null) {
      const made = autoParameterize(parse(text));
      statement = made.statement;
      lifted = { shape: made.shape, parameters: made.parameters };
    }
    const { shape } = lifted;
    const entry = this.entryFor({ text, shape: shape!, statement, view }, this.entries.get(shape!) ?? known?.entry);
    return this.remember(text, lifted, entry);
  }

  private remember(text: string, lifted: Text, entry: Entry, required?: readonly string[]): PreparedStatement {
    this.last = { text, lifted, entry, prepared: this.prepared(text, lifted, entry, required) };
    if (text.length <= CACHED_TEXT_LENGTH) this.texts.set(text, this.last);
    return this.last.prepared;
  }

  private async prepareElsewhere(
    planner: Planner,
    request: StatementRequest,
    view: GraphView,
    runsHere: boolean,
  ): Promise<PreparedStatement> {
    this.options.counters.planCacheMisses++;
    const { query: text, deadline, options } = request;
    const flags = this.flags();
    const { signal = null, memoryBytes = DEFAULT_MEMORY_BYTES } = options;
    const planned = await planner.plan({ text, flags, statistics: view.statistics, deadline, signal, memoryBytes });
    const isRemote = planned.explanation !== null || (!runsHere && this.options.forWorkers && planned.isForWorkers);
    const plan = isRemote ? null : new CompiledPlan(planOfPlanned(planned, deadline), MOST_CODE_STEPS_HERE);
    if (plan !== null) await nextTurn();
    const entry = this.entryOfPlanned({ text, view, flags, plan }, planned);
    const parameters = isRemote ? NO_PARAMETERS : parametersOfBytes(planned, deadline);
    const prepared = this.remember(text, { shape: null, parameters }, entry, planned.required);
    this.requests.set(request, this.last!);
    return prepared;
  }

  private entryOfPlanned(
    { text, view, flags, plan }: { text: string; view: GraphView; flags: PlanFlags; plan: CompiledPlan | null },
    planned: PlannedText,
  ): Entry {
    const { mode, writes, type, right, administration, requirements, mentions, askedIndexes, explanation } = planned;
    const made = { plan: planned.plan, parameters: planned.parameters };
    const isRemote = plan === null && explanation === null;
    return {
      mode,
      writes,
      type,
      right,
      administration,
      requirements,
      mentions,
      askedIndexes,
      explanation,
      bound: null,
      plan,
      isLarge: true,
      byPage: null,
      columns: Object.freeze(planned.columns.map(asKey)),
      planInputs: isRemote
        ? { text, answers: new Map(), flags, made, hasConstantSteps: false, split: null, isSplit: false, isLong: true }
        : null,
      flags,
      schema: view.schema,
      indexesVersion: view.indexesVersion,
      size: sizeOf(view),
      text,
      mentionsNothingOdd: false,
    };
  }

  /**
   * Plans a text for a view that can ask only some of its indexes, those that `mayAsk` accepts; null when the planner
   * wants no other, so that the plan of the text is good.
   */
  planWithFewer({ query, deadline }: StatementRequest, view: GraphView, mayAsk: (wanted: WantedIndex) => boolean): PlannedStatement | null {
    let areAllAsked = true;
    const statistics = withFewerIndexes(view.statistics, (wanted) => {
      const isAsked = mayAsk(wanted);
      areAllAsked &&= isAsked;
      return isAsked;
    });
    const planning = { procedures: this.options.procedures, flags: this.flags(), statistics };
    const planned = boundedWork(deadline, () => planText(query, planning));
    return areAllAsked ? null : planned;
  }

  countReadByPage(): void {
    this.options.counters.readsByPage++;
  }

  private flags(): PlanFlags {
    const { factorize, wcoj } = this.options.flags;
    return { factorize, wcoj };
  }

  private prepared(text: string, { parameters }: Text, entry: Entry, given?: readonly string[]): PreparedStatement {
    const { mode, writes, plan, isLarge, byPage, type, right, administration, columns, requirements, planInputs, explanation, bound } =
      entry;
    const required = given ?? requiredOf(bound!, parameters);
    const notifications = (view: GraphView): readonly StatementNotification[] => this.notifications(text, entry, view);
    const facts = { mode, writes, isLarge, byPage, type, right, administration, columns, requirements };
    return { ...facts, plan, planInputs, parameters, required, explanation, notifications };
  }

  private notifications(text: string, entry: Entry, view: GraphView): readonly StatementNotification[] {
    if (entry.mentionsNothingOdd) return NOTHING_TO_TELL;
    if (!entry.mentions.some((mention) => isOdd(view, mention))) {
      entry.mentionsNothingOdd = true;
      return NOTHING_TO_TELL;
    }
    return notificationsFor(view, text, entry.text === text ? entry.mentions : mentionsOf(bindStatement(text, this.options.procedures)));
  }

  private entryFor(
    { text, shape, statement, view }: { text: string; shape: string; statement: Statement | null; view: GraphView },
    known: Entry | undefined,
  ): Entry {
    if (known !== undefined && known.bound !== null && this.isFor(known, view)) {
      this.options.counters.planCacheHits++;
      return known;
    }
    this.options.counters.planCacheMisses++;
    const { forWorkers, planner, procedures } = this.options;
    const flags = this.flags();
    const bound = known?.bound ?? bindStatement(text, procedures, statement ?? undefined);
    const answers = forWorkers ? new Map<string, unknown>() : null;
    const statistics = answers === null ? view.statistics : recordedStatistics(view.statistics, answers);
    const { plan, type, columns, requirements, mentions, right, administration } = planBound(bound, { statistics, flags }, known?.mentions);
    const boundText = known?.text ?? text;
    const planInputs: PlanInputs | null =
      answers !== null && isForWorkers(bound, plan, procedures)
        ? {
            text: boundText,
            answers,
            flags,
            made: null,
            hasConstantSteps: hasConstantSteps(plan),
            split: splitOf(plan),
            isSplit: true,
            isLong: false,
          }
        : null;
    const entry: Entry = {
      mode: plan.mode,
      writes: plan.writes,
      bound,
      plan: new CompiledPlan(plan, planner === null ? undefined : MOST_CODE_STEPS_HERE),
      isLarge: false,
      byPage: readsByPage(plan),
      type,
      right,
      administration,
      columns: Object.freeze(columns.map(asKey)),
      requirements,
      planInputs,
      explanation: null,
      askedIndexes: plan.askedIndexes ?? [],
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

const weightOf = (text: string): number => Math.max(FEW_CHARACTERS, text.length);

const NO_PARAMETERS: ReadonlyMap<string, Value> = new Map();

/** Returns whether this thread has no plan that it could run. */
function isElsewhere({ plan, explanation }: PreparedStatement): boolean {
  return plan === null && explanation === null;
}

function planOfPlanned({ plan }: PlannedText, deadline: number): Plan {
  if (plan.length > MOST_PLAN_BYTES) {
    throw new GraphDBError('UNSUPPORTED', 'the statement is too large to be run; part it into several, or give its values as parameters');
  }
  return boundedWork(deadline, () => planOfBytes(plan));
}

function parametersOfBytes({ parameters }: PlannedText, deadline: number): ReadonlyMap<string, Value> {
  return boundedWork(deadline, () => unpackLiterals(deserialize(parameters)));
}

/**
 * Returns the name as V8 keeps keys of objects: a name that was cut out of the statement would be looked up again for
 * each row that a program reads by it.
 */
function asKey(name: string): string {
  return Object.keys({ [name]: null })[0]!;
}

/** Returns whether the planner would see the automatic indexes that it saw when it made the plan. */
function hasItsIndexes(entry: Entry, view: GraphView): boolean {
  if (entry.indexesVersion === view.indexesVersion) return true;
  const isSame = entry.askedIndexes.every(
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

function splitOf(plan: Plan): PlanInputs['split'] {
  const split = splitPlan(plan);
  if (split === null) return null;
  const { whole, sums, sumsOfMeans } = split;
  return { whole: new CompiledPlan(whole), sums, sumsOfMeans };
}
