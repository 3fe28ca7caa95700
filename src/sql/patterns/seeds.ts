/** The nodes that a walk without a bound may start from: the fewer, the fewer walks there are. */
import { type Expression, type NodePattern, walk } from '../../cypher/index.ts';
import type { Rows } from '../scope.ts';
import type { Joined } from './joined.ts';

/** The most steps of a walk whose lengths are tables: each length needs a join for each of its steps. */
export const MOST_HOPS = 8;

/** The facts about the nodes of a MATCH that tell where its walks may start. */
export interface KnownNodes {
  /** The rows that the patterns are matched for; without a table they are those around a subquery. */
  readonly outer: Rows;
  readonly where: Expression | null;
  /** The patterns in which nodes stand first, by their variables. */
  readonly patterns: ReadonlyMap<string, NodePattern>;
}

/** The nodes at an end of a walk. */
export interface Seeds {
  /** Whether they are less than all nodes with certain labels. */
  readonly isNarrow: boolean;
  select(start: string, end: string): { readonly select: string; readonly from: string };
}

/** Returns the nodes that a walk may start from: those of the rows before, or those that the pattern and WHERE admit. */
export function seedsOf(joined: Joined, { outer, where: whole, patterns }: KnownNodes, pattern: NodePattern): Seeds {
  const { program } = joined;
  const name = pattern.variable?.name ?? '';
  const known = outer.bindings.get(name);
  if (known?.kind === 'node') {
    if (outer.table === null) throw program.refuse(`a relationship of more than ${MOST_HOPS} steps in a subquery`, pattern);
    const of = program.table(`SELECT DISTINCT ${known.ordinal} AS unit FROM ${outer.table} WHERE ${known.ordinal} IS NOT NULL`);
    return { isNarrow: true, select: (start, end) => ({ select: `SELECT unit AS ${start}, unit AS ${end}`, from: ` FROM ${of}` }) };
  }
  const { variable, labels, properties, where, span, kind } = patterns.get(name) ?? pattern;
  const isOwn = (tree: Expression | null): tree is Expression => tree !== null && mentionsOnly(tree, name);
  const own = (whole?.kind === 'logical' && whole.operator === 'and' ? whole.operands : [whole]).filter(isOwn);
  const inner = joined.apart();
  const narrow = { properties: isOwn(properties) ? properties : null, where: isOwn(where) ? where : null };
  const { ordinal } = inner.node({ kind, variable, labels, ...narrow, span });
  for (const each of own) inner.admit(each);
  return {
    isNarrow: narrow.properties !== null || narrow.where !== null || own.length > 0,
    select: (start, end) => ({
      select: `SELECT ${ordinal} AS ${start}, ${ordinal} AS ${end}`,
      from: ` FROM ${inner.from.join(', ')}${inner.where}`,
    }),
  };
}

/** Tells whether an expression reads no variable but one, and no pattern. */
function mentionsOnly(tree: Expression, name: string): boolean {
  let isOnly = true;
  walk(tree, (node) => {
    const each = node as Expression;
    if (each.kind === 'subquery' || each.kind === 'patternExpression' || each.kind === 'patternComprehension') isOnly = false;
    if (each.kind === 'variable' && each.name !== name) isOnly = false;
    return isOnly ? undefined : false;
  });
  return isOnly;
}
