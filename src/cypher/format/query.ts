/** Queries and their clauses as canonical text. */
import { unreachable } from '../../base/index.ts';
import type {
  CallProcedureClause,
  CallSubqueryClause,
  Clause,
  IndexSearch,
  InTransactions,
  LoadCsvClause,
  MergeClause,
  ProcedureYield,
  Projection,
  ProjectionItem,
  Query,
  RemoveItem,
  SetItem,
  SingleQuery,
  SortItem,
} from '../ast.ts';
import { formatExpression, formatWhere } from './expressions.ts';
import { formatLabelNames } from './labels.ts';
import { formatDottedName, formatName, formatString, formatVariable } from './names.ts';
import { formatPathPattern } from './patterns.ts';

/** Formats a query, with `separator` between clauses. */
export function formatQuery(query: Query, separator: '\n' | ' '): string {
  return query.parts
    .map(
      (part, i) =>
        (i === 0 ? '' : `${separator}UNION ${query.unions[i - 1] === 'all' ? 'ALL' : 'DISTINCT'}${separator}`) +
        formatSingle(part, separator),
    )
    .join('');
}

function formatSingle(part: SingleQuery, separator: string): string {
  return part.clauses.map(formatClause).join(separator);
}

function formatSearch(search: IndexSearch | undefined): string {
  if (search === undefined) return '';
  const { variable, indexType, query, where, limit, score } = search;
  const name = typeof search.name === 'string' ? formatVariable(search.name) : formatExpression(search.name);
  const index =
    `${indexType.toUpperCase()} INDEX ${name} FOR ${formatExpression(query)}${formatWhere(where)} LIMIT ` + `${formatExpression(limit)}`;
  return ` SEARCH ${formatVariable(variable.name)} IN (${index})${score === null ? '' : ` SCORE AS ${formatVariable(score.name)}`}`;
}

function formatClause(clause: Clause): string {
  switch (clause.kind) {
    case 'match':
      return (
        `${clause.optional ? 'OPTIONAL ' : ''}MATCH ` +
        `${clause.patterns.map(formatPathPattern).join(', ')}${formatSearch(clause.search)}${formatWhere(clause.where)}`
      );
    case 'unwind':
      return `UNWIND ${formatExpression(clause.expression)} AS ${formatVariable(clause.variable.name)}`;
    case 'with':
      return `WITH ${formatProjection(clause.projection)}${formatWhere(clause.where)}`;
    case 'return':
      return `RETURN ${formatProjection(clause.projection)}`;
    case 'create':
      return `CREATE ${clause.patterns.map(formatPathPattern).join(', ')}`;
    case 'merge':
      return formatMerge(clause);
    case 'set':
      return `SET ${clause.items.map(formatSetItem).join(', ')}`;
    case 'remove':
      return `REMOVE ${clause.items.map(formatRemoveItem).join(', ')}`;
    case 'delete':
      return `${clause.detach ? 'DETACH ' : ''}DELETE ${clause.expressions.map(formatExpression).join(', ')}`;
    case 'foreach':
      return (
        `FOREACH (${formatVariable(clause.variable.name)} IN ${formatExpression(clause.list)} | ` +
        `${clause.clauses.map(formatClause).join(' ')})`
      );
    case 'callProcedure':
      return formatProcedureCall(clause);
    case 'callSubquery':
      return formatSubqueryCall(clause);
    case 'loadCsv':
      return formatLoadCsv(clause);
    case 'finish':
      return 'FINISH';
    default:
      return unreachable(clause, 'clause');
  }
}

/** Formats a projection. */
export function formatProjection({ distinct, star, items, orderBy, skip, limit }: Projection): string {
  const columns = [...(star ? ['*'] : []), ...items.map(formatItem)].join(', ');
  const order = orderBy.length === 0 ? '' : ` ORDER BY ${orderBy.map(formatSort).join(', ')}`;
  const from = skip === null ? '' : ` SKIP ${formatExpression(skip)}`;
  const most = limit === null ? '' : ` LIMIT ${formatExpression(limit)}`;
  return `${distinct ? 'DISTINCT ' : ''}${columns}${order}${from}${most}`;
}

