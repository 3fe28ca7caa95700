/**
 * Lowers MATCH, OPTIONAL MATCH and patterns that are predicates: each node and relationship becomes a scan of the
 * tables that may hold it, joined by ordinals. Relationships of one MATCH must differ from each other. Scans give every
 * column a new name, so that conditions need no qualifiers, even in subqueries.
 */
import {
  type Clause,
  containsAggregate,
  type Expression,
  type LabelExpression,
  type MatchClause,
  type NodePattern,
  type PathPattern,
  type RelationshipPattern,
} from '../cypher/index.ts';
import { isAggregate } from './aggregates.ts';
import { equality } from './comparisons.ts';
import { boolean, type Environment, labelCondition, literal, lower, mentioned } from './expressions.ts';
import type { Program } from './program.ts';
import { allColumns, type Binding, type Column, columnsOf, type EntityBinding, type Rows } from './scope.ts';
import { nodeProperties, type PropertyTypes, relationshipProperties, united } from './shape.ts';
import { BOOLEAN, haveOneColumn, INTEGER, type Place, type SqlExpression, type SqlType, STRING } from './types.ts';

const LABELS_TYPE: SqlType = { kind: 'list', item: STRING };

/** The most steps of a walk: each length needs a join for each of its steps. */
const MOST_HOPS = 8;

/** The ordinal of a relationship, or the ordinals of those of a walk. */
interface Hops {
  readonly ordinals: readonly string[];
  readonly mayBeNull: boolean;
}

interface WalkColumns {
  readonly start: string;
  readonly end: string;
  readonly ordinals: readonly string[];
}

function differences(a: Hops, b: Hops): string[] {
  const isPlain = !a.mayBeNull && !b.mayBeNull;
  return a.ordinals.flatMap((one) => b.ordinals.map((other) => (isPlain ? `${one} <> ${other}` : `coalesce(${one} <> ${other}, TRUE)`)));
}

function noWalks({ dialect }: Program, { start, end, ordinals }: WalkColumns): string {
  return (
    `SELECT ${[start, end, ...ordinals].map((name) => `CAST(NULL AS ${dialect.typeName(INTEGER)}) AS ${name}`).join(', ')} ` + 'WHERE FALSE'
  );
}

/** The tables and conditions that patterns add to FROM and WHERE. */
class Joined {
  readonly program: Program;
  readonly bindings: Map<string, Binding>;
  readonly from: string[] = [];
  readonly conditions: string[] = [];
  readonly #exists: Environment['exists'];
  readonly #relationships: Hops[] = [];

  constructor(environment: Environment) {
    this.program = environment.program;
    this.bindings = new Map(environment.bindings);
    this.#exists = environment.exists;
  }

