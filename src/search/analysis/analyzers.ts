/** Analyzers by Neo4j's names: how texts become terms, and how the words of a query do. */
import { GraphDBError } from '../../base/index.ts';
import {
  asciiFolding,
  bigrams,
  elision,
  foldedToAscii,
  lowerCase,
  lowerCased,
  normalWidth,
  stop,
  type TokenFilter,
  turkishLowerCase,
  withoutApostrophe,
  withoutPossessive,
} from './filters.ts';
import { standardTokens } from './standard-tokenizer.ts';
import { stem } from './stemmers.ts';
import { type StopWordList, stopWords } from './stop-words.ts';
import { addressTokens, keywordToken, letterTokens, type Tokenizer, unicodeWhitespaceTokens, whitespaceTokens } from './tokenizers.ts';
import { Tokens } from './tokens.ts';

/** An analyzer of texts. */
export interface Analyzer {
  readonly name: string;
  readonly description: string;
  readonly stopWords: readonly string[];
  /** Whether a text becomes one term, so that it cannot be analysed in pieces. */
  readonly takesWhole: boolean;
  /** Splits a text into terms with their positions. */
  analyze(text: string): Tokens;
  /** Normalizes a part of a word, such as a prefix, a pattern or a bound. It is neither split nor stemmed. */
  normalize(part: string): string;
}

interface AnalyzerFacts {
  readonly description: string;
  readonly tokenizer: Tokenizer;
  readonly stopWords?: StopWordList;
  /** Makes the filters of the analyzer when it is first used, with the filter of its stop words. */
  readonly filters?: (stopped: TokenFilter) => readonly TokenFilter[];
  readonly normalize?: (part: string) => string;
}

const same = (part: string): string => part;

/** An analyzer of a language whose words are stemmed by an algorithm of Snowball. */
function language(name: string, algorithm: string, list: StopWordList, before: readonly TokenFilter[] = [lowerCase]): AnalyzerFacts {
  return {
    description: `${name} words: lower case, without stop words, stemmed.`,
    tokenizer: standardTokens,
    stopWords: list,
    filters: (stopped) => [...before, stopped, stem(algorithm)],
  };
}

const FRENCH = ['l', 'm', 't', 'qu', 'n', 's', 'j', 'd', 'c', 'jusqu', 'quoiqu', 'lorsqu', 'puisqu'];
const ITALIAN = 'c l all dall dell nell sull coll pell gl agl dagl degl negl sugl un m t s v d'.split(' ');
const CATALAN = ['d', 'l', 'm', 'n', 's', 't'];
const IRISH = ['d', 'm', 'b'];
const IRISH_INITIALS: ReadonlySet<string> = new Set(['h', 'n', 't']);
/** Lower case that first sets apart the initials which Irish puts before a vowel: `nAthair` becomes `n-athair`. */
const irishLowerCase: TokenFilter = (tokens) => {
  tokens.replace((term) => lowerCased(/^[nt][AEIOUÁÉÍÓÚ]/.test(term) ? `${term[0]}-${term.slice(1)}` : term));
  return tokens;
};
const withPlainYo: TokenFilter = (tokens) => {
  tokens.replace((term) => term.replaceAll('ё', 'е'));
  return tokens;
};

