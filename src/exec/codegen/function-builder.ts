/**
 * Builds the text of one generated function: a prologue that binds what does not change, and a body of nested blocks.
 *
 * `memo` keeps a derived local (the row of a node, say) for the rest of the block in which it was made and the blocks
 * inside it, so that code that needs it twice computes it once, and code outside that block never reads a name that is
 * out of scope.
 *
 * `later` puts a local off until a line needs it, so that it is not read for rows that a filter rejects (late
 * materialisation). It is declared as far inside as the first line that names it, but never inside a loop that began
 * after `later` was called: what is the same on every turn is read once.
 */

import { countWork } from '../../base/index.ts';
import { RUNTIME_PARTS } from '../runtime/runtime-parts.ts';

/** A line of text, or a function that returns it once the whole function has been compiled. */
type Line = string | (() => string);

interface Block {
  readonly memo: Map<string, unknown>;
  /** Locals of `later` that are declared in this block. */
  readonly written: Set<string>;
  /** Lines in front of the block, if it may run more than once; else null. */
  readonly ahead: Line[] | null;
  /** True when code inside may leave the block, and the loops in it, by `break` with its label. */
  readonly isLabelled?: boolean;
  /** True when the block is a `for` or `while` loop that was opened by `open`. */
  readonly repeats?: boolean;
  /** True when few rows enter the block. */
  readonly isRare?: boolean;
  /** The index of the line that opened the block. */
  readonly begin?: number;
  /** The counter that the first line of the block increments, if it does. */
  counter?: string;
  /** Lines at the beginning of each turn, if the block may run more than once. */
  readonly head?: Line[];
  /** True when the block is the body of a function inside the generated one. */
  readonly isFunction?: boolean;
  /** JavaScript for the bytes that were held before the block, if code inside makes values that are held for one turn. */
  held?: string;
  /** True when each turn begins with a test whether other statements should run. */
  rests?: boolean;
  readonly loop?: Loop;
}

/** The list that a loop over neighbours, or over the ends of a walk, visits. */
interface LoopList {
  /** The local that changes from turn to turn: the element of the list. */
  readonly binds: string;
  /** The array that holds the list: from the local `position`, which the loop advances, to below the local `end`. */
  readonly array: string;
  readonly position: string;
  readonly end: string;
  /** While this local holds the same value, no element occurs twice in the lists; absent when elements may. */
  readonly run?: string;
}

/** The rows that a loop over a table visits: from row `first` to below `end`, both locals; filters may skip some of them. */
export interface LoopRows {
  /** The local with the row. */
  readonly row: string;
  readonly first: string;
  readonly end: string;
  /** The local with the node. */
  readonly node: string;
  /** Returns JavaScript for the ordinal of a row; later rows have greater ordinals. */
  ordinalOf(row: string): string;
}

/** A loop that lines can be written around: what it visits, and the lines that run once before and after it. */
interface Loop {
  /** The list that the loop visits; null when it visits rows of tables. */
  readonly list: LoopList | null;
  /** The indexes of the tables whose rows the loop, with those around it, visits in one run of the function; null when not known. */
  readonly tables: readonly number[] | null;
  /** The range of rows that the loop visits; null when it is not known, or ordinals do not ascend with the rows. */
  readonly rows: LoopRows | null;
  readonly before: Line[];
  readonly after: Line[];
  /** The index of the first line in the loop. */
  readonly begin: number;
}

interface PutOff {
  readonly code: string;
  /** The depth of the block in which the local was put off. */
  readonly depth: number;
}

/** Lines that `capture` took out, and the locals of `later` that they declare. */
interface Captured {
  readonly lines: Line[];
  readonly written: ReadonlySet<string>;
}

