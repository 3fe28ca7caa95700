/** CALL of a procedure: fills in default arguments, selects the fields of its rows, and gives it its context. */
import type { GraphCatalog } from '../../algorithms/index.ts';
import { assert, type ShownSetting } from '../../base/index.ts';
import type { Value } from '../../value/index.ts';
import type { Batches } from './batches.ts';
import type { Limits } from './limits.ts';
import { type ProcedureRegistry, RowBatch } from './procedure.ts';
import type { ProcedureContext } from './procedure-context.ts';
import type { Profile } from './profile.ts';
import type { Reads } from './reads.ts';
import type { MemoryAccount } from './rows/memory-account.ts';
import { sortRows } from './rows/sort-rows.ts';
import type { SchemaAccess } from './schema-access.ts';
import type { StatementGraph } from './statement-graph.ts';
import type { ChangeReading } from './waiting/change-reading.ts';
import type { PartReading } from './waiting/part-reading.ts';
import type { Pauses } from './waiting/pauses.ts';
import type { Writes } from './writes.ts';

const BYTES_PER_ORDINAL = 8;

interface ProcedureEnvironment {
  readonly graph: StatementGraph;
  readonly limits: Limits;
  readonly memory: MemoryAccount;
  readonly reads: Reads;
  readonly writes: Writes;
  readonly schema: () => SchemaAccess;
  readonly settings: () => readonly ShownSetting[];
  readonly batches: Batches;
  /** Whether the statement may commit what it has written so far. */
  readonly ownsTransaction: boolean;
  /** Only on the main thread. */
  readonly catalog: () => GraphCatalog;
  /** Undefined in a worker. */
  readonly changes: ChangeReading | undefined;
  readonly parts: PartReading;
  readonly pauses: Pauses;
  /** Returns the counters of PROFILE; null if the statement is not profiled. */
  readonly profile: () => Profile | null;
}

type Rows = readonly (readonly Value[])[];

/** Calls the procedures of a statement. */
export class ProcedureCalls {
  private readonly registry: ProcedureRegistry;
  private readonly context: ProcedureContext;
  private readonly ownsTransaction: boolean;
  private readonly batching: Batching = { isAllowed: false };

  constructor(registry: ProcedureRegistry, environment: ProcedureEnvironment) {
    this.registry = registry;
    this.ownsTransaction = environment.ownsTransaction;
    this.context = contextOf(environment, this.batching);
  }

  /** Tells whether a value from `call` is a marker for the engine instead of rows. */
  isMarker(given: unknown): boolean {
    return typeof given === 'symbol';
  }

  /**
   * Calls a procedure, and yields its rows, some at a time, reduced to the given fields, in their order; yields null where
   * other statements should run.
   *
   * @param isAlone whether the statement consists of the call alone: if the statement also owns its transaction, batch
   * markers for the engine are yielded among the rows
   */
  *call(name: string, args: readonly Value[], fields: readonly string[], isAlone = false): Generator<Rows | null | symbol> {
    this.batching.isAllowed = isAlone && this.ownsTransaction;
    const procedure = this.registry.get(name);
    const positions = fields.map((field) => procedure.outputs.findIndex((output) => output.name === field));
    const missing = procedure.inputs.slice(args.length).map((input) => input.default ?? null);
    const isWhole = fields.length === procedure.outputs.length && positions.every((position, i) => position === i);
    const reduced = (row: readonly Value[]): readonly Value[] => (isWhole ? row : positions.map((position) => row[position] ?? null));
    for (const given of procedure.call(this.context, missing.length === 0 ? args : [...args, ...missing])) {
      const marker: unknown = given; // A marker of a batch passes through the procedure.
      if (given === null) yield null;
      else if (typeof marker === 'symbol') yield marker;
      else if (given instanceof RowBatch) yield isWhole ? given.rows : given.rows.map(reduced);
      else yield [reduced(given)];
    }
  }
}

/** Whether the current call may commit batches. */
interface Batching {
  isAllowed: boolean;
}

function contextOf(environment: ProcedureEnvironment, batching: Batching): ProcedureContext {
  const { graph, limits, memory, reads, writes, settings, batches, catalog, changes, parts, pauses, schema, profile } = environment;
  return {
    get view() {
      return graph.view;
    },
    settings,
    get catalog() {
      return catalog();
    },
    get changes() {
      assert(changes !== undefined, 'a procedure that reads changes runs on the main thread');
      return changes;
    },
    during: (work) => pauses.during(work),
    open: (requirements, bytes) => parts.open(requirements, bytes),
    roomFor: (bytes) => parts.roomFor(bytes),
    memoryLimit: memory.limit,
    writes,
    changeSchema: (command) => schema().change(command),
    worked: (steps) => limits.worked(steps),
    sort: (ordinals) => sortRows(ordinals, (a, b) => a - b, { limits, bytes: ordinals.length * BYTES_PER_ORDINAL }),
    note: (text) => profile()?.note(text()),
    charge: (rows, fields) => memory.charge(rows, fields),
    chargeBytes: (bytes) => (bytes <= 0 ? memory.release(-bytes) : memory.chargeBytes(bytes)),
    *commit() {
      if (batching.isAllowed) yield* batches.commit();
    },
    property: (entity, key) => reads.property(entity, reads.keyReference(key)),
    adjacencies: (types, direction) => reads.adjacencies(types, direction),
    relationshipsOf: (node) => reads.relationshipsOf(node.ordinal),
  };
}
