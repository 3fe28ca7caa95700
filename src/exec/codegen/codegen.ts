/**
 * The state of one compilation: the functions being written, the constants they refer to, and what the compiler may assume of the store.
 *
 * Two modes. *Specialised*: the statement only reads; the code is made for the shape of the view (tables, column kinds,
 * absence of nulls, of ended rows, of logs) and used only for views of that shape (see `Shape`); arrays are bound once,
 * in the prologue. *Generic*: the statement writes; every access asks the view at the moment it runs.
 */
import type { BoundStatement, LabelExpression } from '../../cypher/index.ts';
import type { GraphView } from '../../graph/index.ts';
import { type Operator, type ScannedLookup, scannedLookups } from '../../plan/index.ts';
import type { Value } from '../../value/index.ts';
import { FunctionBuilder } from './function-builder.ts';
import type { WrittenEager } from './operators/breakers.ts';
import { propertiesIn } from './properties-read.ts';
import { Shape } from './shape.ts';
import type { StaticType, Typed } from './typed.ts';

/** Single steps that are counted together; fewer than a statement takes until it first looks at the clock. */
const STEPS_TOGETHER = 32;
/** Steps that a call of a pipeline counts for: as many as are done before a statement first looks at the clock. */
const PIPELINE_STEPS = 64;
/** The key of -0 in the map of constants: a Map does not tell it from 0. */
const MINUS_ZERO = Symbol('-0');

/** The values of variables at a place in the generated code. */
export type Environment = ReadonlyMap<string, Typed>;

/** Writes the code of the consumer of an operator's rows. */
export type Consume = (environment: Environment) => void;

/** The options of a compilation. */
export interface CodegenOptions {
  readonly view: GraphView;
  readonly generic: boolean;
  /** True when parts of the view are read by page: the code goes on with a row once the pages that it missed have been read. */
  readonly paged: boolean;
  readonly parameters: ReadonlyMap<string, Value>;
  readonly variableTypes: BoundStatement['variableTypes'];
  readonly profile: boolean;
  readonly root: Operator;
  /** The scan whose morsels several threads share; null when there is none. */
  readonly partitioned: Operator | null;
  /** True when operators are compiled in the form that can spill. */
  readonly spills: boolean;
}

/** The state of one compilation. */
export class Codegen {
  readonly shape: Shape;
  readonly generic: boolean;
  /** See `CodegenOptions`. */
  readonly paged: boolean;
  readonly profile: boolean;
  /** The static types of the parameters that the code depends on: it is correct for all parameters of these types. */
  readonly parameterTypes = new Map<string, StaticType>();
  readonly variableTypes: BoundStatement['variableTypes'];
  /** Which properties of which variables the plan reads. */
  readonly properties: ReadonlyMap<string, ReadonlySet<string>>;
  readonly partitioned: Operator | null;
  private readonly mayWriteFiles: boolean;
  /** The equalities that scans look for, by scan. */
  readonly lookups: ReadonlyMap<Operator, readonly ScannedLookup[]>;
  readonly constants: unknown[] = [];
  /** Positions in `constants` of the values that are no objects: equal ones share a position. */
  private readonly places = new Map<unknown, number>();
  readonly functions: FunctionBuilder[] = [];
  /** Operators in the order of their profile counters. */
  readonly profiled: Operator[] = [];
  /** The index in `profiled` of the operator whose code is being written; -1 for the code that consumes the rows of the result. */
  profiledNow = -1;
  f: FunctionBuilder;
  private readonly parameters: ReadonlyMap<string, Value>;
  private names = 0;
  private stateFields = 0;
  private closures = 0;
  /** Functions inside whose source of rows (`inSource`), or inside whose sink (`inSink`), code is being written. */
  private readonly inSource = new Set<FunctionBuilder>();
  private readonly inSink = new Set<FunctionBuilder>();
  private readonly ended = new Set<Operator>();
  /** Inputs of `eager` operators at the top of the statement, whose code `writeInputs` has written. */
  readonly written = new Map<Operator, WrittenEager>();

  constructor(options: CodegenOptions) {
    this.shape = new Shape(options.view);
    this.generic = options.generic;
    this.paged = options.paged;
    this.partitioned = options.partitioned;
    this.mayWriteFiles = options.spills;
    this.profile = options.profile;
    this.parameters = options.parameters;
    this.variableTypes = options.variableTypes;
    this.properties = propertiesIn(options.root);
    this.lookups = scannedLookups(options.root);
    this.f = this.newFunction();
  }

