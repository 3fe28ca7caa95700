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

/** Fewer than until the first look. */
const STEPS_TOGETHER = 32;
/** Steps that a call of a pipeline counts for: as many as are done before a statement first looks at the clock. */
const PIPELINE_STEPS = 64;
/** A Map takes 0 and -0 for the same. */
const MINUS_ZERO = Symbol('-0');

/** The values of variables at a place in the generated code. */
export type Environment = ReadonlyMap<string, Typed>;

/** Writes the code of the consumer of an operator's rows. */
export type Consume = (environment: Environment) => void;

/** The options of a compilation. */
export interface CodegenOptions {
  readonly view: GraphView;
  readonly generic: boolean;
  /** Parts of the view are read by page: the code can go on with a row once what it missed has been read. */
  readonly paged: boolean;
  readonly parameters: ReadonlyMap<string, Value>;
  readonly variableTypes: BoundStatement['variableTypes'];
  readonly profile: boolean;
  readonly root: Operator;
  /** The scan of which other threads take their shares; null: there is none. */
  readonly partitioned: Operator | null;
  /** Operators that can write to files what they hold. */
  readonly spills: boolean;
}

/** The state of one compilation. */
export class Codegen {
  readonly shape: Shape;
  readonly generic: boolean;
  /** See `CodegenOptions`. */
  readonly paged: boolean;
  readonly profile: boolean;
  /** Those that were asked for: the code is right for other parameters of these types too. */
  readonly parameterTypes = new Map<string, StaticType>();
  readonly variableTypes: BoundStatement['variableTypes'];
  /** Which properties of which variables the plan reads. */
  readonly properties: ReadonlyMap<string, ReadonlySet<string>>;
  readonly partitioned: Operator | null;
  private readonly mayWriteFiles: boolean;
  /** The values that scans look for, by scan. */
  readonly lookups: ReadonlyMap<Operator, readonly ScannedLookup[]>;
  readonly constants: unknown[] = [];
  /** Positions of the constants that are no objects. */
  private readonly places = new Map<unknown, number>();
  readonly functions: FunctionBuilder[] = [];
  /** Operators in the order of their profile counters. */
  readonly profiled: Operator[] = [];
  /** The operator whose code is written; -1: the rows of the result. */
  profiledNow = -1;
  f: FunctionBuilder;
  private readonly parameters: ReadonlyMap<string, Value>;
  private names = 0;
  private stateFields = 0;
  private closures = 0;
  /** Functions whose source of rows, or whose sink, is around what is written. */
  private readonly inSource = new Set<FunctionBuilder>();
  private readonly inSink = new Set<FunctionBuilder>();
  private readonly ended = new Set<Operator>();
  /** Inputs of operators at the top of the statement that have their code already (`writeInputs`). */
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

  /** The name of a value that the generated code must not contain as text. */
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

  /** A property key as the runtime looks it up: by id, found once it exists. */
  keyReference(name: string): string {
    const constant = this.constant(name);
    return this.f.hoist(`key:${name}`, 'key', `reads.keyReference(${constant})`);
  }

  get viewName(): string {
    // A batch of CALL … IN TRANSACTIONS begins a new transaction, with a view of its own.
    if (this.generic) return 'graph.view';
    return this.f.hoist('view', 'view', 'graph.view');
  }

  /** A field of the view that does not change under specialised code. */
  viewField(field: string): string {
    if (this.generic) return `${this.viewName}.${field}`;
    return this.f.hoist(`view.${field}`, 'v', `${this.viewName}.${field}`);
  }

  nodeTable(index: number): string {
    return this.f.hoist(`table:${index}`, 't', `${this.viewName}.nodeTables[${index}]`);
  }

  /**
   * Writes an ordinary function, which cannot give way, and the value that it returns. Large values that it makes are
   * its own: they are not held once it has returned.
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

  /** Sorts an array of rows that take so many bytes together; where it can, in pieces between which others run. */
  sortRows(rows: string, compare: string, bytes: string): string {
    const call = `(${rows}, ${compare}, { limits, bytes: ${bytes} });`;
    return this.closures > 0 ? `sortAtOnce${call}` : `yield* sortRows${call}`;
  }

  /** Makes an accumulator sort what it keeps. */
  finish(accumulators: string): void {
    this.f.emit(this.closures > 0 ? `${accumulators}.finishAtOnce(limits);` : `yield* ${accumulators}.finish(limits);`);
  }

