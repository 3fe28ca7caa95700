/**
 * The language of comments and documents, as far as a program can check it (CONTRIBUTING.md, "Language"): docstrings
 * are sentences, exported names have one, lines and cells of tables are short enough to be read, and standard terms
 * stand where home-made ones stood once. Pure: each function takes a text.
 */

/** The longest line of a source, in characters. */
export const LONGEST_LINE = 140;
/** The longest cell of a table in a document, in characters. */
export const LONGEST_CELL = 120;

/** Beginnings of fragments, which have no subject. */
const FRAGMENT = /^(?:Of|What|By|The same)\b/;
const DOCSTRING = /\/\*\*(.*?)\*\//gs;
const EXPORT = /^export (?:declare )?(?:abstract )?(?:async )?(?:function\*?|class|interface|type|const|enum) \*?(\w+)/;
/** Lines that cannot be parted: regular expressions, and lines that the formatter is told to leave as they are. */
const UNBREAKABLE = /^\s*(?:[\w$ .:=(]*)?\/[^/*].*\/[a-z]*[,;)]*$|biome-ignore format/;

/** Words of our own that have a standard term: the term stands beside each. */
export const HOME_MADE: Readonly<Record<string, string>> = {
  countedThoughExcluded: 'overcounted conditions',
  habits: 'syntax hints',
  outlived: 'expired',
  recipe: 'plan inputs',
  Recipe: 'PlanInputs',
  RoomPool: 'SharedMemoryPool',
  surroundings: 'context',
  Surroundings: 'Context',
  turnRound: 'reverse',
};

/** A fault of the language: the line, counted from 1, and a sentence. */
export interface LanguageFault {
  readonly line: number;
  readonly fault: string;
}

/** Returns the docstrings of a source that are fragments. */
export function fragments(text: string): readonly LanguageFault[] {
  return [...text.matchAll(DOCSTRING)].flatMap((match) => {
    const words = match[1]!.replace(/\n\s*\* ?/g, ' ').trim();
    if (!FRAGMENT.test(words)) return [];
    return [{ line: lineAt(text, match.index), fault: `a docstring that is no sentence: "${words.slice(0, 40)}"` }];
  });
}

/** Returns the lines of a source that are too long. */
export function longLines(text: string): readonly LanguageFault[] {
  return text.split('\n').flatMap((line, at) => {
    if ([...line].length <= LONGEST_LINE || UNBREAKABLE.test(line)) return [];
    return [{ line: at + 1, fault: `${[...line].length} characters` }];
  });
}

/** Returns the exported names of a source without a docstring, and how many names it exports. */
export function undocumentedExports(text: string): { readonly exported: number; readonly undocumented: readonly LanguageFault[] } {
  const lines = text.split('\n');
  const names = lines.flatMap((line, at) => {
    const name = EXPORT.exec(line)?.[1];
    return name === undefined ? [] : [{ name, at }];
  });
  const isDocumented = (at: number): boolean => {
    let above = at - 1;
    while (/^\s*(?:\/\/|@)/.test(lines[above] ?? '')) above--;
    return (lines[above] ?? '').trimEnd().endsWith('*/');
  };
  const isFirst = ({ name }: { name: string }, i: number): boolean => names.findIndex((other) => other.name === name) === i;
  const distinct = names.filter(isFirst);
  const undocumented = distinct
    .filter(({ at }) => !isDocumented(at))
    .map(({ name, at }) => ({ line: at + 1, fault: `${name} has no docstring` }));
  return { exported: distinct.length, undocumented };
}

/** Returns the home-made words of a source, in identifiers and comments. */
export function homeMadeWords(text: string): readonly LanguageFault[] {
  const words = new RegExp(`\\b(?:${Object.keys(HOME_MADE).join('|')})\\b`, 'g');
  return [...text.matchAll(words)].map((match) => {
    return { line: lineAt(text, match.index), fault: `"${match[0]}" is ours: the term is ${HOME_MADE[match[0]]}` };
  });
}

/** Returns the cells of tables in a document of Markdown that are too long. */
export function longCells(text: string): readonly LanguageFault[] {
  let isCode = false;
  return text.split('\n').flatMap((line, at) => {
    if (line.trim().startsWith('```')) isCode = !isCode;
    if (isCode || !line.trim().startsWith('|')) return [];
    const cells = line.trim().split(/(?<!\\)\|/);
    return cells
      .map((cell) => [...cell.trim()].length)
      .filter((length) => length > LONGEST_CELL)
      .map((length) => ({ line: at + 1, fault: `a cell of ${length} characters` }));
  });
}

function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length;
}
