/**
 * The functions of `apoc.text.*` that look for all matches of a pattern. Patterns have RE2 syntax, as those of `=~`. A
 * search may read to the end of the text even if the match that it finds is short, so all searches together may take
 * time quadratic in the text: they run in pieces, and each search counts as if it read the whole text.
 */
import type { Matcher } from 're2js';
import type { Pieces } from '../../../../algorithms/index.ts';
import { argumentFault, assertListLength, quoted, type Value } from '../../../../value/index.ts';
import { integerArgument, stringArgument } from '../../arguments.ts';
import type { Allowed } from '../../definition.ts';
import { compileRegularExpression, searchSteps } from '../../regular-expressions.ts';

const BYTES_PER_PART = 96;
/** Bytes for the text before a match and that in its place: their places in a list, and the texts themselves. */
const BYTES_PER_PIECE = 80;
/** The most steps counted for a search: as many as ever pass between two checks of the clock. */
const MOST_STEPS = 16_384;

/** Tells whether a pattern has no special characters, and so matches only itself. */
const isLiteral = (pattern: string): boolean => /^[\p{L}\p{N} _,;:!"'#%&/<=>@`~-]+$/u.test(pattern);

/** Calls `take` for each match of a pattern, one after the other, until it returns false; other statements may run in between. */
function* forEachMatch(
  { allowance }: Allowed,
  text: string,
  pattern: string,
  take: (match: Matcher) => boolean | undefined,
): Pieces<undefined> {
  const expression = compileRegularExpression(pattern, allowance);
  const matcher = expression.matcher(text);
  // The groups of a match are found by a search of their own.
  const searches = matcher.groupCount() > 0 ? 2 : 1;
  const steps = Math.min(searches * searchSteps(expression, text.length), MOST_STEPS);
  for (;;) {
    if (allowance.worked(steps)) yield null;
    if (!matcher.find() || take(matcher) === false) return;
  }
}

// ---------------------------------------------------------------- groups

/** Finds all matches: a list of each match and its groups, null for a group that took no part in it. */
export function* regexGroups({ allowance }: Allowed, text: Value, regex: Value): Pieces<Value> {
  if (text === null || regex === null) return [];
  const name = 'apoc.text.regexGroups';
  const pattern = stringArgument(name, regex);
  const original = stringArgument(name, text);
  if (isLiteral(pattern)) return literalGroups({ allowance }, original, pattern);
  const found: Value[] = [];
  yield* forEachMatch({ allowance }, original, pattern, (match) => {
    const groups = match.groupCount() + 1;
    allowance.count(groups);
    allowance.hold(BYTES_PER_PART * groups);
    found.push(Array.from({ length: groups }, (_, group) => match.group(group) ?? null));
    return true;
  });
  return found;
}

function literalGroups({ allowance }: Allowed, original: string, part: string): Value[] {
  const found: Value[] = [];
  for (let at = original.indexOf(part); at >= 0; at = original.indexOf(part, at + part.length)) {
    allowance.count(1);
    allowance.hold(BYTES_PER_PART);
    found.push([part]);
  }
  return found;
}

// ---------------------------------------------------------------- replacing

/** Replaces matches of a pattern. Holds the longest possible result: each group in the replacement is at most the whole match. */
export function* replace({ allowance }: Allowed, text: Value, regex: Value, replacement: Value): Pieces<Value> {
  const name = 'apoc.text.replace';
  const pattern = stringArgument(name, regex);
  const original = stringArgument(name, text);
  const instead = stringArgument(name, replacement);
  if (isLiteral(pattern) && !/[$\\]/.test(instead)) return replaceLiteral({ allowance }, { original, part: pattern, instead });
  const groups = instead.split('$').length - 1;
  const pieces: string[] = [];
  let parts: readonly ReplacementPart[] | null = null;
  let from = 0;
  let length = original.length;
  yield* forEachMatch({ allowance }, original, pattern, (match) => {
    parts ??= partsOf(instead, match);
    const longest = instead.length + groups * (match.end() - match.start());
    length += longest;
    assertListLength(length, `${name}()`);
    allowance.count(parts.length);
    allowance.hold(longest + BYTES_PER_PIECE);
    const filled = parts.map((part) => (typeof part === 'string' ? part : (match.group(part) ?? '')));
    pieces.push(original.slice(from, match.start()), filled.join(''));
    from = match.end();
    return true;
  });
  return pieces.join('') + original.slice(from);
}

/** A part of a replacement: text, or the number of a group. */
type ReplacementPart = string | number;

/**
 * Parses a replacement as Java's Matcher does: `$1` and `${name}` stand for groups, where a number has as many digits as
 * there are groups for, and a backslash makes the next character an ordinary one. @throws ARGUMENT_ERROR if it is invalid
 */
function partsOf(replacement: string, match: Matcher): ReplacementPart[] {
  const parts: ReplacementPart[] = [];
  let from = 0;
  for (const token of replacement.matchAll(/\\([\s\S])|\$(\d+)|\$\{([^}]*)\}|[\\$]/g)) {
    const [all, escaped, digits, name] = token;
    parts.push(replacement.slice(from, token.index));
    if (escaped !== undefined) parts.push(escaped);
    else if (digits !== undefined) parts.push(...numberedGroup(replacement, digits, match.groupCount()));
    else if (name !== undefined && Object.hasOwn(match.namedGroups, name)) parts.push(match.namedGroups[name]!);
    else if (name !== undefined) throw replacementFault(replacement, `there is no group ${quoted(name)}`);
    else throw replacementFault(replacement, all === '$' ? 'a $ stands before no group' : 'a backslash stands before nothing');
    from = token.index + all.length;
  }
  parts.push(replacement.slice(from));
  return parts.filter((part) => part !== '');
}

