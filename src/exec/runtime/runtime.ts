/**
 * The object that generated code calls `rt`: the parts that make up one run of a statement. Each part has one
 * responsibility and knows only the parts that its constructor takes. Parts that few statements use are made on first
 * use.
 */

import { GraphCatalog, type SharedCatalog } from '../../algorithms/index.ts';
import { assert, GraphDBError, monotonicMs } from '../../base/index.ts';
import { didYouMean } from '../../cypher/index.ts';
import type { GraphTransaction, GraphView, PageFaults } from '../../graph/index.ts';
import type { Value } from '../../value/index.ts';
import { type CsvSources, NO_CSV_SOURCES } from '../csv/csv-sources.ts';
import type { FunctionContext } from '../functions/index.ts';
import { Batches } from './batches.ts';
import { type CreationItem, Creations } from './creations.ts';
import { CsvLoads } from './csv-loads.ts';
import { makeFunctionContext } from './function-context.ts';
import { type KnownValue, valuesOf } from './known-values.ts';
import { type LimitOptions, Limits } from './limits.ts';
import { Restarts } from './pages/restarts.ts';
import { ProcedureCalls } from './procedure-calls.ts';
import type { Profile } from './profile.ts';
import { Reads } from './reads.ts';
import { type ResultOptions, Results } from './results.ts';
import { MemoryAccount } from './rows/memory-account.ts';
import { type ScanOptions, Scans } from './scans.ts';
import { type DatabaseFacts, SchemaAccess } from './schema-access.ts';
import { Seeks } from './seeks.ts';
import { type SpillOptions, SpillSpace } from './spill/spill-space.ts';
import { type ClockOptions, StatementClock } from './statement-clock.ts';
import { StatementGraph } from './statement-graph.ts';
import { CountedValues } from './values/counted-values.ts';
import type { ChangeReading } from './waiting/change-reading.ts';
import { PartReading, type PartStore } from './waiting/part-reading.ts';
import { Pauses } from './waiting/pauses.ts';
import { Writes } from './writes.ts';

/** Options of one run of a statement. */
export interface RuntimeOptions extends LimitOptions, ScanOptions, ClockOptions, DatabaseFacts, ResultOptions {
  readonly view: GraphView;
  /** The number of the engine that runs the statement; engines take turns on a thread. */
  readonly engine: number;
  /** The transaction that the statement writes in; null if it only reads. */
  readonly transaction: GraphTransaction | null;
  readonly parameters: ReadonlyMap<string, Value>;
  /** Whether the transaction belongs to the statement alone, which may then commit what it has written so far; default: false. */
  readonly ownsTransaction?: boolean | undefined;
  /** The limit for intermediate and result rows, in estimated bytes. */
  readonly memoryBytes: number;
  /** The graphs that users have projected; absent in a worker, where no statement uses the catalog. */
  readonly catalog?: SharedCatalog | undefined;
  /** The captured changes; absent in a worker, where no statement reads them. */
  readonly changes?: ChangeReading | undefined;
  /** The sources that LOAD CSV may read; absent if there are none. */
  readonly csvSources?: CsvSources | undefined;
  /** Options of temporary files; absent if operators must keep all their rows in memory. */
  readonly spill?: SpillOptions | undefined;
  /** The store of the graph, for procedures that name parts of it while they run; absent in a worker. */
  readonly parts?: PartStore | undefined;
  /** Records missing pages; absent if everything that the statement reads is in memory. */
  readonly faults?: PageFaults | undefined;
}

/** The parts of one run of a statement. */
export class Runtime {
  readonly limits: Limits;
  readonly pauses: Pauses;
  readonly memory: MemoryAccount;
  readonly clock: StatementClock;
  readonly graph: StatementGraph;
  readonly reads: Reads;
  readonly values: CountedValues;
  readonly results: Results;
  readonly parameters: ReadonlyMap<string, Value>;
  /** The number of the engine, as in `RuntimeOptions`. */
  readonly engine: number;
  /** The counters of PROFILE; null unless the statement is profiled. */
  profile: Profile | null = null;
  private readonly options: RuntimeOptions;
  private ownSeeks: Seeks | null = null;
  private ownScans: Scans | null = null;
  private ownWrites: Writes | null = null;
  private ownSchema: SchemaAccess | null = null;
  private ownProcedures: ProcedureCalls | null = null;
  private ownCatalog: GraphCatalog | null = null;
  private ownBatches: Batches | null = null;
  private ownCsv: CsvLoads | null = null;
  private ownSpill: SpillSpace | null = null;
  private ownRestarts: Restarts | null = null;
  private ownFunctionContext: FunctionContext | null = null;

  constructor(options: RuntimeOptions) {
    const now = monotonicMs();
    this.options = options;
    this.parameters = options.parameters;
    this.engine = options.engine;
    this.limits = new Limits(options, now);
    this.pauses = new Pauses(this.limits);
    this.memory = new MemoryAccount(options.memoryBytes, this.limits);
    this.clock = new StatementClock(options, now);
    this.graph = new StatementGraph(options.view, options.transaction);
    this.reads = new Reads(this.graph, this);
    this.values = new CountedValues(this.limits, this.memory, this.reads);
    this.results = new Results(this, options);
  }