  get environment(): Environment {
    return { program: this.program, bindings: this.bindings, exists: this.#exists };
  }

  add(patterns: readonly PathPattern[], where: Expression | null): void {
    for (const pattern of patterns) this.#path(pattern);
    for (const [index, hops] of this.#relationships.entries())
      for (const others of this.#relationships.slice(0, index)) this.conditions.push(...differences(others, hops));
    if (where !== null) this.conditions.push(boolean(this.program, lower(this.environment, where), where));
  }

  #path({ variable, selector, elements, span }: PathPattern): void {
    if (variable !== null) throw this.program.refuse('a path as a value', variable);
    if (selector !== null) throw this.program.refuse('a shortest path', { span });
    const nodes = elements.map((element) => (element.kind === 'nodePattern' ? this.#node(element) : null));
    for (const [index, element] of elements.entries()) {
      if (element.kind === 'quantifiedPattern') throw this.program.refuse('a quantified pattern', element);
      if (element.kind === 'relationshipPattern') this.#relationship(element, nodes[index - 1]!, nodes[index + 1]!);
    }
  }

  #node({ variable, labels, properties, where, span }: NodePattern): EntityBinding {
    const name = variable?.name ?? this.program.fresh('#');
    let entity = this.#bound(name, 'node', { span });
    if (entity === null) {
      const required = requiredLabels(labels);
      entity = this.#scanNodes(required ?? [], { span });
      this.bindings.set(name, entity);
      if (required === null && labels !== null) this.conditions.push(labelCondition(this.program, entity, labels));
    } else {
      // An OPTIONAL MATCH may have left it null, and null matches nothing.
      this.conditions.push(`${entity.ordinal} IS NOT NULL`);
      if (labels !== null) this.conditions.push(labelCondition(this.program, entity, labels));
    }
    this.#narrow(entity, properties, where);
    return entity;
  }

  #relationship(pattern: RelationshipPattern, left: EntityBinding, right: EntityBinding): void {
    const { variable, direction, length, properties, where } = pattern;
    if (length !== null) {
      this.#walks(pattern, length, left, right);
      return;
    }
    const name = variable?.name ?? this.program.fresh('#');
    const known = this.#bound(name, 'relationship', pattern);
    const scan = this.#scanRelationships(pattern, direction === 'both');
    if (known === null) this.bindings.set(name, scan.entity);
    else this.conditions.push(`${scan.entity.ordinal} = ${known.ordinal}`);
    const [source, target] = direction === 'in' ? [right, left] : [left, right];
    this.conditions.push(`${scan.source} = ${source.ordinal}`, `${scan.target} = ${target.ordinal}`);
    this.#relationships.push({ ordinals: [scan.entity.ordinal], mayBeNull: false });
    this.#narrow(scan.entity, properties, where);
  }

  /** Adds a table of walks of each length: their start and end, and a column for each relationship, null after the end of a walk. */
  #walks(
    pattern: RelationshipPattern,
    length: NonNullable<RelationshipPattern['length']>,
    left: EntityBinding,
    right: EntityBinding,
  ): void {
    const { program } = this;
    if (pattern.variable !== null && this.bindings.has(pattern.variable.name))
      throw program.refuse('a list of relationships as a value', pattern);
    const { min: least, max: most } = length;
    if (most === null || most > MOST_HOPS) throw program.refuse(`a relationship of more than ${MOST_HOPS} steps`, pattern);
    const [start, end] = [program.fresh('w'), program.fresh('w')];
    const ordinals = Array.from({ length: most }, () => program.fresh('w'));
    const selects: string[] = [];
    for (let count = least; count <= most; count++) selects.push(this.#walksOf(pattern, count, { start, end, ordinals }));
    this.#scan(selects.length === 0 ? [noWalks(program, { start, end, ordinals })] : selects);
    this.conditions.push(`${start} = ${left.ordinal}`, `${end} = ${right.ordinal}`);
    if (ordinals.length > 0) this.#relationships.push({ ordinals, mayBeNull: true });
  }

  #walksOf(pattern: RelationshipPattern, count: number, { start, end, ordinals }: WalkColumns): string {
    const { program } = this;
    const inner = new Joined({ program, bindings: new Map(), exists: this.#exists });
    const steps = Array.from({ length: count }, () => {
      const { entity, source, target } = inner.#scanRelationships(pattern, pattern.direction === 'both');
      inner.#narrow(entity, pattern.properties, pattern.where);
      const [from, to] = pattern.direction === 'in' ? [target, source] : [source, target];
      return { ordinal: entity.ordinal, from, to };
    });
    for (const [index, step] of steps.entries()) {
      if (index > 0) inner.conditions.push(`${steps[index - 1]!.to} = ${step.from}`);
      for (const before of steps.slice(0, index)) inner.conditions.push(`${before.ordinal} <> ${step.ordinal}`);
    }
    const [first, last] = [steps[0], steps.at(-1)];
    const node = program.dialect.quote('<ordinal>');
    const items = [
      `${first?.from ?? node} AS ${start}`,
      `${last?.to ?? node} AS ${end}`,
      ...ordinals.map((name, index) => `${steps[index]?.ordinal ?? `CAST(NULL AS ${program.dialect.typeName(INTEGER)})`} AS ${name}`),
    ];
    const from = first === undefined ? program.source({ labels: [] }, ['<ordinal>']) : inner.from.join(', ');
    return `SELECT ${items.join(', ')} FROM ${from}${inner.where}`;
  }

  #bound(name: string, kind: EntityBinding['kind'], at: Place): EntityBinding | null {
    const binding = this.bindings.get(name);
    if (binding === undefined) return null;
    if (binding.kind !== kind) throw this.program.refuse('a pattern with a variable that is a value', at);
    return binding;
  }

  #narrow(entity: EntityBinding, properties: Expression | null, where: Expression | null): void {
    if (properties !== null) {
      for (const [key, value, at] of entriesOf(this.program, properties)) {
        const column = entity.properties.get(key);
        const wanted = 'kind' in value ? lower(this.environment, value) : value;
        this.conditions.push(column === undefined ? 'FALSE' : equality(this.program, { sql: column.name, type: column.type }, wanted, at));
      }
    }
    if (where !== null) this.conditions.push(boolean(this.program, lower(this.environment, where), where));
  }

  #scanNodes(labels: readonly string[], at: Place): EntityBinding {
    const { program } = this;
    const properties = nodeProperties(program.shape, labels);
    const columns = this.#propertyColumns(properties ?? new Map(), at);
    for (const key of columns.keys())
      if (/^<.*>$/s.test(key)) throw program.refuse(`the property ${key}, named like a column of every node,`, at);
    const [ordinal, id, labelsColumn] = [program.fresh('o'), program.fresh('i'), program.fresh('l')];
    const fixed: [string, string, SqlType][] = [
      ['<ordinal>', ordinal, INTEGER],
      ['<id>', id, STRING],
      ['<labels>', labelsColumn, LABELS_TYPE],
    ];
    this.#scan([
      selectOf(program, {
        source: properties === null ? null : { labels },
        columns: [...fixed, ...[...columns].map(([key, { name, type }]) => [key, name, type] as [string, string, SqlType])],
      }),
    ]);
    return { kind: 'node', ordinal, id, labels: labelsColumn, ends: null, properties: columns };
  }

  #scanRelationships(at: RelationshipPattern, both: boolean): { entity: EntityBinding; source: string; target: string } {
    const { program } = this;
    const types = typesOf(program, at.types);
    const wanted = [...new Set(types ?? program.shape.relationships.map(({ type }) => type))].flatMap((type) => {
      const properties = relationshipProperties(program.shape, type);
      return properties === null ? [] : [{ type, properties }];
    });
    const columns = this.#propertyColumns(united(wanted.map(({ properties }) => properties)), at);
    for (const key of columns.keys())
      if (!haveOneColumn(wanted.flatMap(({ properties }) => properties.get(key) ?? [])))
        throw program.refuse(`the property ${key}, of several types,`, at);
    const names = Array.from({ length: 7 }, () => program.fresh('r'));
    const [ordinal, id, type, source, target, sourceId, targetId] = names as [string, string, string, string, string, string, string];
    const select = (of: (typeof wanted)[number] | null, isReversed: boolean): string => {
      const fixed: [string, string, SqlType][] = [
        ['<ordinal>', ordinal, INTEGER],
        ['<rel.id>', id, STRING],
        ['<rel.type>', type, STRING],
        ['<source.ordinal>', isReversed ? target : source, INTEGER],
        ['<target.ordinal>', isReversed ? source : target, INTEGER],
        ['<source.id>', sourceId, STRING],
        ['<target.id>', targetId, STRING],
      ];
      const values = [...columns].map(([key, column]): [string | null, string, SqlType] => {
        const own = of?.properties.get(key);
        return [own === undefined ? null : `rel.${key}`, column.name, column.type];
      });
      // A union matches columns by their places.
      const all = [...fixed, ...values].sort((a, b) => (a[1] < b[1] ? -1 : 1));
      return selectOf(program, {
        source: of === null ? null : { type: of.type },
        columns: all,
        ...(isReversed ? { where: `${program.dialect.quote('<source.ordinal>')} <> ${program.dialect.quote('<target.ordinal>')}` } : {}),
      });
    };
    const selects = wanted.flatMap((of) => (both ? [select(of, false), select(of, true)] : [select(of, false)]));
    this.#scan(selects.length === 0 ? [select(null, false)] : selects);
    const entity: EntityBinding = {
      kind: 'relationship',
      ordinal,
      id,
      labels: type,
      ends: { source: sourceId, target: targetId },
      properties: columns,
    };
    return { entity, source, target };
  }

  #propertyColumns(properties: PropertyTypes, at: Place): Map<string, Column> {
    const { keys } = this.program;
    const wanted = [...properties].filter(([key]) => keys === null || keys.has(key));
    const names = Map.groupBy(wanted, ([key]) => key.toLowerCase());
    for (const same of names.values())
      if (same.length > 1) throw this.program.refuse(`a property that differs by case alone (${same.map(([key]) => key).join(', ')})`, at);
    return new Map(wanted.map(([key, type]) => [key, { name: this.program.fresh('c'), type }]));
  }

  #scan(selects: readonly string[]): void {
    this.from.push(`(${selects.join(' UNION ALL ')}) ${this.program.fresh('t')}`);
  }

  get where(): string {
    return this.conditions.length === 0 ? '' : ` WHERE ${this.conditions.join(' AND ')}`;
  }
}

