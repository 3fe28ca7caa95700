/**
 * Semantic analysis, from a syntax tree to the bound tree. In a bound tree names are unique and known, `*` is expanded,
 * parts that YIELD and CALL leave implicit are explicit, and all faults that can be found without data have been
 * reported.
 */
import { assert, unreachable } from '../../base/index.ts';
import type { BoundStatement, Parameter, SchemaCommand, Statement } from '../ast.ts';
import { walk } from '../walk.ts';
import { Analysis, type AnalyzeOptions } from './analysis.ts';
import { bindQuery, type Column } from './clauses/clauses.ts';
import { bindShow } from './clauses/show.ts';
import { Scope } from './scope.ts';

/**
 * Analyzes a statement. `text` must be the text that it was parsed from, since faults are reported with places in it.
 *
 * @throws SEMANTIC_ERROR, TYPE_ERROR, SYNTAX_ERROR (such as a pattern where none is allowed), each with line, column
 *   and the TCK's classification
 */
export function analyze(statement: Statement, text: string, options: AnalyzeOptions = {}): BoundStatement {
  const analysis = new Analysis(text, options);
  const { body, columns } = bindBody(analysis, statement);
  return {
    statement: { ...statement, body },
    columns: (columns ?? []).map(({ name, variable }) => ({ name, variable })),
    variableTypes: analysis.variableTypes(),
    writes: analysis.writes,
    callsSchemaProcedure: analysis.callsSchemaProcedure,
    parameters: analysis.parameters,
  };
}

interface BoundBody {
  readonly body: Statement['body'];
  readonly columns: readonly Column[] | null;
}

function bindBody(analysis: Analysis, { body }: Statement): BoundBody {
  switch (body.kind) {
    case 'query': {
      const { query, columns } = bindQuery(analysis, body, () => new Scope(), { aliases: false, readOnly: false });
      return { body: query, columns };
    }
    case 'show': {
      const { command, columns } = bindShow(analysis, body);
      return { body: command, columns };
    }
    case 'createIndex':
    case 'createConstraint':
    case 'dropSchema':
      analysis.writes = true;
      return { body: checkSchema(analysis, body), columns: null };
    case 'createDatabase':
    case 'dropDatabase':
      if (typeof body.name !== 'string') analysis.parameters.add(body.name.name);
      return { body, columns: null };
    default:
      return unreachable(body, 'statement');
  }
}

function checkSchema(analysis: Analysis, command: SchemaCommand): SchemaCommand {
  walk(command, (node) => {
    if (node.kind === 'parameter') analysis.parameters.add((node as Parameter).name);
    return undefined;
  });
  if (command.kind === 'dropSchema') return command;
  const properties = command.kind === 'createIndex' ? [...command.properties, ...command.filters] : command.properties;
  const repeated = properties.find((property, i) => properties.indexOf(property) < i);
  if (repeated !== undefined) throw analysis.fault(command, 'ColumnNameConflict', `property \`${repeated}\` is named twice`);
  if (properties.includes('_id')) {
    const problem = '_id is the internal identifier, and no property: it is always there, unique, and found without an index';
    throw analysis.fault(command, 'PropertyIsImmutable', problem);
  }
  if (
    command.kind === 'createConstraint' &&
    (command.constraint === 'exists' || command.constraint === 'type') &&
    command.properties.length > 1
  ) {
    throw analysis.fault(command, 'UnexpectedSyntax', 'this constraint is about one property');
  }
  if (command.kind === 'createIndex' && (command.indexType === 'text' || command.indexType === 'vector') && command.properties.length > 1) {
    throw analysis.fault(command, 'UnexpectedSyntax', `a ${command.indexType} index is about one property`);
  }
  assert(
    command.properties.length > 0 || (command.kind === 'createIndex' && command.indexType === 'lookup'),
    'a schema command names properties',
  );
  return command;
}