const ANALYZERS: { readonly [name: string]: AnalyzerFacts } = {
  arabic: language('Arabic', 'arabic', 'arabic'),
  armenian: language('Armenian', 'armenian', 'armenian'),
  basque: language('Basque', 'basque', 'basque'),
  catalan: language('Catalan', 'catalan', 'catalan', [elision(CATALAN), lowerCase]),
  cjk: {
    description: 'Chinese, Japanese and Korean: pairs of characters; other words in lower case, without English stop words.',
    tokenizer: standardTokens,
    stopWords: 'cjk',
    filters: (stopped) => [normalWidth, lowerCase, bigrams, stopped],
    normalize: (part) => lowerCased(part.normalize('NFKC')),
  },
  danish: language('Danish', 'danish', 'danish'),
  dutch: language('Dutch', 'dutch', 'dutch'),
  english: language('English', 'porter', 'english', [withoutPossessive, lowerCase]),
  finnish: language('Finnish', 'finnish', 'finnish'),
  french: language('French', 'french', 'french', [elision(FRENCH), lowerCase]),
  german: language('German', 'german', 'german'),
  hungarian: language('Hungarian', 'hungarian', 'hungarian'),
  irish: language('Irish', 'irish', 'irish', [stop(IRISH_INITIALS), elision(IRISH), irishLowerCase]),
  italian: language('Italian', 'italian', 'italian', [elision(ITALIAN), lowerCase]),
  keyword: { description: 'The whole text is one term.', tokenizer: keywordToken, normalize: same },
  norwegian: language('Norwegian', 'norwegian', 'norwegian'),
  portuguese: language('Portuguese', 'portuguese', 'portuguese'),
  romanian: language('Romanian', 'romanian', 'romanian'),
  russian: {
    ...language('Russian', 'russian', 'russian'),
    filters: (stopped) => [lowerCase, stopped, withPlainYo, stem('russian')],
  },
  simple: { description: 'Runs of letters in lower case.', tokenizer: letterTokens, filters: () => [lowerCase] },
  spanish: language('Spanish', 'spanish', 'spanish'),
  standard: {
    description: 'Words as Unicode parts them, in lower case, without English stop words.',
    tokenizer: standardTokens,
    stopWords: 'english',
    filters: (stopped) => [lowerCase, stopped],
  },
  'standard-folding': {
    description: 'As standard, and letters with signs become those of ASCII.',
    tokenizer: standardTokens,
    stopWords: 'english',
    filters: (stopped) => [lowerCase, stopped, asciiFolding],
    normalize: (part) => foldedToAscii(lowerCased(part)),
  },
  'standard-no-stop-words': {
    description: 'Words as Unicode parts them, in lower case. The default.',
    tokenizer: standardTokens,
    filters: () => [lowerCase],
  },
  stop: {
    description: 'Runs of letters in lower case, without English stop words.',
    tokenizer: letterTokens,
    stopWords: 'english',
    filters: (stopped) => [lowerCase, stopped],
  },
  swedish: language('Swedish', 'swedish', 'swedish'),
  turkish: language('Turkish', 'turkish', 'turkish', [withoutApostrophe, turkishLowerCase]),
  unicode_whitespace: {
    description: 'What stands between white space, as Unicode knows it.',
    tokenizer: unicodeWhitespaceTokens,
    normalize: same,
  },
  url_or_email: {
    description: 'As standard, and addresses of the web and of mail are one term each.',
    tokenizer: addressTokens,
    stopWords: 'english',
    filters: (stopped) => [lowerCase, stopped],
  },
  whitespace: { description: 'What stands between white space, as it is.', tokenizer: whitespaceTokens, normalize: same },
};

/** The names of all analyzers. */
export const ANALYZER_NAMES: readonly string[] = Object.keys(ANALYZERS);

const made = new Map<string, Analyzer>();

/** Returns the analyzer of a name; undefined: there is none. */
export function findAnalyzer(name: string): Analyzer | undefined {
  const known = made.get(name);
  if (known !== undefined || !Object.hasOwn(ANALYZERS, name)) return known;
  const analyzer = new FilteredAnalyzer(name, ANALYZERS[name] as AnalyzerFacts);
  made.set(name, analyzer);
  return analyzer;
}

/** Returns the analyzer of a name. @throws ARGUMENT_ERROR when there is none */
export function analyzerNamed(name: string): Analyzer {
  const analyzer = findAnalyzer(name);
  if (analyzer !== undefined) return analyzer;
  throw new GraphDBError(
    'ARGUMENT_ERROR',
    `there is no analyzer '${name}'; db.index.fulltext.listAvailableAnalyzers lists those there are`,
  );
}

class FilteredAnalyzer implements Analyzer {
  readonly name: string;
  readonly description: string;
  readonly stopWords: readonly string[];
  readonly normalize: (part: string) => string;
  readonly takesWhole: boolean;
  readonly #tokenizer: Tokenizer;
  readonly #filters: readonly TokenFilter[];

  constructor(name: string, facts: AnalyzerFacts) {
    this.name = name;
    this.description = facts.description;
    this.stopWords = facts.stopWords === undefined ? [] : stopWords(facts.stopWords);
    this.normalize = facts.normalize ?? lowerCased;
    this.#tokenizer = facts.tokenizer;
    this.takesWhole = facts.tokenizer === keywordToken;
    this.#filters = facts.filters?.(stop(new Set(this.stopWords))) ?? [];
  }

  analyze(text: string): Tokens {
    const tokens = new Tokens();
    this.#tokenizer(text, tokens);
    return this.#filters.reduce((changed, filter) => filter(changed), tokens);
  }
}
