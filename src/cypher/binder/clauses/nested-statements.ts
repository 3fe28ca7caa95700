/**
 * Expansion of APOC procedures that are given statements as text: `apoc.do.when`, `apoc.case`, `apoc.cypher.run`,
 * `apoc.periodic.iterate` and others. Each becomes an equivalent CALL { … }, so that the inner statement is bound,
 * planned and charged with the outer one. The texts must be literals, since another text has another plan.
 */
import { countWork } from '../../../base/index.ts';
import type {
  CallProcedureClause,
  Clause,
  Expression,
  MapLiteral,
  Parameter,
  ProcedureYield,
  Query,
  ReturnClause,
  SingleQuery,
  Span,
  WithClause,
} from '../../ast.ts';
import { parse } from '../../parser/parse.ts';
import { rewrite, type TreeNode, walk } from '../../walk.ts';
import type { Analysis } from '../analysis.ts';

const VALUE = ' value';
const BRANCH = ' branch';
const READERS: ReadonlySet<string> = new Set(['apoc.when', 'apoc.case', 'apoc.cypher.run']);
const UPDATES: ReadonlySet<string> = new Set(['create', 'merge', 'set', 'remove', 'delete', 'foreach']);

/** Returns the clauses that replace a call; null for any other clause, and if the texts are not literals. */
export function expandNestedStatement(analysis: Analysis, clause: Clause, isFirst: boolean): readonly Clause[] | null {
  if (clause.kind !== 'callProcedure' || clause.arguments === null) return null;
  if (analysis.options.procedures?.(clause.name) === undefined) return null;
  const call = { ...clause, arguments: clause.arguments };
  switch (clause.name.toLowerCase()) {
    case 'apoc.when':
    case 'apoc.do.when':
      return conditional(analysis, call, { branches: call.arguments.slice(0, 2), rest: call.arguments.slice(2) });
    case 'apoc.case':
    case 'apoc.do.case': {
      const [branches] = call.arguments;
      return branches?.kind === 'list' ? conditional(analysis, call, { branches: branches.items, rest: call.arguments.slice(1) }) : null;
    }
    case 'apoc.cypher.run':
    case 'apoc.cypher.doit':
      return single(analysis, call);
    case 'apoc.periodic.iterate':
      return batches(analysis, call, isFirst);
  }
  return null;
}

interface Call extends CallProcedureClause {
  readonly arguments: readonly Expression[];
}

interface Nested {
  readonly query: Query;
  readonly span: Span;
}

// ---------------------------------------------------------------- shapes

/** Expands `[condition, statement, …]`, followed by the statement otherwise and a map of parameters. */
function conditional(
  analysis: Analysis,
  call: Call,
  { branches, rest }: { readonly branches: readonly Expression[]; readonly rest: readonly Expression[] },
): readonly Clause[] | null {
  const [otherwise = text(call.span, ''), parameters = emptyMap(call.span)] = rest;
  if (parameters.kind !== 'map') return null;
  const conditions = branches.filter((_, i) => i % 2 === 0);
  const statements = [...branches.filter((_, i) => i % 2 === 1), otherwise].map((each) => nested(analysis, call, each));
  if (conditions.length + 1 !== statements.length || statements.includes(null)) return null;
  const cases = conditions.map((_, i) => `WHEN $\`${i}\` THEN ${i}`).join(' ');
  const names = parameters.entries.map(({ key }) => quoted(key));
  const given = [quoted(BRANCH), ...names].join(', ');
  const inBranch = (i: number): string => `WITH ${given} WHERE ${quoted(BRANCH)} = ${i} CALL { RETURN $\`q${i}\` } RETURN ${quoted(VALUE)}`;
  const union = statements.map((_, i) => inBranch(i)).join(' UNION ALL ');
  const entries = parameters.entries.map(({ key }, i) => `, $\`p${i}\` AS ${quoted(key)}`).join('');
  const choice = `WITH CASE ${cases} ELSE ${conditions.length} END AS ${quoted(BRANCH)}${entries}`;
  const template = `CALL (*) { ${choice} CALL (${given}) { ${union} } RETURN ${quoted(VALUE)} AS ${outputName(call)} }`;
  const parts = new Map<string, Expression | Query>([
    ...conditions.map((condition, i) => [`${i}`, condition] as const),
    ...parameters.entries.map(({ value }, i) => [`p${i}`, value] as const),
    ...statements.map((each, i) => [`q${i}`, valued(analysis, call, each!.query, parameters)] as const),
  ]);
  return behind(analysis, call, inserted(clausesOf(template, call.span), parts)[0]!);
}

