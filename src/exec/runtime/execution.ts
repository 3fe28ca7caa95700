/**
 * One run of a statement: its parameters, its clock, its limits. The base of the runtime that generated code calls.
 *
 * Q3: generated code counts its work and calls `tick` now and then. `tick` throws when the statement is to stop (time-out, cancellation), and tells when it is
 * time to let the event loop run.
 */
import { assert, GraphDBError, monotonicMs, outOfTime, systemTimeMs } from '../../base/index.ts';
import { didYouMean } from '../../cypher/index.ts';
import type { GraphTransaction, GraphView } from '../../graph/index.ts';
import { type Instant, instantOf, type Value } from '../../value/index.ts';
import type { Profile } from './profile.ts';
import { bytesBeside, isShort } from './value-bytes.ts';

export interface ExecutionOptions {
  readonly view: GraphView;
  /** null: the statement only reads. */
  readonly transaction: GraphTransaction | null;
  readonly parameters: ReadonlyMap<string, Value>;
  /** Milliseconds of `monotonicMs()`; Infinity: none. */
  readonly deadline: number;
  readonly signal: AbortSignal | null;
  /** How long it may keep the thread between two turns of the event loop; absent: 4. */
  readonly sliceMs?: number;
  /** Called when it looks at the clock, each millisecond or so; what it throws ends the statement. */
  readonly onLook?: () => void;
  /** Bytes of intermediate and result rows, estimated. */
  readonly memoryBytes: number;
  /** Absent: when this is made. */
  readonly statementTime?: Instant;
  /** null: that of the statement. */
  readonly transactionTime: Instant | null;
  /** By node table, then by relationship type: its rows that were given to a thread so far, shared with the others that run the same part; absent: there are none. */
  readonly morsels?: Int32Array | undefined;
  /** Told of look-ups that an index answers that nobody declared, or would have answered; absent: nobody wants to know. */
  readonly lookups?: LookupMeter;
  /** A node that stands in several rows of the result is read once (GRAPHDB_NODE_CACHE); default: true. */
  readonly nodeCache?: boolean | undefined;
}

/** A property of the nodes with a label, which statements look up. */
export interface LookedUp {
  readonly label: string;
  readonly key: string;
}

/** Knows what statements look up without a declared index. */
export interface LookupMeter {
  /** A statement begins that scans for it. It adds its work, in rows that are compared with a value. */
  scanning(property: LookedUp): { work: number };
  /** A statement begins that asks the index. */
  seeking(property: LookedUp): void;
}

/** Rows of a scan that a thread takes at a time. */
export const MORSEL_ROWS = 1024;

/** So many rows are asked at a time whether they satisfy a condition: to begin asking takes as long as to ask some two hundred. */
export const SELECTED_ROWS = 4 * MORSEL_ROWS;

const SLICE_MS = 4;
/** The unit in which work is measured, and the most steps between two looks at the clock. */
const STEPS_PER_TICK = 65_536;
/** Until the first look: a step is a row that is passed over, or one that is created and indexed. */
export const FIRST_STEPS = 4_096;
const LEAST_STEPS = 64;
/** Time between two looks that is aimed at. */
const LOOK_MS = 1;
/** What a field of a kept row costs: a slot and, on average, half a boxed value. */
const BYTES_PER_FIELD = 24;
const BYTES_PER_ROW = 40;
/** A batch of rows leaves when its long values take so much. */
const BATCH_BYTES = 4 * 2 ** 20;
/** Of values that many rows share (a list that each of its elements stands beside), so many are known again. */
const REMEMBERED_VALUES = 8;

export class Execution {
  private ownView: GraphView;
  transaction: GraphTransaction | null;
  readonly parameters: ReadonlyMap<string, Value>;
  private readonly startedAt: number;
  private knownTime: Instant | null;
  private readonly ownTransactionTime: Instant | null;
  /** Set when the statement is profiled. */
  profile: Profile | null = null;
  private readonly deadline: number;
  private readonly signal: AbortSignal | null;
  private readonly memoryLimit: number;
  /** Estimated bytes of the rows that are kept now. */
  memory = 0;
  /** Work in units of `STEPS_PER_TICK` steps, up to the last look: a measure that does not depend on how busy the machine is. */
  ticks = 0;
  /** Steps until the next look at the clock, by what the last ones took. */
  quantum = FIRST_STEPS;
  private lookedAt: number;
  private steps = 0;
  private readonly sliceMs: number;
  private readonly onLook: (() => void) | null;
  private readonly morsels: Int32Array | null;
  private readonly lookups: LookupMeter | null;
  private sliceEnd: number;
  private batchBytes = 0;
  /** Some row that left had a long value. */
  private hasLongRows = false;
  private remembered: unknown[] | null = null;
  private oldest = 0;

  constructor(options: ExecutionOptions) {
    this.ownView = options.view;
    this.transaction = options.transaction;
    this.parameters = options.parameters;
    this.deadline = options.deadline;
    this.signal = options.signal;
    this.memoryLimit = options.memoryBytes;
    const now = monotonicMs();
    this.startedAt = now;
    this.knownTime = options.statementTime ?? null;
    this.ownTransactionTime = options.transactionTime;
    this.onLook = options.onLook ?? null;
    this.morsels = options.morsels ?? null;
    this.lookups = options.lookups ?? null;
    this.sliceMs = options.sliceMs ?? SLICE_MS;
    this.sliceEnd = now + this.sliceMs;
    this.lookedAt = now;
    this.checkInterrupted(now);
  }

  /** When it began, by the clock of the wall: most statements never ask. */
  get statementTime(): Instant {
    // Rounded up: not before the transaction that it belongs to, and not after now.
    this.knownTime ??= instantOf(Math.ceil(systemTimeMs() - (monotonicMs() - this.startedAt)));
    return this.knownTime;
  }

