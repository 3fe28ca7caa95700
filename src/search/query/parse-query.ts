/**
 * Lucene's classic query grammar, as its MultiFieldQueryParser reads it: a word without a field is searched for in all
 * fields, and clauses are alternatives unless the query says otherwise.
 */
import { GraphDBError } from '../../base/index.ts';
import type { Analyzer } from '../analysis/analyzers.ts';
import { parseWildcard, plainPrefix } from './patterns.ts';
import { LARGEST_FACTOR, type Occur, type PhraseTerm, type QueryClause, type TextQuery } from './query.ts';
import {
  BOOST,
  type QueryToken,
  QueryTokens,
  queryFault,
  RANGE_END,
  RANGE_QUOTED,
  RANGE_TO,
  RANGE_WORD,
  type TokenName,
  unescaped,
} from './tokens.ts';

const NOTHING: TextQuery = { kind: 'nothing' };
const DEEPEST = 256;
/** The longest query, in code units. A longer one is refused, since a query is read in one piece. */
const LONGEST = 65_536;
/** The most words, patterns and ranges of a query, each counted once per field that it is searched for in; as in Lucene. */
const MOST_CLAUSES = 1_024;
const MOST_EDITS = 2;
/** A word before one of these tokens stands alone; other words that follow each other are analysed together. */
const ENDS_WORDS: ReadonlySet<TokenName> = new Set(['colon', 'star', 'fuzzy', 'caret', 'and', 'or']);

/**
 * Parses a query.
 *
 * @throws ARGUMENT_ERROR with the place of the fault; or without one for more than 65,536 characters or 1,024 clauses
 */
export function parseTextQuery(text: string, fields: readonly string[], analyzer: Analyzer): TextQuery {
  if (text.length > LONGEST)
    throw new GraphDBError('ARGUMENT_ERROR', `the full-text query has ${text.length} characters: at most ${LONGEST} are allowed`);
  const parser = new QueryParser(text, fields, analyzer);
  return parser.parse();
}

/** A clause that is being collected: a following AND makes it required. */
interface MutableClause {
  occur: Occur;
  readonly query: TextQuery;
}

class QueryParser {
  readonly #tokens: QueryTokens;
  readonly #fields: readonly string[];
  readonly #analyzer: Analyzer;
  #depth = 0;
  #clauses = 0;

  constructor(text: string, fields: readonly string[], analyzer: Analyzer) {
    this.#tokens = new QueryTokens(text);
    this.#fields = fields;
    this.#analyzer = analyzer;
  }

  parse(): TextQuery {
    if (this.#tokens.peek().name === 'end') return NOTHING;
    const query = this.#query(null);
    const end = this.#tokens.peek();
    if (end.name !== 'end') throw this.#fault(end, end.name === 'close' ? 'there is no ( for this )' : `${end.text} cannot stand here`);
    return query ?? NOTHING;
  }

  #fault(token: QueryToken, problem: string): Error {
    return queryFault(this.#tokens.text, token.at, problem);
  }

  /** Reads clauses up to a closing parenthesis or the end; null: no clause is left after analysis. */
  #query(field: string | null): TextQuery | null {
    const clauses: MutableClause[] = [];
    let isFirst = true;
    for (let next = this.#tokens.peek().name; isFirst || (next !== 'end' && next !== 'close'); next = this.#tokens.peek().name) {
      const words = this.#words();
      if (words !== null) {
        this.#add(clauses, null, null, this.#text(field, words));
      } else {
        const conjunction = isFirst ? null : this.#conjunction();
        const modifier = this.#modifier();
        this.#add(clauses, conjunction, modifier, this.#clause(field));
      }
      isFirst = false;
    }
    if (clauses.length === 0) return null;
    const [only] = clauses;
    if (clauses.length === 1 && only!.occur !== 'mustNot') return only!.query;
    return { kind: 'boolean', clauses };
  }