/** Expands `(statement, parameters)`. */
function single(analysis: Analysis, call: Call): readonly Clause[] | null {
  const [statement, parameters = emptyMap(call.span)] = call.arguments;
  const inner = statement === undefined ? null : nested(analysis, call, statement);
  if (inner === null || parameters.kind !== 'map') return null;
  const entries = parameters.entries.map(({ key }, i) => `$\`p${i}\` AS ${quoted(key)}`);
  const ahead = entries.length === 0 ? '' : `WITH ${entries.join(', ')} `;
  const template = `CALL (*) { ${ahead}CALL { RETURN $\`q\` } RETURN ${quoted(VALUE)} AS ${outputName(call)} }`;
  const parts = new Map<string, Expression | Query>(parameters.entries.map(({ value }, i) => [`p${i}`, value]));
  parts.set('q', valued(analysis, call, inner.query, parameters));
  return behind(analysis, call, inserted(clausesOf(template, call.span), parts)[0]!);
}

/** Computes the single row of results for all batches together; `$\`…\`` are replaced by the queries and the batch size. */
const BATCHES = `CALL () { RETURN $\`iterate\` }
CALL (*) { RETURN $\`action\` } IN TRANSACTIONS OF $\`size\` ROWS ON ERROR CONTINUE REPORT STATUS AS \` status\`
WITH \` status\`.transactionId AS \` id\`, \` status\`.committed AS \` ok\`, \` status\`.errorMessage AS \` error\`, count(*) AS \` rows\`
WITH count(*) AS batches, coalesce(sum(\` rows\`), 0) AS total, sum(CASE WHEN \` ok\` THEN \` rows\` ELSE 0 END) AS committedOperations,
  sum(CASE WHEN \` ok\` THEN 0 ELSE 1 END) AS failedBatches, collect(\` error\`) AS \` errors\`
WITH *, total - committedOperations AS failedOperations, apoc.coll.frequenciesAsMap(\` errors\`) AS errorMessages
WITH batches, total, (datetime.realtime().epochMillis - datetime.statement().epochMillis) / 1000 AS timeTaken,
  committedOperations, failedOperations, failedBatches, 0 AS retries, errorMessages,
  {total: batches, committed: batches - failedBatches, failed: failedBatches, errors: errorMessages} AS batch,
  {total: total, committed: committedOperations, failed: failedOperations, errors: errorMessages} AS operations, false AS wasTerminated`;

/** Expands `(statement for rows, statement for each row, configuration)`. */
function batches(analysis: Analysis, call: Call, isFirst: boolean): readonly Clause[] | null {
  const [iterate, action, configuration = emptyMap(call.span)] = call.arguments;
  if (iterate === undefined || action === undefined) return null;
  const [rows, each] = [nested(analysis, call, iterate), nested(analysis, call, action)];
  if (rows === null || each === null) return null;
  if (!isFirst)
    throw analysis.fault(
      call,
      'InvalidClauseComposition',
      `${call.name} stands at the beginning of a statement, whose transactions it commits`,
    );
  const size = entry(configuration, 'batchSize') ?? number(call.span, 10_000);
  const parameters = entry(configuration, 'params') ?? emptyMap(call.span);
  const given = parameters.kind === 'map' ? parameters : emptyMap(call.span);
  const parts = new Map<string, Expression | Query>([
    ['iterate', withValues(aliased(rows.query), given)],
    ['action', withColumns(withValues(unit(each.query), given), columnsOf(rows.query))],
    ['size', size],
  ]);
  return named(analysis, call, inserted(clausesOf(BATCHES, call.span), parts).map(joining));
}

