/**
 * Binding of subqueries. EXISTS, COUNT and COLLECT see every variable around them, even after a WITH of their own. CALL
 * sees the variables that it imports: by `CALL (a, b)` in the whole subquery, or by an initial `WITH a, b` until its
 * next WITH. In the bound tree the imports are always listed, and the importing WITH is removed.
 */
import type {
  CallSubqueryClause,
  Clause,
  InTransactions,
  Projection,
  Query,
  SingleQuery,
  SubqueryExpression,
  Variable,
} from '../../ast.ts';
import type { Analysis } from '../analysis.ts';
import { bindQuery, type ClauseRules, declareNew } from '../clauses/clauses.ts';
import { bindConstant } from '../clauses/constants.ts';
import { alreadyBound } from '../patterns.ts';
import { Scope } from '../scope.ts';
import { BOOLEAN, INTEGER, listOf, MAP, type Typed } from '../types.ts';
import type { Environment } from './expressions.ts';

/** Binds EXISTS, COUNT or COLLECT. */
export function bindSubqueryExpression(analysis: Analysis, env: Environment, node: SubqueryExpression): Typed {
  const { query, columns } = bindQuery(analysis, node.query, () => env.scope.inner(), { aliases: false, readOnly: true });
  const expression = { ...node, query };
  if (node.mode === 'exists') return { expression, type: BOOLEAN };
  if (node.mode === 'count') return { expression, type: INTEGER };
  if (columns?.length !== 1)
    throw analysis.fault(node, 'InvalidClauseComposition', `COLLECT { … } must return one column, not ${columns?.length ?? 0}`);
  return { expression, type: listOf(columns[0]!.type) };
}

/** Binds CALL of a subquery. */
export function bindSubqueryCall(analysis: Analysis, scope: Scope, clause: CallSubqueryClause, rules: ClauseRules): CallSubqueryClause {
  const imported = clause.imports === null ? importByWith(scope, clause.query) : importByList(analysis, scope, clause);
  if (clause.inTransactions !== null) refuseBatches(analysis, clause, rules);
  const { isInBatches, isRepeated } = analysis;
  analysis.isInBatches ||= clause.inTransactions !== null;
  analysis.isRepeated ||= !rules.isFirst;
  const { query, columns } = bindQuery(analysis, imported.query, imported.scopeOf, { aliases: true, readOnly: rules.readOnly });
  analysis.isInBatches = isInBatches;
  analysis.isRepeated = isRepeated;
  for (const { name, variable, type } of columns ?? []) {
    if (scope.lookup(name) !== undefined) throw alreadyBound(analysis, columnVariable(clause, name));
    scope.bind(name, { name: variable, type });
  }
  const inTransactions = clause.inTransactions === null ? null : bindTransactions(analysis, scope, clause.inTransactions);
  // Even batches that only read end the transactions of a statement that may write.
  if (inTransactions !== null) {
    analysis.writes = true;
    analysis.repeatsBatches ||= isRepeated;
  }
  return { ...clause, imports: imported.variables, query, inTransactions };
}

/** Refuses batches that would end a transaction with other writes, which rolling back a batch would undo as well. */
function refuseBatches(analysis: Analysis, clause: CallSubqueryClause, rules: ClauseRules): void {
  const problem = analysis.isInBatches
    ? 'inside another one'
    : analysis.writesOutsideBatches
      ? 'after a clause that writes'
      : rules.readOnly
        ? 'inside EXISTS, COUNT or COLLECT'
        : null;
  if (problem !== null) throw analysis.fault(clause, 'InvalidClauseComposition', `CALL … IN TRANSACTIONS cannot stand ${problem}`);
}

/** Returns the variable of a returned column, for its place in the text. */
function columnVariable(clause: CallSubqueryClause, name: string): Variable {
  const last = clause.query.parts[0]!.clauses.at(-1)!;
  const item = last.kind === 'return' ? last.projection.items.find(({ column }) => column === name) : undefined;
  return { kind: 'variable', name, span: item?.variable.span ?? clause.span };
}

interface Imported {
  /** The query without its importing WITHs. */
  readonly query: Query;
  readonly scopeOf: (part: number) => Scope;
  readonly variables: readonly Variable[];
}

function importByList(analysis: Analysis, scope: Scope, { imports, query, span }: CallSubqueryClause): Imported {
  const names: readonly Variable[] = imports === '*' ? visibleVariables(scope, span.start) : (imports as readonly Variable[]);
  const outer = new Scope();
  const variables = names.map((variable) => {
    const binding = analysis.resolve(scope, variable);
    if (outer.lookup(variable.name) !== undefined) throw alreadyBound(analysis, variable);
    outer.bind(variable.name, binding);
    return { ...variable, name: binding.name };
  });
  return { query, scopeOf: () => outer.inner(), variables };
}

function visibleVariables(scope: Scope, start: number): Variable[] {
  return [...scope.names()].sort().map((name) => ({ kind: 'variable', name, span: { start, end: start } }));
}

function importByWith(scope: Scope, query: Query): Imported {
  const scopes: Scope[] = [];
  const variables = new Map<string, Variable>();
  const parts = query.parts.map((part): SingleQuery => {
    const inner = new Scope();
    scopes.push(inner);
    const names = importedNames(scope, part.clauses[0]!);
    if (names === null) return part;
    for (const variable of names) {
      const binding = scope.lookup(variable.name)!;
      inner.bind(variable.name, binding);
      variables.set(binding.name, { ...variable, name: binding.name });
    }
    return { ...part, clauses: part.clauses.slice(1) };
  });
  return { query: { ...query, parts }, scopeOf: (part) => scopes[part]!, variables: [...variables.values()] };
}

/** Returns the variables of a WITH that only imports outer variables; null for any other clause. */
function importedNames(scope: Scope, clause: Clause): readonly Variable[] | null {
  if (clause.kind !== 'with' || clause.where !== null || !isBare(clause.projection)) return null;
  const { star, items, span } = clause.projection;
  const names = items.map(({ variable }) => variable);
  const plain = items.every(
    ({ expression, variable }) =>
      expression.kind === 'variable' && expression.name === variable.name && scope.lookup(variable.name) !== undefined,
  );
  if (!plain) return null;
  return star ? [...visibleVariables(scope, span.start), ...names] : names;
}

function isBare({ distinct, orderBy, skip, limit }: Projection): boolean {
  return !distinct && orderBy.length === 0 && skip === null && limit === null;
}

function bindTransactions(analysis: Analysis, scope: Scope, options: InTransactions): InTransactions {
  const batchSize = options.batchSize === null ? null : bindConstant(analysis, options.batchSize, 'OF … ROWS');
  const reportStatus = options.reportStatus === null ? null : declareNew(analysis, scope, options.reportStatus, MAP);
  return { ...options, batchSize, reportStatus };
}