  /** Takes words that follow each other, as one text; null: there are fewer than two. */
  #words(): string | null {
    let count = 0;
    while (this.#tokens.peek(count).name === 'term' && !ENDS_WORDS.has(this.#tokens.peek(count + 1).name)) count++;
    if (count < 2) return null;
    const words: string[] = [];
    for (; count > 0; count--) {
      const { text, at } = this.#tokens.take();
      words.push(unescaped(this.#tokens, text, at));
    }
    return words.join(' ');
  }

  #conjunction(): 'and' | 'or' | null {
    if (this.#tokens.takeIf('and') !== null) return 'and';
    return this.#tokens.takeIf('or') === null ? null : 'or';
  }

  #modifier(): Occur | null {
    if (this.#tokens.takeIf('plus') !== null) return 'must';
    return (this.#tokens.takeIf('minus') ?? this.#tokens.takeIf('not')) === null ? null : 'mustNot';
  }

  #add(clauses: MutableClause[], conjunction: 'and' | 'or' | null, modifier: Occur | null, query: TextQuery | null): void {
    const last = clauses.at(-1);
    if (last !== undefined && conjunction === 'and' && last.occur !== 'mustNot') last.occur = 'must';
    if (query === null) return;
    const occur = modifier ?? (conjunction === 'and' ? 'must' : 'should');
    clauses.push({ occur, query });
  }

  #clause(outerField: string | null): TextQuery | null {
    const first = this.#tokens.peek();
    let field = outerField;
    if ((first.name === 'term' || first.name === 'star') && this.#tokens.peek(1).name === 'colon') {
      this.#tokens.take();
      this.#tokens.take();
      field = unescaped(this.#tokens, first.text, first.at);
    }
    const open = this.#tokens.takeIf('open');
    if (open === null) return this.#term(field);
    if (++this.#depth > DEEPEST) throw this.#fault(open, `more than ${DEEPEST} parentheses are open`);
    const query = this.#query(field);
    const close = this.#tokens.peek();
    if (close.name !== 'close') throw this.#fault(open, 'the ) for this ( is missing');
    this.#tokens.take();
    this.#depth--;
    return boosted(query, this.#boost());
  }

  /** Reads the number after a caret; 1 where there is no caret. */
  #boost(): number {
    const caret = this.#tokens.takeIf('caret');
    if (caret === null) return 1;
    const number = this.#tokens.readRaw(BOOST);
    if (number === null) throw this.#fault(caret, '^ is followed by a number');
    const factor = Number(number.text);
    if (factor > LARGEST_FACTOR) throw this.#fault(caret, `^ is followed by a number up to ${LARGEST_FACTOR}`);
    return factor;
  }

  #term(field: string | null): TextQuery | null {
    const token = this.#tokens.take();
    switch (token.name) {
      case 'range':
        return this.#range(field, token);
      case 'quoted':
        return this.#withSuffixes((fuzzy) => this.#phrase(field, token, fuzzy));
      case 'term':
        return this.#withSuffixes((fuzzy) => (fuzzy === null ? this.#text(field, this.#plain(token)) : this.#fuzzy(field, token, fuzzy)));
      case 'bare':
        return this.#withSuffixes(() => this.#text(field, token.text[0] as string));
      case 'star':
      case 'wildcard':
        return this.#withSuffixes(() => this.#wildcard(field, token));
      case 'prefix':
        return this.#withSuffixes(() => this.#prefix(field, token));
      case 'regex':
        return this.#withSuffixes(() =>
          this.#anyField(field, (name) => ({ kind: 'regex', field: name, pattern: token.text.slice(1, -1) })),
        );
      case 'end':
        throw this.#fault(token, 'the query ends where a word is expected');
      default:
        throw this.#fault(token, `a word is expected, not ${token.text.trim()}`);
    }
  }

  /** Reads `~…` and `^…` after a term, in either order. */
  #withSuffixes(make: (fuzzy: QueryToken | null) => TextQuery | null): TextQuery | null {
    let fuzzy = this.#tokens.takeIf('fuzzy');
    const boost = this.#boost();
    fuzzy ??= this.#tokens.takeIf('fuzzy');
    return boosted(make(fuzzy), boost);
  }

  #plain(token: QueryToken): string {
    return unescaped(this.#tokens, token.text, token.at);
  }

  /**
   * Makes a query in one field, or in any of the fields.
   *
   * @param field null: any of the fields
   * @param terms how many clauses the query counts as in each field
   */
  #anyField(field: string | null, make: (field: string) => TextQuery | null, terms = 1): TextQuery | null {
    this.#clauses += terms * (field === null ? this.#fields.length : 1);
    if (this.#clauses > MOST_CLAUSES)
      throw new GraphDBError('ARGUMENT_ERROR', `the full-text query has more than ${MOST_CLAUSES} clauses: words, each for each field`);
    if (field !== null) return make(field);
    const clauses: QueryClause[] = [];
    for (const each of this.#fields) {
      const query = make(each);
      if (query !== null) clauses.push({ occur: 'should', query });
    }
    if (clauses.length === 0) return null;
    return clauses.length === 1 ? clauses[0]!.query : { kind: 'boolean', clauses };
  }