/** Lets batches join a transaction of the caller, where none is committed and an error is one of the transaction. */
function joining(clause: Clause): Clause {
  if (clause.kind !== 'callSubquery' || clause.inTransactions === null) return clause;
  return { ...clause, inTransactions: { ...clause.inTransactions, joinsTransaction: true } };
}

// ---------------------------------------------------------------- inner statements

/** Parses the statement of a literal text; null if the expression is no literal text. An empty text returns an empty map. */
function nested(analysis: Analysis, call: Call, expression: Expression): Nested | null {
  const given = expression.kind === 'literal' ? expression.value : null;
  if (typeof given !== 'string') return null;
  const { span } = expression;
  if (given.trim() === '') return { query: withoutColumns(queryOf('RETURN {}', span)), span };
  const query = parsed(analysis, call, given, span);
  if (READERS.has(call.name.toLowerCase())) refuseUpdates(analysis, call, { query, span });
  return { query, span };
}

function refuseUpdates(analysis: Analysis, call: Call, { query, span }: Nested): void {
  walk(query, ({ kind }) => {
    if (!UPDATES.has(kind)) return undefined;
    const problem = `${call.name} reads; apoc.do.when, apoc.do.case and apoc.cypher.doIt write`;
    throw analysis.fault({ span }, 'InvalidClauseComposition', problem);
  });
}

function parsed(analysis: Analysis, call: Call, given: string, span: Span): Query {
  let problem = 'it is no query';
  try {
    const { body, mode } = parse(given);
    if (body.kind === 'query' && mode === 'run') return placed(body, span);
  } catch (error) {
    problem = (error as Error).message;
  }
  throw analysis.fault({ span }, 'UnexpectedSyntax', `in the statement that ${call.name} is given: ${problem}`);
}

/**
 * Returns a query with one column, a map of the columns of the given query, in which parameters become variables. A
 * query that returns nothing yields no rows.
 */
function valued(analysis: Analysis, call: Call, query: Query, parameters: MapLiteral): Query {
  const imports = parameters.entries.map(({ key }) => quoted(key)).join(', ');
  const ahead = imports === '' ? [] : clausesOf(`WITH ${imports}`, call.span);
  const parts = withVariables(query, parameters).parts.map((part): SingleQuery => {
    const last = part.clauses.at(-1)!;
    const clauses = [...ahead, ...part.clauses];
    if (last.kind === 'return') return { ...part, clauses: [...clauses.slice(0, -1), ...mapped(analysis, call, last)] };
    const template = `CALL { RETURN $\`unit\` } WITH 1 AS \` none\` WHERE false RETURN {} AS ${quoted(VALUE)}`;
    const inner: Query = { ...query, parts: [{ ...part, clauses }], unions: [] };
    return { ...part, clauses: [...ahead, ...inserted(queryOf(template, last.span).parts[0]!.clauses, new Map([['unit', inner]]))] };
  });
  return { ...query, parts };
}

