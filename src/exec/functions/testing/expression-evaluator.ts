/**
 * For tests of this folder: evaluates Cypher expressions directly with the value layer and the function library,
 * without the compiler. It supports the literals, operators, subscripts, properties and function calls of the TCK's
 * scenarios about expressions, and throws `Unsupported` for anything else.
 */
import {
  add,
  and,
  contains,
  divide,
  endsWith,
  equals,
  greaterThan,
  greaterThanOrEqual,
  isIn,
  lessThan,
  lessThanOrEqual,
  makeFloat,
  makeInteger,
  modulo,
  multiply,
  negate,
  not,
  or,
  power,
  slice,
  startsWith,
  subscript,
  subtract,
  type Value,
  xor,
} from '../../../value/index.ts';
import { type FunctionContext, functions } from '../index.ts';

export class Unsupported extends Error {}

/** A context in which every access to a graph is unsupported, and the clock stands at 2020-01-02T03:04:05Z. */
export const testContext: FunctionContext = {
  graph: new Proxy({} as FunctionContext['graph'], {
    get() {
      throw new Unsupported('graph');
    },
  }),
  statementTime: { epochSecond: 1_577_934_245, nano: 6_000_000 },
  transactionTime: { epochSecond: 1_577_934_245, nano: 0 },
  realTime: () => ({ epochSecond: 1_577_934_246, nano: 0 }),
  randomUuid: () => '00000000-0000-4000-8000-000000000000',
  csvPlace: () => null,
  catalog: () => {
    throw new Unsupported('catalog');
  },
  random: () => 0.25,
  allowance: { count: () => undefined, worked: () => false, hold: () => undefined, bytesOf: () => 0 },
};