  newFunction(): FunctionBuilder {
    const f = new FunctionBuilder(`pipeline${this.functions.length}`, (prefix) => this.fresh(prefix), this.paged);
    this.functions.push(f);
    return f;
  }

  fresh(prefix: string): string {
    return `${prefix}${++this.names}`;
  }

  /** Returns the local with a value that must not stand in the text of the generated code. */
  constant(value: unknown): string {
    const isShared = typeof value !== 'object' || value === null;
    const key = Object.is(value, -0) ? MINUS_ZERO : value;
    let index = isShared ? this.places.get(key) : undefined;
    if (index === undefined) {
      index = this.constants.push(value) - 1;
      if (isShared) this.places.set(key, index);
    }
    return this.f.hoist(`constant:${index}`, 'c', `C[${index}]`);
  }

  parameterType(name: string): StaticType {
    const type = typeOfParameter(this.parameters.get(name));
    this.parameterTypes.set(name, type);
    return type;
  }

  parameter(name: string): string {
    const constant = this.constant(name);
    return this.f.hoist(`parameter:${name}`, 'p', `rt.parameter(${constant})`);
  }

  /** Returns a local with the reference by which the runtime looks up a property key. */
  keyReference(name: string): string {
    const constant = this.constant(name);
    return this.f.hoist(`key:${name}`, 'key', `reads.keyReference(${constant})`);
  }

  get viewName(): string {
    // A batch of CALL … IN TRANSACTIONS begins a new transaction, with a view of its own.
    if (this.generic) return 'graph.view';
    return this.f.hoist('view', 'view', 'graph.view');
  }

  /** Returns JavaScript for a field of the view, which specialised code reads once, in its prologue. */
  viewField(field: string): string {
    if (this.generic) return `${this.viewName}.${field}`;
    return this.f.hoist(`view.${field}`, 'v', `${this.viewName}.${field}`);
  }

  nodeTable(index: number): string {
    return this.f.hoist(`table:${index}`, 't', `${this.viewName}.nodeTables[${index}]`);
  }

  /**
   * Writes an ordinary function, which cannot yield the thread; `body` writes its lines and returns JavaScript for its
   * result. Large values that it makes are no longer held once it has returned.
   */
  closure(header: string, body: () => string): void {
    this.f.open(header);
    this.closures++;
    const result = body();
    this.closures--;
    const held = this.f.heldBefore;
    if (held === null) this.f.emit(`return ${result};`);
    else {
      const answer = this.f.local('answer', result);
      this.f.emit(`memory.held = ${held};`);
      this.f.emit(`return ${answer};`);
    }
    this.f.close('};');
  }

  /** Returns a line that sorts an array of rows of `bytes` bytes together; outside of closures, other statements run in between. */
  sortRows(rows: string, compare: string, bytes: string): string {
    const call = `(${rows}, ${compare}, { limits, bytes: ${bytes} });`;
    return this.closures > 0 ? `sortAtOnce${call}` : `yield* sortRows${call}`;
  }

  /** Writes a line that makes an accumulator, or the first rows of a sort, put into order what they keep. */
  finish(accumulators: string): void {
    this.f.emit(this.closures > 0 ? `${accumulators}.finishAtOnce(limits);` : `yield* ${accumulators}.finish(limits);`);
  }

  /** Whether code written here can yield the thread: code of a closure cannot. */
  get givesWay(): boolean {
    return this.closures === 0;
  }

  /** Returns a line that lets other statements run, for when the runtime asks for it; empty in a closure, which cannot. */
  rest(): string {
    return this.closures > 0 ? '' : 'yield null;';
  }

  /** Whether operators written here can spill. They yield the thread while they do so, which a closure cannot. */
  get spills(): boolean {
    return this.mayWriteFiles && this.closures === 0;
  }

  /**
   * Whether the rows of a `distinct`, `skip` or `limit` are to be kept before they go on: true at the first call for
   * the operator outside of closures. Each row changes the state of these operators, so in code that reads pages
   * nothing behind them could begin again with a row.
   */
  endsPipeline(operator: Operator): boolean {
    const { kind } = operator;
    if (this.closures > 0 || (kind !== 'distinct' && kind !== 'skip' && kind !== 'limit') || this.ended.has(operator)) return false;
    this.ended.add(operator);
    return true;
  }

  /** Whether the code that is being written lies in no source of rows of this function, and in no closure. */
  get isOutermost(): boolean {
    return this.closures === 0 && !this.inSource.has(this.f);
  }