interface Selected {
  /** The table to read; null: there is no such table, so no row. */
  readonly source: { readonly labels: readonly string[] } | { readonly type: string } | null;
  /** For each column its name in the table (null: the column is null), its name in the SELECT, and its type. */
  readonly columns: readonly (readonly [string | null, string, SqlType])[];
  readonly where?: string;
}

function selectOf(program: Program, { source, columns, where }: Selected): string {
  const { dialect } = program;
  const isThere = source !== null;
  const items = columns.map(([stored, name, type]) => {
    if (isThere && stored !== null) return `${dialect.quote(stored)} AS ${name}`;
    // Beside columns of other tables whose types are not known, null has none.
    return isThere && type.kind === 'opaque' ? `NULL AS ${name}` : `CAST(NULL AS ${dialect.typeName(type)}) AS ${name}`;
  });
  if (!isThere) return `SELECT ${items.join(', ')} WHERE FALSE`;
  const stored = columns.flatMap(([name]) => (name === null ? [] : [name]));
  return `SELECT ${items.join(', ')} FROM ${program.source(source, stored)}${where === undefined ? '' : ` WHERE ${where}`}`;
}

/** Returns the labels that a node must all carry; null: the expression is not such a list. */
function requiredLabels(labels: LabelExpression | null): string[] | null {
  if (labels === null) return [];
  if (labels.kind === 'labelName') return [labels.name];
  if (labels.kind !== 'labelAnd') return null;
  const parts = labels.operands.map(requiredLabels);
  return parts.includes(null) ? null : [...new Set(parts.flatMap((part) => part ?? []))];
}