const TOKEN =
  /\s*(?:(\d+\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+|\.\d+|0x[0-9a-fA-F]+|\d+(?!\.\d))|('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")|(`[^`]+`|[A-Za-z_]\w*)|(<>|<=|>=|\.\.|[-+*/%^=<>()[\]{},:.$]))/y;

interface Token {
  readonly kind: 'number' | 'string' | 'name' | 'symbol';
  readonly text: string;
}

function tokenize(source: string): Token[] {
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  while (source.slice(TOKEN.lastIndex).trim() !== '') {
    const match = TOKEN.exec(source);
    if (match === null) throw new Unsupported(source);
    const [, number, text, name, symbol] = match;
    if (number !== undefined) tokens.push({ kind: 'number', text: number });
    else if (text !== undefined) tokens.push({ kind: 'string', text });
    else if (name !== undefined) tokens.push({ kind: 'name', text: name });
    else tokens.push({ kind: 'symbol', text: symbol as string });
  }
  return tokens;
}

/** Parses and evaluates expressions in one pass; `variables` are the values of names. */
export class ExpressionEvaluator {
  readonly #tokens: Token[];
  readonly #variables: ReadonlyMap<string, Value>;
  #at = 0;

  constructor(source: string, variables: ReadonlyMap<string, Value> = new Map()) {
    this.#tokens = tokenize(source);
    this.#variables = variables;
  }

  /** Evaluates the items of a WITH or RETURN, `expression AS name, …`; an item without AS has the name ''. */
  items(): [name: string, value: Value][] {
    const items: [string, Value][] = [];
    do {
      const value = this.#or();
      items.push([this.#word('AS') ? this.#next().text : '', value]);
    } while (this.#symbol(','));
    if (this.#at < this.#tokens.length) throw new Unsupported(this.#tokens[this.#at]?.text);
    return items;
  }

  value(): Value {
    const [[, value]] = this.items() as [[string, Value]];
    return value;
  }

  #or(): Value {
    let left = this.#xor();
    while (this.#word('OR')) left = or(left, this.#xor());
    return left;
  }

  #xor(): Value {
    let left = this.#and();
    while (this.#word('XOR')) left = xor(left, this.#and());
    return left;
  }

  #and(): Value {
    let left = this.#not();
    while (this.#word('AND')) left = and(left, this.#not());
    return left;
  }

  #not(): Value {
    return this.#word('NOT') ? not(this.#not()) : this.#comparison();
  }

  #comparison(): Value {
    let left = this.#predicate();
    let result: Value | undefined;
    for (;;) {
      const operator = this.#peek();
      const compute = operator?.kind === 'symbol' && Object.hasOwn(COMPARISONS, operator.text) ? COMPARISONS[operator.text] : undefined;
      if (compute === undefined) return result === undefined ? left : result;
      this.#at++;
      const right = this.#predicate();
      const verdict = compute(left, right);
      result = result === undefined ? verdict : and(result, verdict);
      left = right;
    }
  }

  #additive(): Value {
    let left = this.#term();
    for (;;) {
      if (this.#symbol('+')) left = add(left, this.#term());
      else if (this.#symbol('-')) left = subtract(left, this.#term());
      else return left;
    }
  }

  #term(): Value {
    let left = this.#power();
    for (;;) {
      if (this.#symbol('*')) left = multiply(left, this.#power());
      else if (this.#symbol('/')) left = divide(left, this.#power());
      else if (this.#symbol('%')) left = modulo(left, this.#power());
      else return left;
    }
  }

  #power(): Value {
    let left = this.#unary();
    while (this.#symbol('^')) left = power(left, this.#unary());
    return left;
  }

  #unary(): Value {
    if (this.#symbol('-')) return negate(this.#unary());
    if (this.#symbol('+')) return this.#unary();
    return this.#postfix();
  }

  #predicate(): Value {
    const left = this.#additive();
    if (this.#word('IN')) return isIn(left, this.#additive());
    if (this.#words('STARTS', 'WITH')) return startsWith(left, this.#additive());
    if (this.#words('ENDS', 'WITH')) return endsWith(left, this.#additive());
    if (this.#word('CONTAINS')) return contains(left, this.#additive());
    if (this.#words('IS', 'NULL')) return left === null;
    if (this.#words('IS', 'NOT', 'NULL')) return left !== null;
    return left;
  }

  #postfix(): Value {
    let value = this.#atom();
    for (;;) {
      if (this.#symbol('.')) value = this.#property(value, this.#next().text);
      else if (this.#symbol('[')) value = this.#bracket(value);
      else return value;
    }
  }

  #property(value: Value, key: string): Value {
    return value === null ? null : subscript(value, key.replaceAll('`', ''));
  }

  #bracket(container: Value): Value {
    if (this.#symbol('..')) return this.#closeSlice(container, undefined);
    const index = this.#or();
    if (this.#symbol(']')) return subscript(container, index);
    this.#expect('..');
    return this.#closeSlice(container, index);
  }

  #closeSlice(container: Value, from: Value | undefined): Value {
    if (this.#symbol(']')) return slice(container, from, undefined);
    const to = this.#or();
    this.#expect(']');
    return slice(container, from, to);
  }

  #atom(): Value {
    const token = this.#next();
    if (token.kind === 'number') return numberLiteral(token.text);
    if (token.kind === 'string') return stringLiteral(token.text);
    if (token.kind === 'name') return this.#name(token.text);
    if (token.text === '(') return this.#enclosed();
    if (token.text === '[') return this.#list(']');
    if (token.text === '{') return this.#map();
    throw new Unsupported(token.text);
  }

  #enclosed(): Value {
    const value = this.#or();
    this.#expect(')');
    return value;
  }

  #list(close: string): Value[] {
    const list: Value[] = [];
    if (this.#symbol(close)) return list;
    do list.push(this.#or());
    while (this.#symbol(','));
    this.#expect(close);
    return list;
  }

  #map(): Value {
    const map = new Map<string, Value>();
    if (this.#symbol('}')) return map;
    do {
      const key = this.#next().text.replaceAll('`', '');
      this.#expect(':');
      map.set(key, this.#or());
    } while (this.#symbol(','));
    this.#expect('}');
    return map;
  }

  #name(first: string): Value {
    const constants: Readonly<Record<string, Value>> = { true: true, false: false, null: null };
    let name = first;
    let at = this.#at;
    while (this.#tokens[at]?.text === '.' && this.#tokens[at + 1]?.kind === 'name') {
      name += `.${this.#tokens[at + 1]?.text}`;
      at += 2;
    }
    if (this.#tokens[at]?.text === '(') {
      this.#at = at + 1;
      return this.#call(name);
    }
    if (this.#variables.has(first)) return this.#variables.get(first) as Value;
    if (Object.hasOwn(constants, first.toLowerCase())) return constants[first.toLowerCase()] as Value;
    throw new Unsupported(first);
  }

  #call(name: string): Value {
    const definition = functions.get(name.toLowerCase());
    if (definition === undefined) throw new Unsupported(name);
    return definition.evaluate(testContext, ...this.#list(')'));
  }

  #peek(): Token | undefined {
    return this.#tokens[this.#at];
  }

  #next(): Token {
    const token = this.#tokens[this.#at++];
    if (token === undefined) throw new Unsupported('the end');
    return token;
  }

  #symbol(text: string): boolean {
    if (this.#peek()?.kind !== 'symbol' || this.#peek()?.text !== text) return false;
    this.#at++;
    return true;
  }

  #word(word: string): boolean {
    return this.#words(word);
  }

  #words(...words: string[]): boolean {
    const matches = words.every((word, index) => {
      const token = this.#tokens[this.#at + index];
      return token?.kind === 'name' && token.text.toUpperCase() === word;
    });
    if (matches) this.#at += words.length;
    return matches;
  }

  #expect(symbol: string): void {
    if (!this.#symbol(symbol)) throw new Unsupported(`${symbol} expected`);
  }
}

const COMPARISONS: Readonly<Record<string, (a: Value, b: Value) => boolean | null>> = {
  '=': equals,
  '<>': (a, b) => not(equals(a, b)),
  '<': lessThan,
  '<=': lessThanOrEqual,
  '>': greaterThan,
  '>=': greaterThanOrEqual,
};

function numberLiteral(text: string): Value {
  return /^(0x|\d+$)/.test(text) ? makeInteger(BigInt(text)) : makeFloat(Number(text));
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' };

function stringLiteral(text: string): string {
  return text.slice(1, -1).replace(/\\(u[0-9a-fA-F]{4}|.)/g, (_, escape: string) => {
    return escape.length > 1 ? String.fromCharCode(Number.parseInt(escape.slice(1), 16)) : (ESCAPES[escape] ?? escape);
  });
}