  get transactionTime(): Instant {
    return this.ownTransactionTime ?? this.statementTime;
  }

  /** The graph, with all that this statement has written: what was written since the last look is shown when somebody looks, not before. */
  get view(): GraphView {
    this.transaction?.refresh();
    return this.ownView;
  }

  /** The same for nodes and indexes of nodes alone. */
  protected get nodeView(): GraphView {
    this.transaction?.refreshNodes();
    return this.ownView;
  }

  /** The next batch of a statement that writes. */
  continueWith(transaction: GraphTransaction): void {
    this.transaction = transaction;
    this.ownView = transaction.view;
  }

  /** To be called after `quantum` steps. True when the statement should let others run. */
  tick(): boolean {
    const now = monotonicMs();
    this.ticks += this.quantum / STEPS_PER_TICK;
    const aimedAt = (this.quantum * LOOK_MS) / Math.max(now - this.lookedAt, LOOK_MS / 4);
    this.quantum = Math.min(STEPS_PER_TICK, Math.max(LEAST_STEPS, Math.floor(aimedAt)));
    this.lookedAt = now;
    this.onLook?.();
    this.checkInterrupted(now);
    return now > this.sliceEnd;
  }

  /** Milliseconds that are left of its time, at least one; Infinity: no limit. */
  get remainingMs(): number {
    return Math.max(1, Math.ceil(this.deadline - monotonicMs()));
  }

  get sliceIsOver(): boolean {
    return monotonicMs() > this.sliceEnd;
  }

  resume(): void {
    const now = monotonicMs();
    this.sliceEnd = now + this.sliceMs;
    this.lookedAt = now;
    this.checkInterrupted(now);
    this.profile?.resume();
  }

  /** Counts steps of a loop of the runtime. True when it worked long enough, and the statement should let others run. */
  worked(steps: number): boolean {
    this.steps += steps;
    if (this.steps <= this.quantum) return false;
    this.steps = 0;
    return this.tick();
  }

  private checkInterrupted(now: number): void {
    if (this.signal?.aborted === true) throw new GraphDBError('CANCELLED', 'the statement was cancelled');
    if (now > this.deadline) throw outOfTime();
  }

  /** The first of the next rows of a node table that are this thread's to scan; -1: all are given. */
  morsel(table: number, rows: number): number {
    assert(this.morsels !== null, 'a share of a scan that is not shared');
    const first = Atomics.add(this.morsels, table, MORSEL_ROWS);
    return first < rows ? first : -1;
  }

  /** The same of the table of a relationship type. */
  relationshipMorsel(type: number, rows: number): number {
    return this.morsel(this.ownView.nodeTables.length + type, rows);
  }

  scanning(property: LookedUp): { work: number } {
    return this.lookups?.scanning(property) ?? { work: 0 };
  }

  seeking({ label, keys }: { readonly label: string; readonly keys: readonly string[] }): void {
    this.lookups?.seeking({ label, key: keys[0]! });
  }

  /** `rows` more rows of `fields` fields are kept. */
  charge(rows: number, fields: number): void {
    this.chargeBytes(rows * (BYTES_PER_ROW + BYTES_PER_FIELD * fields));
  }

  /** A row is kept whose place and fields are charged elsewhere: what its values take beside them. */
  chargeValues(row: readonly unknown[]): void {
    for (let i = 0; i < row.length; i++) {
      const value = row[i];
      if (isShort(value)) continue;
      const bytes = bytesBeside(value);
      if (bytes > 0 && this.isNew(value)) this.chargeBytes(bytes);
    }
  }

  /** Rows that this statement gave are kept, as they left together. */
  chargeBatch(rows: readonly (readonly unknown[])[]): void {
    if (this.hasLongRows) this.chargeRows(rows);
    else this.charge(rows.length, rows[0]?.length ?? 0);
  }

  /** Rows that are kept, of one width. */
  chargeRows(rows: readonly (readonly unknown[])[]): void {
    this.charge(rows.length, rows[0]?.length ?? 0);
    for (const row of rows) this.chargeValues(row);
  }

  private isNew(value: unknown): boolean {
    this.remembered ??= [];
    if (this.remembered.includes(value)) return false;
    this.remembered[this.oldest] = value;
    this.oldest = (this.oldest + 1) % REMEMBERED_VALUES;
    return true;
  }

  /** Asked of each row that has a long value: true when the rows that are to leave together, this one the last of them, should leave now. */
  fillsBatch(row: readonly unknown[]): boolean {
    for (let i = 0; i < row.length; i++) {
      if (isShort(row[i])) continue;
      this.hasLongRows = true;
      this.batchBytes += bytesBeside(row[i]);
    }
    if (this.batchBytes < BATCH_BYTES) return false;
    this.batchBytes = 0;
    return true;
  }

  /** A value that grows, and is not kept yet. */
  assertRoomFor(value: unknown): void {
    if (typeof value === 'number' || this.memory + bytesBeside(value) <= this.memoryLimit) return;
    this.chargeBytes(bytesBeside(value));
  }

  /** Bytes that are kept; negative: that are free again. */
  chargeBytes(bytes: number): void {
    this.memory += bytes;
    if (this.memory > this.memoryLimit) {
      throw new GraphDBError(
        'MEMORY_LIMIT',
        `the statement needs more than its memory limit of ${this.memoryLimit} bytes; add a LIMIT, or allow it more memory`,
      );
    }
  }

  parameter(name: string): Value {
    const value = this.parameters.get(name);
    if (value === undefined)
      throw new GraphDBError(
        'PARAMETER_MISSING',
        `the parameter $${name} is used in the statement but was not given${didYouMean(name, [...this.parameters.keys()])}`,
      );
    return value;
  }
}