/** Returns the types that a relationship may have; null: any. */
function typesOf(program: Program, types: LabelExpression | null): string[] | null {
  if (types === null || types.kind === 'labelWildcard') return null;
  if (types.kind === 'labelName') return [types.name];
  if (types.kind === 'labelOr') {
    const parts = types.operands.map((operand) => typesOf(program, operand));
    if (!parts.includes(null)) return [...new Set(parts.flatMap((part) => part ?? []))];
  }
  throw program.refuse('such an expression of types', types);
}

function entriesOf(program: Program, properties: Expression): [string, Expression | SqlExpression, Place][] {
  if (properties.kind === 'map') return properties.entries.map(({ key, value }) => [key, value, value]);
  const value = properties.kind === 'parameter' ? program.parameter(properties.name) : undefined;
  if (!(value instanceof Map)) throw program.refuse('properties that are not written out', properties);
  return [...value].map(([key, each]) => [key, literal(program, each, properties), properties]);
}

/** Returns the items of a SELECT, which cannot be empty. */
export function selectList(columns: readonly string[]): string {
  return columns.length === 0 ? '1 AS unit' : columns.join(', ');
}

/** Lowers MATCH. */
export function lowerMatch(environment: Environment, rows: Rows, clause: MatchClause): Rows {
  const joined = new Joined(environment);
  joined.add(clause.patterns, clause.where);
  if (clause.optional) return lowerOptional(environment, rows, joined, mentioned(rows.bindings, [...clause.patterns, clause.where]));
  const columns = allColumns(joined.bindings);
  const table = environment.program.table(`SELECT ${selectList(columns)} FROM ${[rows.table, ...joined.from].join(', ')}${joined.where}`);
  return { table, bindings: joined.bindings };
}