  /** Makes a query for any of the words of a text; null: none is left after analysis. */
  #text(field: string | null, text: string): TextQuery | null {
    const { terms } = this.#analyzer.analyze(text);
    const make = (name: string): TextQuery | null => {
      const clauses = terms.map((term): QueryClause => ({ occur: 'should', query: { kind: 'term', field: name, term } }));
      if (clauses.length === 0) return null;
      return clauses.length === 1 ? clauses[0]!.query : { kind: 'boolean', clauses };
    };
    return this.#anyField(field, make, terms.length);
  }

  #phrase(field: string | null, token: QueryToken, fuzzy: QueryToken | null): TextQuery | null {
    const slop = fuzzy === null || fuzzy.text === '~' ? 0 : Math.floor(Number(fuzzy.text.slice(1)));
    const { terms, positions } = this.#analyzer.analyze(unescaped(this.#tokens, token.text.slice(1, -1), token.at));
    if (terms.length === 0) return null;
    const first = positions[0] as number;
    const places = terms.map((term, i): PhraseTerm => ({ term, position: (positions[i] as number) - first }));
    const make = (name: string): TextQuery =>
      places.length === 1 ? { kind: 'term', field: name, term: terms[0] as string } : { kind: 'phrase', field: name, terms: places, slop };
    return this.#anyField(field, make, places.length);
  }

  #fuzzy(field: string | null, token: QueryToken, fuzzy: QueryToken): TextQuery | null {
    const term = this.#analyzer.normalize(this.#plain(token));
    const given = fuzzy.text === '~' ? MOST_EDITS : Number(fuzzy.text.slice(1));
    if (given >= 1 && !Number.isInteger(given)) throw this.#fault(fuzzy, 'the number of edits is a whole number');
    const edits =
      given >= 1 ? Math.min(given, MOST_EDITS) : given === 0 ? 0 : Math.min(Math.floor((1 - given) * [...term].length), MOST_EDITS);
    return this.#anyField(field, (name) =>
      edits === 0 ? { kind: 'term', field: name, term } : { kind: 'fuzzy', field: name, term, edits },
    );
  }

  #prefix(field: string | null, token: QueryToken): TextQuery | null {
    const prefix = this.#analyzer.normalize(unescaped(this.#tokens, token.text.slice(0, -1), token.at));
    return this.#anyField(field, (name) => ({ kind: 'prefix', field: name, prefix }));
  }

  #wildcard(field: string | null, token: QueryToken): TextQuery | null {
    if (token.text === '*')
      return field === '*' ? { kind: 'everything' } : this.#anyField(field, (name) => ({ kind: 'exists', field: name }));
    const pattern = parseWildcard(token.text, (part) => this.#analyzer.normalize(unescaped(this.#tokens, part, token.at)));
    const prefix = plainPrefix(pattern);
    return this.#anyField(field, (name) =>
      prefix === null ? { kind: 'wildcard', field: name, pattern } : { kind: 'prefix', field: name, prefix },
    );
  }

  #range(field: string | null, open: QueryToken): TextQuery | null {
    const low = this.#bound(open);
    if (this.#tokens.readRaw(RANGE_TO) === null) throw this.#fault(open, 'a range is written [a TO b] or {a TO b}: TO is missing');
    const high = this.#bound(open);
    const close = this.#tokens.readRaw(RANGE_END);
    if (close === null) throw this.#fault(open, 'a range is written [a TO b] or {a TO b}: its end is missing');
    const range = { low, lowInclusive: open.text === '[', high, highInclusive: close.text === ']' };
    return boosted(
      this.#anyField(field, (name) => ({ kind: 'range', field: name, range })),
      this.#boost(),
    );
  }

  /** Reads a bound of a range; null: the bound is `*`, the range is open there. */
  #bound(open: QueryToken): string | null {
    const quoted = this.#tokens.readRaw(RANGE_QUOTED);
    const found = quoted ?? this.#tokens.readRaw(RANGE_WORD);
    if (found === null) throw this.#fault(open, 'a range is written [a TO b] or {a TO b}: a bound is missing');
    if (quoted === null && found.text === '*') return null;
    const text = quoted === null ? found.text : found.text.slice(1, -1);
    return this.#analyzer.normalize(unescaped(this.#tokens, text, found.at));
  }
}

function boosted(query: TextQuery | null, factor: number): TextQuery | null {
  return query === null || factor === 1 ? query : { kind: 'boost', factor, query };
}