/** Replaces a RETURN by the clauses that return its columns as a map. */
function mapped(analysis: Analysis, call: Call, { projection, span }: ReturnClause): Clause[] {
  const problem = `the statement that ${call.name} is given names what it returns: RETURN * has no names there`;
  if (projection.star) throw analysis.fault(call, 'UnexpectedSyntax', problem);
  if (projection.items.length === 0) return [...queryOf(`RETURN {} AS ${quoted(VALUE)}`, span).parts[0]!.clauses];
  const items = projection.items.map((item) => ({ ...item, variable: { ...item.variable, name: item.column }, aliased: true }));
  const columns = items.map(({ column }) => `${quoted(column)}: ${quoted(column)}`).join(', ');
  const [returned] = queryOf(`RETURN {${columns}} AS ${quoted(VALUE)}`, span).parts[0]!.clauses;
  return [{ kind: 'with', projection: { ...projection, items }, where: null, span }, returned!];
}

/** Returns the query with an explicit alias for each column. */
function aliased(query: Query): Query {
  const parts = query.parts.map((part): SingleQuery => {
    const last = part.clauses.at(-1)!;
    if (last.kind !== 'return') return part;
    const items = last.projection.items.map((item) => ({ ...item, variable: { ...item.variable, name: item.column }, aliased: true }));
    return { ...part, clauses: [...part.clauses.slice(0, -1), { ...last, projection: { ...last.projection, items } }] };
  });
  return { ...query, parts };
}

function withoutColumns(query: Query): Query {
  const parts = query.parts.map((part): SingleQuery => {
    const clauses = part.clauses.map((clause) =>
      clause.kind === 'return' ? { ...clause, projection: { ...clause.projection, items: [] } } : clause,
    );
    return { ...part, clauses };
  });
  return { ...query, parts };
}

/** Returns the query without its RETURN, for its effect only. */
function unit(query: Query): Query {
  const parts = query.parts.map((part): SingleQuery => {
    const last = part.clauses.at(-1)!;
    if (last.kind !== 'return') return part;
    return { ...part, clauses: [...part.clauses.slice(0, -1), { kind: 'finish', span: last.span }] };
  });
  return { ...query, parts };
}

function columnsOf({ parts }: Query): string[] {
  const last = parts[0]!.clauses.at(-1)!;
  return last.kind === 'return' ? last.projection.items.map(({ column }) => column) : [];
}

// ---------------------------------------------------------------- parameters

/** Replaces each parameter `$key` that the map has by the variable of that name. */
const withVariables = (query: Query, { entries }: MapLiteral): Query =>
  withColumns(
    query,
    entries.map(({ key }) => key),
  );

function withColumns(query: Query, names: readonly string[]): Query {
  return rewrite(query, (node) => {
    if (node.kind !== 'parameter') return undefined;
    const { name, span } = node as Parameter;
    return names.includes(name) ? ({ kind: 'variable', name, span } as TreeNode) : undefined;
  });
}

/** Replaces each parameter `$key` that the map has by its value in the map. */
function withValues(query: Query, { entries }: MapLiteral): Query {
  return rewrite(query, (node) => {
    if (node.kind !== 'parameter') return undefined;
    return entries.find(({ key }) => key === (node as Parameter).name)?.value;
  });
}

function entry(map: Expression, key: string): Expression | undefined {
  if (map.kind === 'map') return map.entries.find((each) => each.key === key)?.value;
  return { kind: 'property', subject: map, key, span: map.span } as Expression;
}

// ---------------------------------------------------------------- results

/** Returns the variable, in backticks, for the only field of the procedure. */
function outputName({ yields }: Call): string {
  const name = yields === null || yields === '*' ? undefined : yields[0]?.variable.name;
  return quoted(name ?? 'value');
}

/** Returns the clause followed by the clauses that apply the YIELD and WHERE of the call. */
function behind(analysis: Analysis, call: Call, clause: Clause): readonly Clause[] {
  const { yields, where, standalone, span } = call;
  if (Array.isArray(yields)) checkFields(analysis, call, yields);
  const subquery = clause.kind === 'callSubquery' ? { ...clause, optional: call.optional } : clause;
  const filter: Clause[] = where === null ? [] : [{ ...(clausesOf('WITH *', span)[0] as WithClause), where }];
  const returned = standalone ? queryOf(`RETURN ${outputName(call)}`, span).parts[0]!.clauses : [];
  return [subquery, ...filter, ...returned];
}

