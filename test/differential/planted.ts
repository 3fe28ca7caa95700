/**
 * `npm run differential -- --planted`: mistakes that a planner, a code generator or an index could have, each made by a
 * change of text as the sources are loaded. The random cases must find every one of them: otherwise they do not look
 * where such a mistake would show.
 */
import { type Mistake, runWithMistake } from '../support/planted.ts';

/** About six hundred rounds. */
const CASES = 50_000;

export const MISTAKES: readonly Mistake[] = [
  {
    name: 'the last of several predicates is lost where they are pushed down',
    file: 'src/plan/match/search-state.ts',
    right: 'predicate: and(plain)',
    wrong: 'predicate: and(plain.length > 1 ? plain.slice(0, -1) : plain)',
  },
  {
    name: 'a predicate that a join applied on one side is taken for applied on the other',
    file: 'src/plan/match/join.ts',
    right: '(info.mask & ~apart.available) === 0n).map',
    wrong: '(info.mask & apart.available) !== 0n).map',
  },
  {
    name: 'a hash join takes null for equal to null',
    file: 'src/exec/runtime/rows/groups.ts',
    right: 'return key !== null && equals(key',
    wrong: 'return key === null || equals(key',
  },
  {
    name: 'an expand between known nodes forgets its types',
    file: 'src/exec/codegen/operators/expand.ts',
    right: '{ from: from.code, types: expand.types,',
    wrong: '{ from: from.code, types: into === undefined ? expand.types : null,',
  },
  {
    name: 'an expand between known nodes is turned round without its direction',
    file: 'src/plan/rewrites/orient-into.ts',
    right: 'direction: reverse(expand.direction)',
    wrong: 'direction: expand.direction',
  },
  {
    name: 'LIMIT comes before the rows that SKIP leaves out',
    file: 'src/plan/clauses/order.ts',
    right: 'items, skip, count: limit',
    wrong: 'items, skip: null, count: limit',
  },
  {
    name: 'a LIMIT is taken for that of an earlier clause',
    file: 'src/plan/clauses/order.ts',
    right: "order.length > 0 && sorted.kind === 'top'",
    wrong: "sorted.kind === 'top'",
  },
  {
    name: 'DISTINCT keeps every row',
    file: 'src/plan/clauses/projection.ts',
    right: 'orderAndLimit(context, after, projection, orderOverItems(context, projection, after.scope))',
    wrong: 'orderAndLimit(context, { ...after, plan: projected }, projection, orderOverItems(context, projection, after.scope))',
  },
  {
    name: 'an index leaves out the lower bound of a range',
    file: 'src/graph/arrays/sorted-entries.ts',
    right: 'range.lowInclusive ? sign >= 0 : sign > 0',
    wrong: 'sign > 0',
  },
  {
    name: 'an index does not look whether the value is still there',
    file: 'src/graph/indexes/hashed-form.ts',
    right: 'if (this.#hasValue(entity, value, entities)) found.push(entity);',
    wrong: 'found.push(entity);',
  },
  {
    name: 'relationships of one MATCH may be the same',
    file: 'src/plan/match/uniqueness.ts',
    right: 'isFound(other, state) && mustDiffer(problem, other, info)',
    wrong: 'isFound(other, state) && mustDiffer(problem, other, info) && other.relationship.length !== null',
  },
  {
    name: 'barriers stand only where something is deleted',
    file: 'src/plan/eager/place-barriers.ts',
    right: 'return interferes(earlier.reads, later.writes) ||',
    wrong: 'return (later.writes.deletes && interferes(earlier.reads, later.writes)) ||',
  },
  {
    name: 'a row of OPTIONAL MATCH without a match is dropped',
    file: 'src/exec/codegen/operators/apply.ts',
    right: '.length === 0) ',
    wrong: '.length < 0) ',
  },
  {
    name: 'a stretch of the pattern is only looked for though it is read',
    file: 'src/plan/rewrites/existence.ts',
    right: 'isLink(link) && !namesBoundBy(link).some((name) => needed.has(name))',
    wrong: 'isLink(link) && !namesBoundBy(link).every((name) => needed.has(name))',
  },
  {
    name: 'paths of variable length end one step early',
    file: 'src/plan/match/variable-expand.ts',
    right: 'max: relationship.length?.max ??',
    wrong: 'max: (relationship.length?.max ?? 0) > 1 ? relationship.length!.max! - 1 : relationship.length?.max ??',
  },
  {
    name: 'a map projection takes .* for nothing',
    file: 'src/exec/codegen/expressions/collections.ts',
    right: 'projection.all ? `values',
    wrong: 'projection.all && false ? `values',
  },
  {
    name: 'a UNION without RETURN asks its first part only',
    file: 'src/plan/clauses/union.ts',
    right: 'const inputs = parts.map((part) => part.plan);',
    wrong: 'const inputs = [first.plan];',
  },
  {
    name: 'the components of a vector are taken for Integers',
    file: 'src/value/collections.ts',
    right: 'Array.from(value, makeFloat)',
    wrong: 'Array.from(value)',
  },
  {
    name: 'a single value is iterated as an empty list',
    file: 'src/exec/runtime/values/value-operations.ts',
    right: '(elementsOf(value) ?? [value])',
    wrong: '(elementsOf(value) ?? [])',
  },
  {
    name: 'a long list is asked for numbers in vain',
    file: 'src/exec/runtime/values/list-membership.ts',
    right: 'return numbers.has(value);',
    wrong: 'return false;',
  },
  {
    name: 'a map projection with .* is named after its text',
    file: 'src/cypher/parser/clauses/projection.ts',
    right: "if (expression.kind === 'mapProjection') {",
    wrong: "if (expression.kind === 'mapProjection' && !expression.all) {",
  },
  {
    name: 'ties are rounded to odd digits',
    file: 'src/exec/functions/rounding.ts',
    right: '(tie && whole % 2n === 1n)',
    wrong: '(tie && whole % 2n === 0n)',
  },
  {
    name: 'the mean of huge numbers is infinite',
    file: 'src/exec/functions/mean.ts',
    right: 'if (Number.isFinite(sum)) return',
    wrong: 'return',
  },
  {
    name: 'offsets west of Greenwich are written as if they were east of it',
    file: 'src/value/temporal/text.ts',
    right: "offsetSeconds < 0 ? '-' : '+'",
    wrong: "offsetSeconds < 0 ? '+' : '+'",
  },
  {
    name: 'a box of points leaves out its lower edges',
    file: 'src/value/spatial/distance.ts',
    right: 'return x >= low && x <= high;',
    wrong: 'return x > low && x <= high;',
  },
  {
    name: 'points are ordered by their coordinates alone',
    file: 'src/value/order.ts',
    right: 'a.srid - b.srid || compareCoordinates(a.x, b.x)',
    wrong: 'compareCoordinates(a.x, b.x)',
  },
  {
    name: 'counting by degrees counts a relationship that is excluded',
    file: 'src/plan/rewrites/count-by-degree.ts',
    right: 'excluded.map(oneIf).reduce(minus, countOf(last))',
    wrong: 'countOf(last)',
  },
];

/** True when the cases found all of them. */
export async function findPlanted(mistakes: readonly Mistake[] = MISTAKES, seed = 1): Promise<boolean> {
  const missed: string[] = [];
  for (const mistake of mistakes) {
    const found = await search(mistake, seed);
    console.log(`${found === null ? 'MISSED' : 'found '} ${mistake.name}${found === null ? '' : ` (${found})`}`);
    if (found === null) missed.push(mistake.name);
  }
  console.log(`${mistakes.length - missed.length} of ${mistakes.length} planted mistakes were found`);
  return missed.length === 0;
}

/** How to see it, or null. */
async function search(mistake: Mistake, seed: number): Promise<string | null> {
  const { output, failed } = await runWithMistake(mistake, 'differential', ['--seed', String(seed), '--cases', String(CASES), '--first']);
  if (failed && !output.includes('again with:')) throw new Error(`the cases broke off:\n${output}`);
  return /--seed \d+ --cases 1 --only \w+/.exec(output)?.[0] ?? null;
}
