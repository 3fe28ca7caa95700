/**
 * Compiles a plan to a function that runs it. The function is made for the shape of one view of the store (see
 * `Codegen`); `CompiledPlan` keeps it while the shape and the types of the parameters stay the same, and compiles again
 * when they change.
 *
 * Cost: some 20–100 µs per compilation, once per plan and shape; reusing the function costs almost nothing.
 */
import { assert, boundedPieces, boundedWork, finish, type WorkBounds } from '../base/index.ts';
import type { GraphView } from '../graph/index.ts';
import type { Operator, Plan } from '../plan/index.ts';
import type { Value } from '../value/index.ts';
import { Codegen, typeOfParameter } from './codegen/codegen.ts';
import { toValue } from './codegen/expressions/to-value.ts';
import { loadStatementFunction, type StatementFunction } from './codegen/load-function.ts';
import { produce } from './codegen/operators/produce.ts';
import type { Shape } from './codegen/shape.ts';
import type { StaticType, Typed } from './codegen/typed.ts';
import { writeInputs } from './codegen/written-inputs.ts';
import { library } from './runtime/library.ts';
import { LONG_TEXT } from './runtime/rows/value-bytes.ts';

import { canSpill, repeatsRows } from './spilling.ts';

/** The rows of a full batch: one with fewer is mostly the last. */
export const BATCH_ROWS = 1024;
/** Types whose values are never long. */
const FIXED: ReadonlySet<string> = new Set(['integer', 'float', 'boolean', 'null']);

type Parameters = ReadonlyMap<string, Value>;

/** A compiled statement: its function and the constants that it refers to. */
export interface CompiledStatement {
  readonly run: StatementFunction;
  readonly constants: readonly unknown[];
  /** The source text of the generated function, for EXPLAIN. */
  readonly source: string;
  /** The operators in the order of the counters of a `Profile`. */
  readonly profiled: readonly Operator[];
}

/** The form of code that a plan is compiled to. */
interface CodeForm {
  /** Whether the code assumes nothing about the view, but asks it for everything when it runs. */
  readonly generic: boolean;
  /** Whether the code waits for missing pages. */
  readonly paged: boolean;
  /** Whether operators can write their rows to files. */
  readonly spills: boolean;
}

/** A compiled statement, and the assumptions that it was compiled for. */
interface Version extends CodeForm {
  /** The types of the parameters on whose types the code depends. */
  readonly types: ReadonlyMap<string, StaticType>;
  readonly shape: Shape;
  readonly compiled: CompiledStatement;
  /** The revision of the view for which the assumptions last held. */
  revision: number;
}

const KEPT_VERSIONS = 8;

/** A plan with the functions compiled for it, for views of several shapes. */
export class CompiledPlan {
  readonly plan: Plan;
  /** Whether the plan has a form of code whose operators can write their rows to files. */
  readonly canSpill: boolean;
  /** Whether the last run used that form, and wrote files. */
  hasSpilled = false;
  private versions: Version[] = [];
  private readonly bounds: WorkBounds;

  /** @param mostSteps steps of code generation after which the statement is refused (see `boundedWork`); absent for the default */
  constructor(plan: Plan, mostSteps?: number) {
    this.plan = plan;
    this.canSpill = canSpill(plan);
    this.bounds = mostSteps === undefined ? {} : { mostSteps };
  }

  /** Whether running the plan again, with or without files, for the same view and parameters yields the same rows in the same order. */
  get repeatsRows(): boolean {
    return repeatsRows(this.plan);
  }

  /**
   * Returns the function for a view that is in memory.
   *
   * @param deadline of the statement; Infinity for none
   * @param spills whether operators can write their rows to files
   */
  for(view: GraphView, parameters: Parameters, deadline: number, spills = false): CompiledStatement {
    return this.compiled(view, parameters, deadline, { generic: this.plan.writes, paged: false, spills });
  }

  /**
   * Returns the function for a view of which parts are read by page. It assumes nothing about what is in memory, and
   * yields `WAIT` when it waits for pages.
   */
  byPage(view: GraphView, parameters: Parameters, deadline: number, spills = false): CompiledStatement {
    return this.compiled(view, parameters, deadline, { generic: true, paged: true, spills });
  }

  private compiled(view: GraphView, parameters: Parameters, deadline: number, form: CodeForm): CompiledStatement {
    for (const version of this.versions)
      if (isOfForm(version, form) && hasTypes(version, parameters) && fits(version, view)) return version.compiled;
    const made = boundedWork(deadline, () => finish(compilation(this.plan, view, parameters, form)), this.bounds);
    return this.keep(made, view, form);
  }