/** Formats an item, without an alias only if the text of the expression gives the same column name. */
function formatItem({ expression, variable, aliased }: ProjectionItem): string {
  const text = formatExpression(expression);
  const ownName = expression.kind === 'variable' ? expression.name : expression.kind === 'mapProjection' ? expression.subject.name : text;
  return !aliased && ownName === variable.name ? text : `${text} AS ${formatVariable(variable.name)}`;
}

function formatSort({ expression, descending }: SortItem): string {
  return `${formatExpression(expression)}${descending ? ' DESC' : ''}`;
}

function formatMerge({ pattern, onCreate, onMatch }: MergeClause): string {
  const on = (event: string, items: readonly SetItem[]): string =>
    items.length === 0 ? '' : ` ON ${event} SET ${items.map(formatSetItem).join(', ')}`;
  return `MERGE ${formatPathPattern(pattern)}${on('CREATE', onCreate)}${on('MATCH', onMatch)}`;
}

function formatSetItem(item: SetItem): string {
  switch (item.kind) {
    case 'setProperty':
      return `${formatExpression(item.target)} = ${formatExpression(item.value)}`;
    case 'setAll':
      return `${formatVariable(item.variable.name)} ${item.merge ? '+=' : '='} ${formatExpression(item.value)}`;
    case 'setLabels':
      return formatVariable(item.variable.name) + formatLabelNames(item.labels);
    default:
      return unreachable(item, 'SET item');
  }
}

function formatRemoveItem(item: RemoveItem): string {
  return item.kind === 'removeProperty'
    ? formatExpression(item.target)
    : formatVariable(item.variable.name) + formatLabelNames(item.labels);
}

function formatProcedureCall({ optional, name, arguments: args, yields, where }: CallProcedureClause): string {
  const list = args === null ? '' : `(${args.map(formatExpression).join(', ')})`;
  return `${optional ? 'OPTIONAL ' : ''}CALL ${formatDottedName(name)}${list}${formatYield(yields)}${formatWhere(where)}`;
}

/** Formats the YIELD of a procedure call; null gives an empty text. */
export function formatYield(yields: readonly ProcedureYield[] | '*' | null): string {
  if (yields === null) return '';
  if (yields === '*') return ' YIELD *';
  return ` YIELD ${yields.length === 0 ? '-' : yields.map(formatYieldItem).join(', ')}`;
}

function formatYieldItem({ field, variable }: ProcedureYield): string {
  return field === variable.name ? formatVariable(field) : `${formatName(field)} AS ${formatVariable(variable.name)}`;
}

function formatSubqueryCall({ optional, imports, query, inTransactions }: CallSubqueryClause): string {
  const list = imports === null ? '' : `(${imports === '*' ? '*' : imports.map(({ name }) => formatVariable(name)).join(', ')}) `;
  const transactions = inTransactions === null ? '' : formatTransactions(inTransactions);
  return `${optional ? 'OPTIONAL ' : ''}CALL ${list}{ ${formatQuery(query, ' ')} }${transactions}`;
}

function formatTransactions({ batchSize, onError, reportStatus }: InTransactions): string {
  const rows = batchSize === null ? '' : ` OF ${formatExpression(batchSize)} ROWS`;
  const error = onError === 'fail' ? '' : ` ON ERROR ${onError.toUpperCase()}`;
  return ` IN TRANSACTIONS${rows}${error}${reportStatus === null ? '' : ` REPORT STATUS AS ${formatVariable(reportStatus.name)}`}`;
}

function formatLoadCsv({ withHeaders, from, variable, fieldTerminator }: LoadCsvClause): string {
  const terminator = fieldTerminator === null ? '' : ` FIELDTERMINATOR ${formatString(fieldTerminator)}`;
  return `LOAD CSV ${withHeaders ? 'WITH HEADERS ' : ''}FROM ${formatExpression(from)} AS ${formatVariable(variable.name)}${terminator}`;
}