  /** Code here can give way. */
  get givesWay(): boolean {
    return this.closures === 0;
  }

  /** The runtime looked up from its work, and found that others should run. */
  rest(): string {
    return this.closures > 0 ? '' : 'yield null;';
  }

  /** Operators here are to be such as can write what they hold to files: they give way as they do so, which no closure can. */
  get spills(): boolean {
    return this.mayWriteFiles && this.closures === 0;
  }

  /**
   * Whether the rows of the operator, whose state each row changes, are to be kept before they go on: at the top of
   * code that reads pages, what happens to a row behind a change of state could not begin again. The first call for an
   * operator tells.
   */
  endsPipeline(operator: Operator): boolean {
    const { kind } = operator;
    if (this.closures > 0 || (kind !== 'distinct' && kind !== 'skip' && kind !== 'limit') || this.ended.has(operator)) return false;
    this.ended.add(operator);
    return true;
  }

  /** Nothing around, in this function, gives rows. */
  get isOutermost(): boolean {
    return this.closures === 0 && !this.inSource.has(this.f);
  }

  /** Rows of the source of this function come here, and have not entered its sink. */
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

  /** Counts work that comes next, and offers to be interrupted when enough was done (Q3, S2). */
  work(amount: string): void {
    if (this.closures > 0) this.workInside(amount);
    else if (amount === '1') {
      // Single steps are counted together, in a local.
      const counter = this.f.hoistVariable('work', 'w', '0');
      const many = STEPS_TOGETHER;
      this.f.emit(`if (--${counter} < 0) { ${counter} = ${many - 1}; if ((limits.left -= ${many}) < 0 && limits.tick()) yield null; }`);
    } else this.f.emit(`if ((limits.left -= ${amount}) < 0 && limits.tick()) yield null;`);
  }

  /** Counts work in the middle of a row, where no code gives way: what counts the next row does. */
  workInside(amount: string): void {
    this.f.restInLoop();
    this.workInRun(amount);
  }

  /** Counts work in a loop of few turns, within which nothing gives way either: V8 keeps the locals of a loop with a `yield` in memory. */
  workInRun(amount: string): void {
    this.f.emit(`if ((limits.inside -= ${amount}) < 0) limits.look();`);
  }

  /** An expression that is written here makes values that may be large: they are held until the innermost loop around begins anew. */
  holds(): void {
    this.f.holdInLoop();
    // What makes them counts its work.
    this.f.restInLoop();
  }

  /** A name for state that a pipeline leaves for a later one. */
  state(): string {
    return `S.s${++this.stateFields}`;
  }

  /** Writes `body`, which yields rows, as a generator of its own, and answers a call of it. */
  rowsOf(body: () => void): string {
    return `${this.functionOf(body)}(rt, C, S)`;
  }

  /** Writes `body` as a function of its own, called here. Its environment is empty, as that of `functionOf`. */
  pipeline(body: () => void): void {
    this.runPipeline(this.functionOf(body));
  }

  /**
   * Calls the function of a pipeline. V8 compiles it at its first call, which takes up to a millisecond: where each of
   * hundreds runs the one before it, the statement looks at the clock on its way to the first of them.
   */
  runPipeline(name: string): void {
    this.work(String(PIPELINE_STEPS));
    this.f.emit(`yield* ${name}(rt, C, S);`);
  }

  /** Writes `body` as a function of its own, and answers its name. Its environment is empty: it sees nothing of the caller but S. */
  functionOf(body: () => void): string {
    const caller = this.f;
    const callee = this.newFunction();
    this.f = callee;
    body();
    this.f = caller;
    return callee.name;
  }

  /** Indexes of the node tables whose label set satisfies the expression; null when that is not known before it runs. */
  tablesOf(labels: LabelExpression): number[] | null {
    return this.generic ? null : this.shape.tablesOf(labels);
  }

  /** Writes the end of a statement that writes: what it left behind is checked. */
  finishWrites(): void {
    this.f.atEnd('yield* writes.finish();');
  }

  /** The text of all functions, and a call of the first; a piece of work for each. */
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

/** The static type of a parameter's value; one that is not given has none. */
export function typeOfParameter(value: Value | undefined): StaticType {
  if (value === null) return 'null';
  if (typeof value === 'boolean') return 'boolean';
  if (typeof value === 'string') return 'string';
  return typeof value === 'bigint' || Number.isSafeInteger(value) ? 'integer' : 'any';
}
