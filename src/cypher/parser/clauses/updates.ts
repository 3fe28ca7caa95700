/** Parsing of CREATE, MERGE, SET, REMOVE, DELETE and FOREACH. */
import type {
  Clause,
  CreateClause,
  DeleteClause,
  Expression,
  ForeachClause,
  IndexAccess,
  MergeClause,
  PropertyAccess,
  RemoveClause,
  RemoveItem,
  SetClause,
  SetItem,
  Variable,
} from '../../ast.ts';
import type { Cursor } from '../cursor.ts';
import { parseAtom, parseVariable } from '../expressions/atoms.ts';
import { beforeBar } from '../expressions/comprehensions.ts';
import { parseExpression } from '../expressions/expressions.ts';
import { parseLookups } from '../expressions/postfix.ts';
import { parseLabelNames } from '../labels.ts';
import { parsePathPattern, parsePatternList } from '../patterns.ts';
import { parseUpdateClause } from './clauses.ts';

/** Parses CREATE. */
export function parseCreate(cursor: Cursor): CreateClause {
  const { start } = cursor.advance();
  const { patterns, groupPredicates } = parsePatternList(cursor);
  refusePredicates(cursor, groupPredicates);
  return { kind: 'create', patterns, span: cursor.spanFrom(start) };
}

function refusePredicates(cursor: Cursor, predicates: readonly Expression[]): void {
  const [first] = predicates;
  if (first !== undefined)
    throw cursor.fault({ ...cursor.current, start: first.span.start }, 'UnexpectedSyntax', 'CREATE and MERGE take no WHERE');
}

/** Parses MERGE. */
export function parseMerge(cursor: Cursor): MergeClause {
  const { start } = cursor.advance();
  const predicates: Expression[] = [];
  const pattern = parsePathPattern(cursor, predicates);
  refusePredicates(cursor, predicates);
  const onCreate: SetItem[] = [];
  const onMatch: SetItem[] = [];
  while (cursor.acceptKeyword('ON')) {
    const event = cursor.expectAnyKeyword('CREATE', 'MATCH');
    cursor.expectKeyword('SET');
    (event.keyword === 'CREATE' ? onCreate : onMatch).push(...parseSetItems(cursor));
  }
  return { kind: 'merge', pattern, onCreate, onMatch, span: cursor.spanFrom(start) };
}

/** Parses SET. */
export function parseSet(cursor: Cursor): SetClause {
  const { start } = cursor.advance();
  return { kind: 'set', items: parseSetItems(cursor), span: cursor.spanFrom(start) };
}

function parseSetItems(cursor: Cursor): SetItem[] {
  const items: SetItem[] = [];
  do items.push(parseSetItem(cursor));
  while (cursor.acceptSymbol(','));
  return items;
}

function parseSetItem(cursor: Cursor): SetItem {
  const { start } = cursor.current;
  const target = parseTarget(cursor);
  if (target.kind === 'variable') {
    if (cursor.isSymbol(':') || cursor.isKeyword('IS')) {
      return { kind: 'setLabels', variable: target, labels: parseLabelNames(cursor), span: cursor.spanFrom(start) };
    }
    const merge = cursor.acceptSymbol('+=');
    if (!merge) cursor.expectSymbol('=');
    return { kind: 'setAll', variable: target, merge, value: parseExpression(cursor), span: cursor.spanFrom(start) };
  }
  cursor.expectSymbol('=');
  return { kind: 'setProperty', target, value: parseExpression(cursor), span: cursor.spanFrom(start) };
}

/** Parses the target of SET and REMOVE: `n`, `n.key`, `n[key]`, `(expression).key`. */
function parseTarget(cursor: Cursor): Variable | PropertyAccess | IndexAccess {
  const { start } = cursor.current;
  const target = parseLookups(cursor, parseAtom(cursor));
  if (target.kind === 'variable' || target.kind === 'property' || target.kind === 'index') return target;
  throw cursor.fault(
    { ...cursor.current, start },
    'UnexpectedSyntax',
    'expected a variable, as in `n:Label`, or a property, as in `n.key`',
  );
}

/** Parses REMOVE. */
export function parseRemove(cursor: Cursor): RemoveClause {
  const { start } = cursor.advance();
  const items: RemoveItem[] = [];
  do items.push(parseRemoveItem(cursor));
  while (cursor.acceptSymbol(','));
  return { kind: 'remove', items, span: cursor.spanFrom(start) };
}

function parseRemoveItem(cursor: Cursor): RemoveItem {
  const { start } = cursor.current;
  const target = parseTarget(cursor);
  if (target.kind === 'variable') {
    return { kind: 'removeLabels', variable: target, labels: parseLabelNames(cursor), span: cursor.spanFrom(start) };
  }
  return { kind: 'removeProperty', target, span: cursor.spanFrom(start) };
}

/** Parses DELETE. */
export function parseDelete(cursor: Cursor): DeleteClause {
  const { start } = cursor.current;
  const detach = cursor.acceptKeyword('DETACH');
  if (!detach) cursor.acceptKeyword('NODETACH');
  cursor.expectKeyword('DELETE');
  const expressions: Expression[] = [];
  do expressions.push(parseExpression(cursor));
  while (cursor.acceptSymbol(','));
  return { kind: 'delete', detach, expressions, span: cursor.spanFrom(start) };
}

/** Parses FOREACH. */
export function parseForeach(cursor: Cursor): ForeachClause {
  const { start } = cursor.advance();
  cursor.expectSymbol('(');
  return cursor.bracketed(() => {
    const variable = parseVariable(cursor);
    cursor.expectKeyword('IN');
    const list = beforeBar(cursor, () => parseExpression(cursor));
    cursor.expectSymbol('|');
    const clauses: Clause[] = [];
    while (!cursor.isSymbol(')')) {
      const clause = parseUpdateClause(cursor);
      if (clause === null) throw cursor.unexpected('CREATE, MERGE, SET, REMOVE, DELETE or FOREACH');
      clauses.push(clause);
    }
    if (clauses.length === 0) throw cursor.unexpected('CREATE, MERGE, SET, REMOVE, DELETE or FOREACH');
    cursor.expectSymbol(')');
    return { kind: 'foreach', variable, list, clauses, span: cursor.spanFrom(start) };
  });
}