  get seeks(): Seeks {
    this.ownSeeks ??= new Seeks(this.graph, this.reads, this);
    return this.ownSeeks;
  }

  get scans(): Scans {
    this.ownScans ??= new Scans(this.graph, this.options);
    return this.ownScans;
  }

  get writes(): Writes {
    this.ownWrites ??= new Writes(this);
    return this.ownWrites;
  }

  get schema(): SchemaAccess {
    const { graph, limits, writes, parameters, options } = this;
    this.ownSchema ??= new SchemaAccess({ graph, limits, writes, parameters, database: options });
    return this.ownSchema;
  }

  get procedures(): ProcedureCalls {
    const { graph, limits, memory, reads, writes, options } = this;
    const { settings, changes, ownsTransaction = false } = options;
    this.ownProcedures ??= new ProcedureCalls(options.procedures, {
      graph,
      limits,
      memory,
      reads,
      writes,
      schema: () => this.schema,
      settings,
      batches: this.batches,
      ownsTransaction,
      catalog: () => this.catalog,
      changes,
      parts: new PartReading(graph, options.parts, this.pauses),
      pauses: this.pauses,
      profile: () => this.profile,
    });
    return this.ownProcedures;
  }

  /** The graphs that users have projected, as the statement sees them. Only on the main thread. */
  get catalog(): GraphCatalog {
    const { catalog } = this.options;
    assert(catalog !== undefined, 'what uses the catalog runs on the main thread');
    this.ownCatalog ??= new GraphCatalog(catalog, this.graph);
    return this.ownCatalog;
  }

  get batches(): Batches {
    this.ownBatches ??= new Batches(this.writes, this.options.ownsTransaction === true);
    return this.ownBatches;
  }

  get csv(): CsvLoads {
    this.ownCsv ??= new CsvLoads(this.options.csvSources ?? NO_CSV_SOURCES, this);
    return this.ownCsv;
  }

  /** The temporary files of the statement. Only if the options have `spill`. */
  get spill(): SpillSpace {
    this.ownSpill ??= new SpillSpace(this.options.spill!, this.memory, this.limits);
    return this.ownSpill;
  }

  /** The position at which the statement resumes after waiting for pages. Only if the options have `faults`. */
  get restarts(): Restarts {
    const { faults } = this.options;
    assert(faults !== undefined, 'a statement that reads by page notes what is missing');
    this.ownRestarts ??= new Restarts(faults, this.memory);
    return this.ownRestarts;
  }

  /** Whether the statement has made a temporary file. */
  get hasSpilled(): boolean {
    return this.ownSpill?.wasUsed === true;
  }

  /** Whether operators may write their rows to files: `whereNeeded` when memory runs short, `always` from the beginning. */
  get maySpill(): 'no' | 'whereNeeded' | 'always' {
    const { spill } = this.options;
    return spill === undefined ? 'no' : spill.afterRows === null ? 'whereNeeded' : 'always';
  }

  /** Whether the statement has changed anything in the graph, or in the catalog of projected graphs. */
  get hasChanged(): boolean {
    return this.ownWrites?.hasChanged === true || this.ownCatalog?.hasChanged === true;
  }

  /** Discards the memory and the counters of the run, except for the rows already returned; the code then runs from its beginning. */
  beginAgain(): void {
    this.memory.beginAgain();
    this.profile?.beginAgain();
    // The rows that entered a sink of the first run are gone: none may be skipped.
    this.ownRestarts = null;
  }

  /** Removes temporary files. Called when the statement ends in any way (requirement Q3). */
  end(): void {
    this.ownSpill?.close();
  }

  /** The context of functions: the parts of the statement that a function may read besides its arguments. */
  get functionContext(): FunctionContext {
    const { graph, reads, clock, limits, memory } = this;
    this.ownFunctionContext ??= makeFunctionContext({
      graph,
      reads,
      clock,
      limits,
      memory,
      csvPlace: () => this.csv.place,
      catalog: () => this.catalog,
    });
    return this.ownFunctionContext;
  }

  /** Returns values that are known before the statement runs, in order. @throws PARAMETER_MISSING */
  knownList(values: readonly KnownValue[]): Value[] {
    return valuesOf(values, (name) => this.parameter(name));
  }

  /** Returns the items of a clause that creates many nodes and relationships. @throws PARAMETER_MISSING */
  creations(items: readonly CreationItem[]): Creations {
    return new Creations(this.writes, items, (name) => this.parameter(name));
  }

  /** Returns the value of a parameter. @throws PARAMETER_MISSING */
  parameter(name: string): Value {
    const value = this.parameters.get(name);
    if (value === undefined)
      throw new GraphDBError(
        'PARAMETER_MISSING',
        `the parameter $${name} is used in the statement but was not given${didYouMean(name, [...this.parameters.keys()])}`,
      );
    return value;
  }

  /** Continues after other statements have had the thread: begins a new time slice. @throws QUERY_TIMEOUT, CANCELLED */
  resume(): void {
    this.pauses.resume();
    this.limits.resume();
    this.profile?.resume();
  }
}