  /**
   * Compiles the function that `for` returns, in short pieces if the plan writes, so that other statements can run.
   *
   * @param giveWay called between two pieces; the view must not change before that if it is read from
   */
  async prepare(view: GraphView, parameters: Parameters, deadline: number, giveWay: () => Promise<void> | null): Promise<void> {
    if (!this.plan.writes) {
      this.for(view, parameters, deadline);
      return;
    }
    const form = { generic: true, paged: false, spills: false };
    const work = compilation(this.plan, view, parameters, form);
    const within = boundedPieces(deadline, this.bounds);
    for (;;) {
      const piece = within(() => work.next());
      if (piece.done === true) {
        this.keep(piece.value, view, form);
        return;
      }
      const waiting = giveWay();
      if (waiting !== null) await waiting;
    }
  }

  private keep({ compiled, shape, types }: Compilation, view: GraphView, form: CodeForm): CompiledStatement {
    const version = { compiled, shape, types, ...form, revision: view.revision };
    this.versions = [version, ...this.versions.slice(0, KEPT_VERSIONS - 1)];
    return compiled;
  }
}

/**
 * Returns the condition, to be appended to another with `||`, that a row has long values and fills a batch with them.
 * The generated code tests the length of strings itself, and calls the runtime for values of unknown type.
 */
function orIsLong(columns: readonly Typed[], row: string): string {
  const tests = columns.map(({ type, valid }, i) => {
    if (FIXED.has(type)) return '';
    if (type !== 'string') return 'true';
    return `${valid === null ? '' : `${row}[${i}] !== null && `}${row}[${i}].length > ${LONG_TEXT}`;
  });
  const asked = tests.filter((test) => test !== '');
  if (asked.length === 0) return '';
  return asked.includes('true') ? ` || memory.fillsBatch(${row})` : ` || (${asked.join(' || ')}) && memory.fillsBatch(${row})`;
}

function isOfForm(version: Version, { generic, paged, spills }: CodeForm): boolean {
  return version.generic === generic && version.paged === paged && version.spills === spills;
}

function hasTypes({ types }: Version, parameters: Parameters): boolean {
  for (const [name, type] of types) if (typeOfParameter(parameters.get(name)) !== type) return false;
  return true;
}

function fits(version: Version, view: GraphView): boolean {
  if (version.revision === view.revision) return true;
  if (!version.shape.holds(view)) return false;
  version.revision = view.revision;
  return true;
}

interface Compilation {
  readonly compiled: CompiledStatement;
  readonly shape: Shape;
  readonly types: ReadonlyMap<string, StaticType>;
}

/** Compiles a plan; yields between short pieces of work if the plan writes. */
function* compilation(
  plan: Plan,
  view: GraphView,
  parameters: Parameters,
  { generic, paged, spills }: CodeForm,
): Generator<void, Compilation, void> {
  const cg = new Codegen({
    view,
    generic,
    paged,
    parameters,
    variableTypes: plan.variableTypes,
    profile: plan.mode === 'profile',
    root: plan.root,
    partitioned: plan.partitioned ?? null,
    spills,
  });
  const names = plan.columns.map((column) => column.variable);
  const out = cg.f.hoistVariable('out', 'out', '[]');
  if (generic && !paged && !spills && !cg.profile) yield* writeInputs(cg, plan.root, names);
  produce(cg, plan.root, new Map(), new Set(names), (environment) => {
    if (paged && names.length > 0) cg.f.open('if (!restarts.skips()) {');
    const values = names.map((name) => {
      const typed = environment.get(name);
      assert(typed !== undefined, `the plan does not bind the column ${name}`);
      const value = toValue(typed);
      if (plan.partitioned !== undefined) return value;
      if (typed.type === 'node' || typed.type === 'relationship') return `results.value(${value})`;
      if (typed.type !== 'any') return value;
      cg.holds();
      const local = cg.f.local('x', value);
      return `results.isLong(${local}) ? yield* results.longValue(${local}) : results.value(${local})`;
    });
    if (names.length === 0) return;
    const row = cg.f.local('r', `[${values.join(', ')}]`);
    const columns = names.map((name) => environment.get(name)!);
    if (paged) cg.f.open('if (restarts.takes()) {');
    cg.f.emit(`${out}.push(${row});`);
    cg.f.emit(`if (${out}.length >= ${BATCH_ROWS}${orIsLong(columns, row)}) { yield ${out}; ${out} = []; }`);
    if (paged) cg.f.close();
    if (paged) cg.f.close();
  });
  if (plan.writes) cg.finishWrites();
  cg.f.atEnd(`if (${out}.length > 0) yield ${out};`);
  const source = yield* cg.source();
  yield;
  const run = loadStatementFunction(source, library);
  cg.shape.forgetView();
  return { compiled: { run, constants: cg.constants, source, profiled: cg.profiled }, shape: cg.shape, types: cg.parameterTypes };
}
