/**
 * Text of one generated function: a prologue that binds what does not change while it runs, and a body of nested blocks.
 *
 * `memo` keeps a derived local (the row of a node, say) for the rest of the block in which it was made and the blocks
 * inside it, so that code that needs it twice computes it once, and code outside that block never reads a name that is
 * out of scope.
 *
 * `later` puts a local off until a line needs it: what a row that is turned away does not need is not read for it, and
 * what nobody needs is never read (late materialisation). It is written as far inside as the first line goes that names
 * it, but never inside a loop that began after it: what is the same on every turn is read once.
 */

import { countWork } from '../../base/index.ts';
import { RUNTIME_PARTS } from '../runtime/runtime-parts.ts';

/** Text, or a function that gives it once everything has been compiled. */
type Line = string | (() => string);

interface Block {
  readonly memo: Map<string, unknown>;
  /** The locals that were put off and are written in this block by now. */
  readonly written: Set<string>;
  /** Lines before it, if it may run more than once. */
  readonly ahead: Line[] | null;
  /** Code inside may leave it, and the loops in it, by `break`. */
  readonly isLabelled?: boolean;
  /** Its code may run more than once. */
  readonly repeats?: boolean;
  /** Few rows get inside. */
  readonly isRare?: boolean;
  /** Which line opened it. */
  readonly begin?: number;
  /** The counter of its first line. */
  counter?: string;
  /** Lines that stand first on each turn, where it may run more than once. */
  readonly head?: Line[];
  /** It is a function of its own. */
  readonly isFunction?: boolean;
  /** JavaScript for the bytes that were held before it, where values are made inside that are held for one turn. */
  held?: string;
  /** Each turn begins with a look whether others should run. */
  rests?: boolean;
  readonly loop?: Loop;
}

/** The list that a loop over neighbours goes along. */
interface LoopList {
  /** The local that changes from turn to turn: the element of the list. */
  readonly binds: string;
  /** The list is this array from the position in one local, which the loop moves on, to below that in the other. */
  readonly array: string;
  readonly position: string;
  readonly end: string;
  /** Elements of all such lists in which this local holds the same are different ones; absent: they need not be. */
  readonly run?: string;
}

/** The rows that a loop over a table goes along: from row `first` to below `end`, both locals; some of them may be passed over. */
export interface LoopRows {
  /** The local with the row. */
  readonly row: string;
  readonly first: string;
  readonly end: string;
  /** The local with the node. */
  readonly node: string;
  /** JavaScript for the ordinal of a row. Later rows have greater ones. */
  ordinalOf(row: string): string;
}

/** And what is to be done once for all of them, before and after. */
interface Loop {
  /** null: it goes along rows of tables. */
  readonly list: LoopList | null;
  /** Which tables' rows it goes along, in one run of the function or one of the code around; null: not known. */
  readonly tables: readonly number[] | null;
  /** null: not known, or in no order. */
  readonly rows: LoopRows | null;
  readonly before: Line[];
  readonly after: Line[];
  /** Where its first line stands. */
  readonly begin: number;
}

interface PutOff {
  readonly code: string;
  /** The depth of the block in which it could have been written. */
  readonly depth: number;
}

/** Lines that were written aside. */
interface Captured {
  readonly lines: Line[];
  readonly written: ReadonlySet<string>;
}

