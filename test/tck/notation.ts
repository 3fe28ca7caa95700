/**
 * Reads the TCK's notation for values, as it stands in result tables, parameter tables and procedure tables:
 *
 *   null  true  false  17  -0x1F is not part of it  1.5  1e-305  NaN  Inf  -Inf  'text with \' and \\'
 *   [1, 2]  {key: 'value'}  (:Label:Other {p: 1})  [:TYPE {p: 1}]  <(:A)-[:T]->()<-[:U]-(:B)>
 *
 * A bracket opens a relationship when a colon follows it, else a list. Throws NotationError with the place where the text stops to make
 * sense: a feature that cannot be read is a fault of the runner and must never look like a result.
 */
import type { TckMap, TckNode, TckPathStep, TckRelationship, TckValue } from './values.ts';

export class NotationError extends Error {}

/** The value that the whole of `text` stands for. */
export function parseNotation(text: string): TckValue {
  const reader = new NotationReader(text);
  const value = reader.value();
  reader.end();
  return value;
}

/** A cursor over one text; lives for one parse. */
class NotationReader {
  private readonly text: string;
  private position = 0;

  constructor(text: string) {
    this.text = text;
  }

  value(): TckValue {
    this.skipSpace();
    const next = this.text[this.position];
    if (next === "'") return { kind: 'string', value: this.string() };
    if (next === '{') return { kind: 'map', entries: this.map() };
    if (next === '(') return this.node();
    if (next === '<') return this.path();
    if (next === '[') return /^\[\s*:/.test(this.rest()) ? this.relationship() : this.list();
    return this.scalar();
  }

  end(): void {
    this.skipSpace();
    if (this.position < this.text.length) this.fail('the end');
  }

  private scalar(): TckValue {
    const word = /^[-+]?[\w.]+(?:(?<=[eE])[-+]\d+)?/.exec(this.rest())?.[0];
    if (word === undefined) return this.fail('a value');
    this.position += word.length;
    return scalarOf(word) ?? this.fail('a value', this.position - word.length);
  }

  private string(): string {
    this.expect("'");
    let value = '';
    for (;;) {
      const character = this.text[this.position++];
      if (character === undefined) return this.fail('a closing quote', this.text.length);
      if (character === "'") return value;
      value += character === '\\' ? this.escaped() : character;
    }
  }

  private escaped(): string {
    const character = this.text[this.position++];
    if (character === '\\' || character === "'") return character;
    return this.fail("\\\\ or \\'", this.position - 2);
  }

  private list(): TckValue {
    this.expect('[');
    const items = this.separated(']', () => this.value());
    return { kind: 'list', items };
  }

  private map(): TckMap {
    this.expect('{');
    const entries = this.separated('}', () => {
      const key = this.name();
      this.expect(':');
      return [key, this.value()] as const;
    });
    const map = new Map(entries);
    if (map.size !== entries.length) this.fail('every key once');
    return map;
  }

  /** Comma-separated items up to and with `close`. */
  private separated<T>(close: string, item: () => T): T[] {
    const items: T[] = [];
    if (this.accept(close)) return items;
    do items.push(item());
    while (this.accept(','));
    this.expect(close);
    return items;
  }

  private node(): TckNode {
    this.expect('(');
    const labels: string[] = [];
    while (this.accept(':')) labels.push(this.name());
    const properties = this.optionalMap();
    this.expect(')');
    return { kind: 'node', labels, properties };
  }

  private relationship(): TckRelationship {
    this.expect('[');
    this.expect(':');
    const type = this.name();
    const properties = this.optionalMap();
    this.expect(']');
    return { kind: 'relationship', type, properties };
  }

  private optionalMap(): TckMap {
    this.skipSpace();
    return this.text[this.position] === '{' ? this.map() : new Map();
  }

  private path(): TckValue {
    this.expect('<');
    const start = this.node();
    const steps: TckPathStep[] = [];
    while (!this.accept('>')) steps.push(this.step());
    return { kind: 'path', start, steps };
  }

  private step(): TckPathStep {
    const incoming = this.accept('<');
    this.expect('-');
    const relationship = this.relationship();
    this.expect('-');
    if (!incoming) this.expect('>');
    return { direction: incoming ? 'incoming' : 'outgoing', relationship, node: this.node() };
  }

  private name(): string {
    this.skipSpace();
    const name = /^(?:`(?:[^`]|``)+`|[\p{L}_][\p{L}\p{N}_]*)/u.exec(this.rest())?.[0];
    if (name === undefined) return this.fail('a name');
    this.position += name.length;
    return name.startsWith('`') ? name.slice(1, -1).replaceAll('``', '`') : name;
  }

  private accept(character: string): boolean {
    this.skipSpace();
    if (this.text[this.position] !== character) return false;
    this.position++;
    return true;
  }

  private expect(character: string): void {
    if (!this.accept(character)) this.fail(`'${character}'`);
  }

  private skipSpace(): void {
    while (/\s/.test(this.text[this.position] ?? '')) this.position++;
  }

  private rest(): string {
    return this.text.slice(this.position);
  }

  private fail(expected: string, position = this.position): never {
    throw new NotationError(`expected ${expected} at character ${position + 1} of ${JSON.stringify(this.text)}`);
  }
}

const NUMBER = /^[-+]?(?:\d+\.\d*|\.\d+|\d+)(?:[eE][-+]?\d+)?$/;

function scalarOf(word: string): TckValue | undefined {
  if (word === 'null') return { kind: 'null' };
  if (word === 'true' || word === 'false') return { kind: 'boolean', value: word === 'true' };
  if (word === 'NaN') return { kind: 'float', value: Number.NaN };
  if (word === 'Inf' || word === '-Inf') return { kind: 'float', value: word === 'Inf' ? Infinity : -Infinity };
  if (/^[-+]?\d+$/.test(word)) return { kind: 'integer', value: BigInt(word.replace(/^\+/, '')) };
  return NUMBER.test(word) ? { kind: 'float', value: Number(word) } : undefined;
}