/** Joins matches to the rows; they are computed once for each combination of the variables that the pattern mentions. */
function lowerOptional({ program }: Environment, rows: Rows, joined: Joined, used: ReadonlySet<string>): Rows {
  const usedColumns = [...used].flatMap((name) => columnsOf(rows.bindings.get(name)!));
  const keys = [...used].map((name) => keyOf(rows.bindings.get(name)!)).map((column) => ({ column, key: program.fresh('k') }));
  const before = new Set(allColumns(rows.bindings));
  const found = allColumns(joined.bindings).filter((column) => !before.has(column));
  const combinations = program.table(`SELECT DISTINCT ${selectList([...new Set(usedColumns)])} FROM ${rows.table}`);
  const items = [...keys.map(({ column, key }) => `${column} AS ${key}`), ...found];
  const matches = program.table(`SELECT ${selectList(items)} FROM ${[combinations, ...joined.from].join(', ')}${joined.where}`);
  const on = keys.length === 0 ? 'TRUE' : keys.map(({ column, key }) => `${column} IS NOT DISTINCT FROM ${key}`).join(' AND ');
  const table = program.table(`SELECT ${selectList([...before, ...found])} FROM ${rows.table} LEFT JOIN ${matches} ON ${on}`);
  return { table, bindings: joined.bindings };
}

function keyOf(binding: Binding): string {
  return binding.kind === 'scalar' ? binding.column.name : binding.ordinal;
}

/** Lowers a pattern, EXISTS { … } or COUNT { … } with one MATCH. */
export function lowerExists(environment: Environment, expression: Expression): SqlExpression {
  const { program } = environment;
  const joined = new Joined(environment);
  let isCount = false;
  switch (expression.kind) {
    case 'patternExpression':
      joined.add([expression.pattern], null);
      break;
    case 'subquery': {
      const clause = onlyMatch(program, expression);
      joined.add(clause.patterns, clause.where);
      isCount = expression.mode === 'count';
      break;
    }
    default:
      throw program.refuse('a subquery of this kind', expression);
  }
  const from = joined.from.length === 0 ? '' : ` FROM ${joined.from.join(', ')}`;
  if (isCount) return { sql: `coalesce((SELECT count(*)${from}${joined.where}), 0)`, type: INTEGER };
  return { sql: `EXISTS (SELECT 1${from}${joined.where})`, type: BOOLEAN };
}

/** Tells whether a clause is a RETURN with rows exactly where there are rows before it: an aggregate has one where there is none. */
function keepsRows(clause: Clause): boolean {
  if (clause.kind !== 'return') return false;
  const { items, skip, limit } = clause.projection;
  return skip === null && limit === null && !items.some(({ expression }) => containsAggregate(expression, isAggregate));
}

function onlyMatch(program: Program, expression: Extract<Expression, { kind: 'subquery' }>): MatchClause {
  const { mode, query } = expression;
  const [part] = query.parts;
  const [clause, ...rest] = part?.clauses ?? [];
  const isPlain =
    query.parts.length === 1 &&
    clause?.kind === 'match' &&
    !clause.optional &&
    rest.every(keepsRows) &&
    (mode === 'exists' || rest.length === 0);
  if (!isPlain || mode === 'collect') throw program.refuse('a subquery that is more than one MATCH', expression);
  return clause;
}