const NAMES = /[A-Za-z]+\d+/g;
/** `if` one number of a local or an array is less than another, or the like: the indentation, and the comparison in parentheses. */
const COMPARISON = /^( *)if \((\((?:\w+|\w+\[\w+\]) (?:<|<=|>|>=|===|!==) (?:\w+|\w+\[\w+\])\))\) \{$/;
/** Calls of operators over values of any size, and of changes, which count their work. */
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
  /** Lines are written away from where they are made: no local can be written before them. */
  private isAway = false;
  private readonly hoisted = new Map<string, string>();
  private readonly anchors = new Map<string, { readonly late: string[]; readonly depth: number }>();
  private readonly freshName: (prefix: string) => string;
  /** Loops may be left in their middle and begun again: nothing is put before or behind them. */
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
   * Counts what gets here by one. Where that is all that is done with what a comparison lets through, its outcome is
   * added instead: which way such a jump goes, the processor guesses wrong as often as not.
   */
  increment(counter: string): void {
    const block = this.blocks[this.blocks.length - 1]!;
    if (this.lines.length - 1 === block.begin) block.counter = counter;
    this.emit(`${counter} += 1;`);
  }

  /** The block that ends here is a comparison and a count, and is one line now. */
  private isCounted({ begin, counter }: Block): boolean {
    if (begin === undefined || counter === undefined || this.lines.length !== begin + 2) return false;
    const header = this.lines[begin];
    const test = typeof header === 'string' ? COMPARISON.exec(header) : null;
    if (test === null) return false;
    this.lines.splice(begin, 2, `${test[1]}${counter} += +${test[2]};`);
    return true;
  }

  /** A line whose text is known only when the whole function has been compiled. */
  emitLater(line: () => string): void {
    const indent = '  '.repeat(this.blocks.length);
    this.lines.push(() => indent + this.withCode(line()));
  }

  /** `open('for (…) {')` … `close()`. */
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

  /** A loop that `aroundLoop` and `aroundLoopOf` know of; `closeLoop` ends it. */
  openLoop(header: string, list: LoopList | null, tables: readonly number[] | null = null, rows: LoopRows | null = null): void {
    const ahead = this.ahead();
    const before: Line[] = [];
    this.lines.push(() => textOf(before));
    this.emit(header);
    const head = this.ahead();
    const loop: Loop = { list, tables, rows, before, after: [], begin: this.lines.length };
    this.blocks.push({ memo: new Map(), written: new Set(), ahead, head, loop });
  }

  /** A loop whose values are held for one turn each, beside what the expression tells. */
  openHolding(header: string, held: string): void {
    this.open(header);
    this.emit(`memory.held = ${held};`);
    this.blocks[this.blocks.length - 1]!.held = held;
  }

  /** Values that are made here and may be large are held until the innermost loop or function around begins its next turn, or has ended. */
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
   * Functions that count their work are called here: where they have used up the slice of time, the innermost loop
   * around that can give way does so on its next turn. Code of functions within this one cannot.
   */
  restInLoop(): void {
    const nested = this.blocks.findIndex(({ isFunction }) => isFunction === true);
    const around = nested < 0 ? this.blocks : this.blocks.slice(0, nested);
    const block = around.findLast(({ head }) => head !== undefined);
    if (block === undefined || block.rests === true) return;
    block.rests = true;
    block.head!.push('if (limits.mustRest && limits.tick()) yield null;');
  }

  /** The memory held before the innermost block; null: it makes no large values. */
  get heldBefore(): string | null {
    return this.blocks[this.blocks.length - 1]!.held ?? null;
  }

  closeLoop(): void {
    const { after } = this.blocks[this.blocks.length - 1]!.loop!;
    this.close();
    this.lines.push(() => textOf(after));
  }

  /**
   * Writes before and after the innermost of such loops; false where there is none within the block at `depth` (outside
   * of it, what the lines name may not be known), or code might leave it by another way than its end.
   */
  aroundLoop(depth: number, before: string, after: string): boolean {
    const at = this.blocks.findLastIndex((block) => block.loop !== undefined);
    if (at < depth || this.isLabelled) return false;
    const { loop } = this.blocks[at]!;
    this.outside(at, loop!.before, () => this.emit(before));
    this.outside(at, loop!.after, () => this.emit(after));
    return true;
  }

  /** Opens a block that few rows get into: what is inside is not worth work for all elements of a loop around it. */
  openRare(header: string): void {
    this.open(header);
    this.blocks.push({ ...this.blocks.pop()!, isRare: true });
  }

  /**
   * Writes before and after the loop that changes `name`, as `aroundLoop`; false also where locals that are made at the
   * anchor of `known` are not there yet, or few turns of the loop get here.
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

  /** Writes before the loop over rows that gives this node, if no other loop lies between; else false. */
  beforeRowsOf(node: string, write: (rows: LoopRows) => void): boolean {
    const at = this.blocks.findLastIndex((block) => block.loop !== undefined || block.repeats === true);
    const loop = this.blocks[at]?.loop;
    if (loop?.rows?.node !== node || this.restarts) return false;
    this.outside(at, loop.before, () => write(loop.rows!));
    return true;
  }

  /**
   * Writes before the innermost block, which then does not run, where that is a loop that changes `name`, over a run,
   * and has no lines yet; else false.
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

  /** This runs once at most for each row of a morsel, before what `aroundLoop` writes after it. */
  get isInRowLoop(): boolean {
    const at = this.blocks.findLastIndex((block) => block.loop !== undefined || block.repeats === true);
    return this.blocks[at]?.loop?.list === null;
  }

  /** The tables of whose rows each gets here once at most in one run of the function; null: not known. */
  get tablesOfRows(): readonly number[] | null {
    const loops = this.blocks.filter((block) => block.loop !== undefined);
    const tables = this.isInRowLoop && loops.length === 1 ? loops[0]!.loop!.tables : null;
    // Around the rows are the loop over morsels, and that over tables where there are several.
    const around = this.blocks.filter((block) => block.repeats === true).length;
    return tables !== null && around === (tables.length === 1 ? 1 : 2) ? tables : null;
  }

  private get isLabelled(): boolean {
    return this.restarts || this.blocks.some((block) => block.isLabelled === true);
  }

  /** Writes as if outside of the block at that depth: nothing that was made inside is known. */
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

  /** A line that belongs to the block before it: no local can stand between. */
  private tail(line: string): void {
    this.lines.push('  '.repeat(this.blocks.length) + this.withCode(line));
  }

  /** `} else {` and the like: a new block after the one that ends. */
  reopen(header: string): void {
    this.blocks.pop();
    this.tail(header);
    this.blocks.push({ memo: new Map(), written: new Set(), ahead: null });
  }

  /** A place after the name was given its value, for lines that are found out further down. */
  anchor(name: string): void {
    const late: string[] = [];
    const indent = '  '.repeat(this.blocks.length);
    this.anchors.set(name, { late, depth: this.blocks.length });
    this.lines.push(() => late.map((line) => indent + this.withCode(line)).join('\n'));
  }

  /** Writes lines behind where `name` was given its value; false when that place is not known. */
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

  /** A local that is written where it is first needed, if it is. Its code must give the same at any later time, and never fail. */
  later(prefix: string, code: string): string {
    const name = this.freshName(prefix);
    this.laterAs(name, code);
    return name;
  }

  laterAs(name: string, code: string): void {
    this.putOff.set(name, { code, depth: this.blocks.length });
  }

  /** The line, behind the locals that it names and that were put off. */
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

  /** The line with the code of what was put off in the place of its names. */
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

  /** A local bound once, before the body. Equal keys share one. */
  hoist(key: string, prefix: string, code: string): string {
    let name = this.hoisted.get(key);
    if (name === undefined) {
      name = this.freshName(prefix);
      this.hoisted.set(key, name);
      this.prologue.push(`  const ${name} = ${code};`);
    }
    return name;
  }

  /** A mutable local of the whole function. */
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

  /** Runs `write` and hands back the lines it wrote instead of keeping them. They may be put in the same place by `append`. */
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

  /** The whole function. Of the parts of the runtime `rt`, it binds those that its lines name. */
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