function numberedGroup(replacement: string, digits: string, groupCount: number): [group: number, rest: string] {
  let group = Number(digits[0]);
  let read = 1;
  if (group > groupCount) throw replacementFault(replacement, `there is no group ${group}`);
  while (read < digits.length && 10 * group + Number(digits[read]) <= groupCount) group = 10 * group + Number(digits[read++]);
  return [group, digits.slice(read)];
}

function replacementFault(replacement: string, reason: string): Error {
  return argumentFault(`apoc.text.replace() cannot read the replacement ${quoted(replacement)}: ${reason}`, 'InvalidArgumentValue');
}

/** Replaces a text without special characters, as most patterns are, ten times as fast as a regular expression would. */
function replaceLiteral(
  { allowance }: Allowed,
  { original, part, instead }: { readonly original: string; readonly part: string; readonly instead: string },
): string {
  let times = 0;
  for (let at = original.indexOf(part); at >= 0; at = original.indexOf(part, at + part.length)) times++;
  allowance.count(times);
  allowance.hold(times * instead.length);
  return original.replaceAll(part, () => instead);
}

// ---------------------------------------------------------------- splitting

/** Splits as Java's String.split: a positive limit bounds the parts, and with the limit 0 empty parts at the end are dropped. */
export function* split({ allowance }: Allowed, text: Value, regex: Value, limit: Value): Pieces<Value> {
  const name = 'apoc.text.split';
  const original = stringArgument(name, text);
  const pattern = stringArgument(name, regex);
  const most = Number(integerArgument(name, limit));
  const parts: string[] = [];
  let from = 0;
  const take = (start: number, end: number): boolean => {
    if (most > 0 && parts.length === most - 1) return false;
    // An empty match at the beginning does not split.
    if (end === 0) return true;
    allowance.count(1);
    allowance.hold(BYTES_PER_PART);
    parts.push(original.slice(from, start));
    from = end;
    return true;
  };
  if (isLiteral(pattern)) splitLiteral(original, pattern, take);
  else yield* forEachMatch({ allowance }, original, pattern, (match) => take(match.start(), match.end()));
  if (parts.length === 0) return [original];
  parts.push(original.slice(from));
  if (most === 0) while (parts.at(-1) === '') parts.pop();
  return parts;
}

function splitLiteral(text: string, part: string, take: (start: number, end: number) => boolean): void {
  for (let at = text.indexOf(part); at >= 0 && take(at, at + part.length); ) at = text.indexOf(part, at + part.length);
}