function checkFields(analysis: Analysis, call: Call, yields: readonly ProcedureYield[]): void {
  const outputs = analysis.options.procedures?.(call.name)?.outputs.map(({ name }) => name) ?? [];
  const unknown = yields.find(({ field }) => !outputs.includes(field));
  if (unknown !== undefined)
    throw analysis.fault(
      unknown,
      'UndefinedVariable',
      `procedure \`${call.name}\` yields no \`${unknown.field}\`; it yields ${outputs.join(', ')}`,
    );
}

/** Returns the clauses, whose last one has a column for each field, followed by those that apply YIELD and WHERE. */
function named(analysis: Analysis, call: Call, clauses: readonly Clause[]): readonly Clause[] {
  const { yields, where, standalone, span } = call;
  if (!Array.isArray(yields)) {
    const all = analysis.options.procedures?.(call.name)?.outputs.map(({ name }) => name) ?? [];
    return standalone ? [...clauses, ...queryOf(`RETURN ${all.join(', ')}`, span).parts[0]!.clauses] : clauses;
  }
  const fields = yields as readonly ProcedureYield[];
  checkFields(analysis, call, fields);
  const items = fields.map(({ field, variable }) => `${quoted(field)} AS ${quoted(variable.name)}`).join(', ');
  if (items === '') return clauses;
  if (standalone && where === null) return [...clauses, ...queryOf(`RETURN ${items}`, span).parts[0]!.clauses];
  const projection = { ...(clausesOf(`WITH ${items}`, span)[0] as WithClause), where };
  const returned = standalone
    ? queryOf(`RETURN ${fields.map(({ variable }) => quoted(variable.name)).join(', ')}`, span).parts[0]!.clauses
    : [];
  return [...clauses, projection, ...returned];
}

// ---------------------------------------------------------------- templates

const quoted = (name: string): string => `\`${name.replaceAll('`', '``')}\``;
const text = (span: Span, value: string): Expression => ({ kind: 'literal', value, span });
const number = (span: Span, value: number): Expression => ({ kind: 'literal', value, span });
const emptyMap = (span: Span): MapLiteral => ({ kind: 'map', entries: [], span });

function queryOf(template: string, span: Span): Query {
  return placed((parse(template) as { readonly body: Query }).body, span);
}

/** Parses clauses that are not the end of a query: a RETURN is added for the parser and then removed. */
const clausesOf = (template: string, span: Span): Clause[] => queryOf(`${template} RETURN 1 AS one`, span).parts[0]!.clauses.slice(0, -1);

/** Replaces each parameter `$\`name\`` by an expression, and each query `RETURN $\`name\`` by another query. */
function inserted(clauses: readonly Clause[], parts: ReadonlyMap<string, Expression | Query>): readonly Clause[] {
  return rewrite(clauses, (node) => {
    if (node.kind === 'parameter') return parts.get((node as Parameter).name);
    if (node.kind !== 'query') return undefined;
    const [first] = (node as Query).parts[0]!.clauses;
    const expression = first?.kind === 'return' ? first.projection.items[0]?.expression : undefined;
    const found = expression?.kind === 'parameter' ? parts.get(expression.name) : undefined;
    return found?.kind === 'query' ? found : undefined;
  });
}

/** Returns the tree with all spans replaced by one, so that faults inside are reported there. */
function placed<T>(tree: T, span: Span): T {
  countWork(1);
  if (Array.isArray(tree)) return tree.map((item) => placed(item, span)) as T;
  if (typeof tree !== 'object' || tree === null || Object.getPrototypeOf(tree) !== Object.prototype) return tree;
  const entries = Object.entries(tree).map(([key, member]) => [key, key === 'span' ? span : placed(member, span)]);
  return Object.fromEntries(entries) as T;
}