const NAMES = /[A-Za-z]+\d+/g;
/** An `if` that compares two locals or elements of arrays: the indentation, and the comparison in parentheses. */
const COMPARISON = /^( *)if \((\((?:\w+|\w+\[\w+\]) (?:<|<=|>|>=|===|!==) (?:\w+|\w+\[\w+\])\))\) \{$/;
/** Calls that count their own work: of operators over values of any size, and of changes. */
const COUNTING = /\b(?:values|writes)\.\w+\(/;
const REPEATS = /^(\w+: )?(for|while) \(|=> \{$/;

/** Builds the text of a generated function. */
export class FunctionBuilder {
  readonly name: string;
  private readonly prologue: string[] = [];
  private readonly epilogue: string[] = [];
  private lines: Line[] = [];
  private blocks: Block[] = [{ memo: new Map(), written: new Set(), ahead: null }];
  private readonly putOff = new Map<string, PutOff>();
  /** True while lines are written outside of the present block: no local of `later` can be declared in front of them. */
  private isAway = false;
  private readonly hoisted = new Map<string, string>();
  private readonly anchors = new Map<string, { readonly late: string[]; readonly depth: number }>();
  private readonly freshName: (prefix: string) => string;
  /** True when loops may be left midway and begun again: no lines are written around them. */
  private readonly restarts: boolean;

  constructor(name: string, freshName: (prefix: string) => string, restarts = false) {
    this.name = name;
    this.freshName = freshName;
    this.restarts = restarts;
  }

  get depth(): number {
    return this.blocks.length;
  }

  emit(line: string): void {
    countWork(1 + (line.length >> 4));
    const text = this.isAway ? this.withCode(line) : this.withLocals(line);
    if (COUNTING.test(text)) this.restInLoop();
    this.lines.push('  '.repeat(this.blocks.length) + text);
  }

  /**
   * Writes an increment of a counter. Where it is the whole body of an `if` that compares, the outcome of the
   * comparison is added instead: the processor predicts such a branch wrong as often as not.
   */
  increment(counter: string): void {
    const block = this.blocks[this.blocks.length - 1]!;
    if (this.lines.length - 1 === block.begin) block.counter = counter;
    this.emit(`${counter} += 1;`);
  }

  /** Replaces the block that ends here by one line if it only compares and counts; false when it does more. */
  private isCounted({ begin, counter }: Block): boolean {
    if (begin === undefined || counter === undefined || this.lines.length !== begin + 2) return false;
    const header = this.lines[begin];
    const test = typeof header === 'string' ? COMPARISON.exec(header) : null;
    if (test === null) return false;
    this.lines.splice(begin, 2, `${test[1]}${counter} += +${test[2]};`);
    return true;
  }

  /** Writes a line whose text is known only when the whole function has been compiled. */
  emitLater(line: () => string): void {
    const indent = '  '.repeat(this.blocks.length);
    this.lines.push(() => indent + this.withCode(line()));
  }

  /** Opens a block with its first line, such as `for (…) {`; `close` ends it. */
  open(header: string): void {
    const ahead = REPEATS.test(header) ? this.ahead() : null;
    this.emit(header);
    const begin = this.lines.length - 1;
    this.blocks.push({
      memo: new Map(),
      written: new Set(),
      ahead,
      begin,
      ...(ahead === null ? {} : { head: this.ahead(), isFunction: header.endsWith('=> {') }),
      isLabelled: /^\w+: /.test(header),
      repeats: /^(\w+: )?(for|while) /.test(header),
    });
  }

  private ahead(): Line[] {
    const lines: Line[] = [];
    this.lines.push(() => textOf(lines));
    return lines;
  }

  /** Opens a loop that lines can be written around (`aroundLoop`, `aroundLoopOf`, `beforeRowsOf`); `closeLoop` ends it. */
  openLoop(header: string, list: LoopList | null, tables: readonly number[] | null = null, rows: LoopRows | null = null): void {
    const ahead = this.ahead();
    const before: Line[] = [];
    this.lines.push(() => textOf(before));
    this.emit(header);
    const head = this.ahead();
    const loop: Loop = { list, tables, rows, before, after: [], begin: this.lines.length };
    this.blocks.push({ memo: new Map(), written: new Set(), ahead, head, loop });
  }

  /** Opens a loop that sets the held bytes to `held`, which is JavaScript, on each turn and at its end. */
  openHolding(header: string, held: string): void {
    this.open(header);
    this.emit(`memory.held = ${held};`);
    this.blocks[this.blocks.length - 1]!.held = held;
  }

  /** Notes that code here may make large values: held until the innermost loop begins its next turn or ends, or the function returns. */
  holdInLoop(): void {
    const block = this.blocks.findLast(({ ahead }) => ahead !== null);
    if (block === undefined || block.held !== undefined) return;
    block.held = this.freshName('held');
    const mark = `const ${block.held} = memory.held;`;
    if (block.isFunction === true) block.head!.push(mark);
    else {
      block.ahead!.push(mark);
      block.head!.push(`memory.held = ${block.held};`);
    }
  }

  /**
   * Notes that functions which count their work are called here: once they have used up the slice of time, the
   * innermost loop around that can yield the thread does so on its next turn. Code of functions inside this one cannot.
   */
  restInLoop(): void {
    const nested = this.blocks.findIndex(({ isFunction }) => isFunction === true);
    const around = nested < 0 ? this.blocks : this.blocks.slice(0, nested);
    const block = around.findLast(({ head }) => head !== undefined);
    if (block === undefined || block.rests === true) return;
    block.rests = true;
    block.head!.push('if (limits.mustRest && limits.tick()) yield null;');
  }

  /** Returns JavaScript for the bytes held before the innermost block; null when the block makes no large values. */
  get heldBefore(): string | null {
    return this.blocks[this.blocks.length - 1]!.held ?? null;
  }

  closeLoop(): void {
    const { after } = this.blocks[this.blocks.length - 1]!.loop!;
    this.close();
    this.lines.push(() => textOf(after));
  }

  /**
   * Writes before and after the innermost loop of `openLoop`. False, with nothing written, when none lies inside the
   * block at `depth` (outside of it the names may not be known), or code may leave the loop before its end.
   */
  aroundLoop(depth: number, before: string, after: string): boolean {
    const at = this.blocks.findLastIndex((block) => block.loop !== undefined);
    if (at < depth || this.isLabelled) return false;
    const { loop } = this.blocks[at]!;
    this.outside(at, loop!.before, () => this.emit(before));
    this.outside(at, loop!.after, () => this.emit(after));
    return true;
  }

  /** Opens a block that few rows enter: what is inside is not worth work for all elements of a loop around it. */
  openRare(header: string): void {
    this.open(header);
    this.blocks.push({ ...this.blocks.pop()!, isRare: true });
  }

  /**
   * Writes before and after the loop whose element is `name`, like `aroundLoop`; false also when the anchor of `known`
   * does not lie outside of that loop, or few turns of the loop get here.
   */
  aroundLoopOf(name: string, known: string, write: { before(list: LoopList): void; after?(list: LoopList): void }): boolean {
    const at = this.blocks.findIndex((block) => block.loop?.list?.binds === name);
    const anchor = this.anchors.get(known);
    if (at < 0 || anchor === undefined || anchor.depth > at || this.isLabelled) return false;
    if (this.blocks.slice(at).some(({ isRare }) => isRare === true)) return false;
    const { list, before, after } = this.blocks[at]!.loop!;
    this.outside(at, before, () => write.before(list!));
    this.outside(at, after, () => write.after?.(list!));
    return true;
  }

  /** Writes before the loop over rows that binds `node`; false when there is none, or another loop lies between. */
  beforeRowsOf(node: string, write: (rows: LoopRows) => void): boolean {
    const at = this.blocks.findLastIndex((block) => block.loop !== undefined || block.repeats === true);
    const loop = this.blocks[at]?.loop;
    if (loop?.rows?.node !== node || this.restarts) return false;
    this.outside(at, loop.before, () => write(loop.rows!));
    return true;
  }

  /**
   * Writes code in place of the innermost block if that is a loop over a run whose element is `name`, and has no lines
   * yet: the loop then makes no turn. False when it is any other block.
   */
  insteadOfLoop(name: string, write: (list: LoopList, run: string) => void): boolean {
    const { loop } = this.blocks[this.blocks.length - 1]!;
    if (this.restarts || loop?.list?.binds !== name || loop.list.run === undefined || this.lines.length !== loop.begin) return false;
    const { list, before } = loop;
    this.outside(this.blocks.length - 1, before, () => {
      write(list!, list!.run!);
      this.emit(`${list!.position} = ${list!.end};`);
    });
    return true;
  }

  /** Whether the innermost loop is one over rows: code here runs at most once for each row of a morsel. */
  get isInRowLoop(): boolean {
    const at = this.blocks.findLastIndex((block) => block.loop !== undefined || block.repeats === true);
    return this.blocks[at]?.loop?.list === null;
  }

  /** The indexes of the tables of which each row gets here at most once in one run of the function; null when not known. */
  get tablesOfRows(): readonly number[] | null {
    const loops = this.blocks.filter((block) => block.loop !== undefined);
    const tables = this.isInRowLoop && loops.length === 1 ? loops[0]!.loop!.tables : null;
    // The loop over rows lies in the loop over morsels, and that in one over tables where there are several.
    const around = this.blocks.filter((block) => block.repeats === true).length;
    return tables !== null && around === (tables.length === 1 ? 1 : 2) ? tables : null;
  }

  private get isLabelled(): boolean {
    return this.restarts || this.blocks.some((block) => block.isLabelled === true);
  }

  /** Writes as if outside of the block at that depth: no name that was made inside it is used. */
  private outside(depth: number, into: Line[], write: () => void): void {
    const { isAway } = this;
    this.isAway = true;
    this.within(depth, into, write);
    this.isAway = isAway;
  }

  private within(depth: number, into: Line[], write: () => void): void {
    const { lines, blocks } = this;
    this.lines = into;
    this.blocks = blocks.slice(0, depth);
    write();
    this.lines = lines;
    this.blocks = blocks;
  }

  close(tail = '}'): void {
    const block = this.blocks.pop()!;
    if (!this.isCounted(block)) this.tail(tail);
    if (block.held !== undefined && block.isFunction !== true) this.tail(`memory.held = ${block.held};`);
  }

  /** Writes a line that belongs to the block in front of it: no declaration can stand between them. */
  private tail(line: string): void {
    this.lines.push('  '.repeat(this.blocks.length) + this.withCode(line));
  }

  /** Ends the innermost block and begins another one with the same line, such as `} else {`. */
  reopen(header: string): void {
    this.blocks.pop();
    this.tail(header);
    this.blocks.push({ memo: new Map(), written: new Set(), ahead: null });
  }

  /** Marks the place where `name` has got its value, so that `atAnchor` can insert lines there. */
  anchor(name: string): void {
    const late: string[] = [];
    const indent = '  '.repeat(this.blocks.length);
    this.anchors.set(name, { late, depth: this.blocks.length });
    this.lines.push(() => late.map((line) => indent + this.withCode(line)).join('\n'));
  }

  /** Inserts lines at the anchor of `name`; false when it has none. */
  atAnchor(name: string, lines: readonly string[]): boolean {
    const anchor = this.anchors.get(name);
    anchor?.late.push(...lines);
    return anchor !== undefined;
  }

  local(prefix: string, code: string): string {
    const name = this.freshName(prefix);
    this.emit(`const ${name} = ${code};`);
    return name;
  }

  /** Returns a local that is declared where it is first needed, or never. Its code must give the same at any later time, and never fail. */
  later(prefix: string, code: string): string {
    const name = this.freshName(prefix);
    this.laterAs(name, code);
    return name;
  }

  laterAs(name: string, code: string): void {
    this.putOff.set(name, { code, depth: this.blocks.length });
  }

  /** Declares the locals of `later` that a line names, and returns the line. */
  private withLocals(line: string): string {
    if (this.putOff.size > 0) for (const [name] of line.matchAll(NAMES)) this.writeNow(name);
    return line;
  }

  private writeNow(name: string): void {
    const known = this.putOff.get(name);
    if (known === undefined || this.blocks.some(({ written }) => written.has(name))) return;
    const loop = this.blocks.findIndex(({ ahead }, depth) => depth >= known.depth && ahead !== null);
    const write = (): void => {
      this.blocks[this.blocks.length - 1]!.written.add(name);
      this.emit(`const ${name} = ${known.code};`);
    };
    if (loop < 0) write();
    else this.within(loop, this.blocks[loop]!.ahead!, write);
  }

  /** Returns the line with the code of locals of `later` in the place of their names. */
  private withCode(line: string): string {
    if (this.putOff.size === 0) return line;
    return line.replace(NAMES, (name) => {
      const known = this.putOff.get(name);
      return known === undefined ? name : `(${this.withCode(known.code)})`;
    });
  }

  variable(prefix: string, code: string): string {
    const name = this.freshName(prefix);
    this.emit(`let ${name} = ${code};`);
    return name;
  }

  fresh(prefix: string): string {
    return this.freshName(prefix);
  }

  /** Returns a local that is bound once, in the prologue; equal keys share one. */
  hoist(key: string, prefix: string, code: string): string {
    let name = this.hoisted.get(key);
    if (name === undefined) {
      name = this.freshName(prefix);
      this.hoisted.set(key, name);
      this.prologue.push(`  const ${name} = ${code};`);
    }
    return name;
  }

  /** Returns a mutable local of the whole function, initialized in the prologue; equal keys share one. */
  hoistVariable(key: string, prefix: string, code: string): string {
    let name = this.hoisted.get(key);
    if (name === undefined) {
      name = this.freshName(prefix);
      this.hoisted.set(key, name);
      this.prologue.push(`  let ${name} = ${code};`);
    }
    return name;
  }

  atEnd(line: string): void {
    this.epilogue.push(`  ${line}`);
  }

  memo<T = string>(key: string, make: () => T): T {
    const known = this.recall<T>(key);
    if (known !== undefined) return known;
    const name = make();
    this.blocks[this.blocks.length - 1]!.memo.set(key, name);
    return name;
  }

  recall<T>(key: string): T | undefined {
    for (let i = this.blocks.length - 1; i >= 0; i--) {
      const found = this.blocks[i]!.memo.get(key);
      if (found !== undefined) return found as T;
    }
    return undefined;
  }

  /** Runs `write`, and returns its result and its lines, which are not kept; `append` may write them in the same place. */
  capture<T>(write: () => T): Captured & { readonly result: T } {
    const kept = this.lines;
    const written = new Set<string>();
    this.lines = [];
    this.blocks.push({ memo: new Map(), written, ahead: null });
    try {
      const result = write();
      return { result, lines: this.lines, written };
    } finally {
      this.blocks.pop();
      this.lines = kept;
    }
  }

  append({ lines, written }: Captured): void {
    for (const line of lines) this.lines.push(line);
    for (const name of written) this.blocks[this.blocks.length - 1]!.written.add(name);
  }

  /** Returns the text of the whole function. It binds the parts of the runtime `rt` that its lines name, and no others. */
  text(parameters: string): string {
    const body = [...this.prologue, textOf(this.lines), ...this.epilogue, '}'].join('\n');
    const parts = RUNTIME_PARTS.filter((part) => body.includes(part));
    const binding = parts.length === 0 ? '' : `  const { ${parts.join(', ')} } = rt;\n`;
    return `function* ${this.name}(${parameters}) {\n${binding}${body}`;
  }
}

function textOf(lines: readonly Line[]): string {
  return lines
    .map((line) => (typeof line === 'string' ? line : line()))
    .filter((line) => line !== '')
    .join('\n');
}
