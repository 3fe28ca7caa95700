/**
 * Statements as canonical text. Parsing the text gives the same tree, except for places in the text. Columns keep their
 * names: an item without an alias gets its original text as alias if that was not canonical.
 */
import { unreachable } from '../../base/index.ts';
import type { CreateConstraint, CreateIndex, Expression, SchemaName, ShowCommand, Statement } from '../ast.ts';
import { formatExpression, formatType, formatWhere } from './expressions.ts';
import { formatName, formatString, formatVariable } from './names.ts';
import { formatProjection, formatQuery, formatYield } from './query.ts';

/** Formats a statement as canonical text. */
export function formatStatement(statement: Statement): string {
  return `${statement.mode === 'run' ? '' : `${statement.mode.toUpperCase()} `}${formatBody(statement.body)}`;
}

function formatBody(body: Statement['body']): string {
  switch (body.kind) {
    case 'query':
      return formatQuery(body, '\n');
    case 'show':
      return formatShow(body);
    case 'createIndex':
      return formatCreateIndex(body);
    case 'createConstraint':
      return formatCreateConstraint(body);
    case 'dropSchema':
      return `DROP ${body.what.toUpperCase()} ${formatDropped(body.name)}${body.ifExists ? ' IF EXISTS' : ''}`;
    case 'createDatabase':
      return `CREATE DATABASE ${formatDropped(body.name)}${body.ifNotExists ? ' IF NOT EXISTS' : ''}`;
    case 'dropDatabase':
      return `DROP DATABASE ${formatDropped(body.name)}${body.ifExists ? ' IF EXISTS' : ''}`;
    default:
      return unreachable(body, 'statement');
  }
}

function formatShow({ what, terminates, yield: yields, where, returns }: ShowCommand): string {
  const ids = terminates.map((id) => (typeof id === 'string' ? formatString(id) : formatExpression(id)));
  const start = what === 'terminations' ? `TERMINATE TRANSACTIONS ${ids.join(', ')}` : `SHOW ${what.toUpperCase()}`;
  return `${start}${formatYield(yields)}${formatWhere(where)}${returns === null ? '' : ` RETURN ${formatProjection(returns)}`}`;
}

/** Formats the optional name of an index or constraint with IF NOT EXISTS; a name that is a keyword of the grammar there is quoted. */
function formatSchemaName({ name, ifNotExists }: CreateIndex | CreateConstraint): string {
  return `${name === null ? '' : ` ${formatCreated(name)}`}${ifNotExists ? ' IF NOT EXISTS' : ''}`;
}

function formatCreated(name: SchemaName): string {
  if (typeof name !== 'string') return formatExpression(name);
  return ['IF', 'FOR'].includes(name.toUpperCase()) ? `\`${name}\`` : formatName(name);
}

const formatDropped = (name: SchemaName): string => (typeof name === 'string' ? formatVariable(name) : formatExpression(name));

const formatOptions = (options: Expression | null): string => (options === null ? '' : ` OPTIONS ${formatExpression(options)}`);

/** Formats the entity of an index or constraint: `(n:Label)` or `()-[r:TYPE]-()`. */
function formatEntity(created: CreateIndex | CreateConstraint): string {
  const { entity } = created;
  const names = created.kind === 'createIndex' ? created.labelsOrTypes : [created.labelOrType];
  const label = names.length === 0 ? '' : `:${names.map(formatName).join('|')}`;
  return entity === 'node' ? `(n${label})` : `()-[r${label}]-()`;
}

function formatProperties({ entity, properties }: Pick<CreateIndex, 'entity' | 'properties'>): string {
  return properties.map((property) => `${entity === 'node' ? 'n' : 'r'}.${formatName(property)}`).join(', ');
}

function formatCreateIndex(index: CreateIndex): string {
  const type = index.indexType === 'range' ? '' : `${index.indexType.toUpperCase()} `;
  return (
    `CREATE ${type}INDEX${formatSchemaName(index)} FOR ${formatEntity(index)} ON ` +
    `${formatIndexed(index)}${formatOptions(index.options)}`
  );
}

function formatIndexed(index: CreateIndex): string {
  if (index.indexType === 'lookup') return index.entity === 'node' ? 'EACH labels(n)' : 'EACH type(r)';
  if (index.indexType === 'fulltext') return `EACH [${formatProperties(index)}]`;
  const filters = index.filters.length === 0 ? '' : ` WITH [${formatProperties({ ...index, properties: index.filters })}]`;
  return `(${formatProperties(index)})${filters}`;
}

function formatCreateConstraint(constraint: CreateConstraint): string {
  const rule = `(${formatProperties(constraint)}) ${formatRule(constraint)}${formatOptions(constraint.options)}`;
  return `CREATE CONSTRAINT${formatSchemaName(constraint)} FOR ${formatEntity(constraint)} REQUIRE ${rule}`;
}

function formatRule({ constraint, propertyType }: CreateConstraint): string {
  switch (constraint) {
    case 'unique':
      return 'IS UNIQUE';
    case 'exists':
      return 'IS NOT NULL';
    case 'key':
      return 'IS KEY';
    case 'type':
      return `IS :: ${formatType(propertyType!)}`;
    default:
      return unreachable(constraint, 'constraint');
  }
}