  /** Whether the code that is being written lies inside the source of rows of this function, and not inside its sink. */
  get isAtSink(): boolean {
    return this.closures === 0 && this.inSource.has(this.f) && !this.inSink.has(this.f);
  }

  /** Marks the code that is written as part of this function's source, until the returned function is called. */
  enterSource(): () => void {
    return entered(this.inSource, this.f);
  }

  /** Marks the code that is written as part of this function's sink, until the returned function is called. */
  enterSink(): () => void {
    return entered(this.inSink, this.f);
  }

  /** Counts the steps of the work that comes next, and yields when the statement should let others run (Q3, S2). */
  work(amount: string): void {
    if (this.closures > 0) this.workInside(amount);
    else if (amount === '1') {
      // Single steps are counted together, in a local.
      const counter = this.f.hoistVariable('work', 'w', '0');
      const many = STEPS_TOGETHER;
      this.f.emit(`if (--${counter} < 0) { ${counter} = ${many - 1}; if ((limits.left -= ${many}) < 0 && limits.tick()) yield null; }`);
    } else this.f.emit(`if ((limits.left -= ${amount}) < 0 && limits.tick()) yield null;`);
  }

  /** Counts steps in the middle of a row, where no code yields the thread; the enclosing loop does so on its next turn. */
  workInside(amount: string): void {
    this.f.restInLoop();
    this.workInRun(amount);
  }

  /** Counts steps in a loop of few turns, which must not yield either: V8 keeps the locals of a loop with a `yield` in memory. */
  workInRun(amount: string): void {
    this.f.emit(`if ((limits.inside -= ${amount}) < 0) limits.look();`);
  }

  /** Notes that code written here makes values that may be large: they are held until the innermost loop around it begins anew. */
  holds(): void {
    this.f.holdInLoop();
    // The functions that make large values count their work.
    this.f.restInLoop();
  }

  /** Returns a new field of S, in which a pipeline leaves state for a later one. */
  state(): string {
    return `S.s${++this.stateFields}`;
  }

  /** Writes `body`, which yields rows, as a generator function of its own, and returns a call of that function. */
  rowsOf(body: () => void): string {
    return `${this.functionOf(body)}(rt, C, S)`;
  }

  /** Writes `body` as a function of its own, and a call of it here. Its environment is empty, as in `functionOf`. */
  pipeline(body: () => void): void {
    this.runPipeline(this.functionOf(body));
  }

  /**
   * Writes a call of a pipeline. V8 compiles its function at the first call, which takes up to a millisecond: each call
   * counts steps, so that a statement of hundreds of nested pipelines looks at the clock between them.
   */
  runPipeline(name: string): void {
    this.work(String(PIPELINE_STEPS));
    this.f.emit(`yield* ${name}(rt, C, S);`);
  }

  /** Writes `body` as a function of its own, and returns its name. Its environment is empty: it sees no local of its caller. */
  functionOf(body: () => void): string {
    const caller = this.f;
    const callee = this.newFunction();
    this.f = callee;
    body();
    this.f = caller;
    return callee.name;
  }

  /** Returns the indexes of the node tables whose label set satisfies the expression; null when only the running code knows them. */
  tablesOf(labels: LabelExpression): number[] | null {
    return this.generic ? null : this.shape.tablesOf(labels);
  }

  /** Writes the end of a statement that writes: a check that no relationship has lost one of its nodes. */
  finishWrites(): void {
    this.f.atEnd('yield* writes.finish();');
  }

  /** Returns the text of all functions, and of a call of the first one; yields after each function, so that work can be done in pieces. */
  *source(): Generator<void, string, void> {
    const texts: string[] = [];
    for (const f of this.functions) {
      texts.push(f.text('rt, C, S'));
      yield;
    }
    return `${texts.join('\n\n')}\n\nreturn (rt, C) => ${this.functions[0]!.name}(rt, C, {});`;
  }
}

function entered(functions: Set<FunctionBuilder>, f: FunctionBuilder): () => void {
  functions.add(f);
  return () => void functions.delete(f);
}

/** Returns the static type of a parameter's value: `any` unless it is null, a boolean, a string or an integer, or when it is absent. */
export function typeOfParameter(value: Value | undefined): StaticType {
  if (value === null) return 'null';
  if (typeof value === 'boolean') return 'boolean';
  if (typeof value === 'string') return 'string';
  return typeof value === 'bigint' || Number.isSafeInteger(value) ? 'integer' : 'any';
}
