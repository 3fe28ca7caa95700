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
  walk,
} from '../cypher/index.ts';
import { isAggregate } from './aggregates.ts';
import { equality } from './comparisons.ts';
import { anyEntityType } from './entities.ts';
import { boolean, type Environment, labelCondition, literal, lower, mentioned } from './expressions.ts';
import { listOf, Path, type Walk, type WalkColumns, type WalkLists, walkOf } from './paths.ts';
import type { Program } from './program.ts';
import { allColumns, type Binding, type Bindings, type Column, columnsOf, type EntityBinding, type Rows } from './scope.ts';
import { nodeProperties, type PropertyTypes, relationshipProperties, united } from './shape.ts';
import { BOOLEAN, haveOneColumn, INTEGER, type Place, type SqlExpression, type SqlType, STRING } from './types.ts';

const LABELS_TYPE: SqlType = { kind: 'list', item: STRING };

/** The most steps of a walk: each length needs a join for each of its steps. */
const MOST_HOPS = 8;

/** The ordinal of a relationship, the ordinals of those of a walk, or the list of these, and the types that they may have. */
type Hops = ({ readonly ordinals: readonly string[]; readonly mayBeNull: boolean } | { readonly list: string }) & {
  readonly types: ReadonlySet<string>;
};

interface Ends {
  readonly left: EntityBinding;
  readonly right: EntityBinding;
  readonly patterns: readonly [PathPattern['elements'][number], PathPattern['elements'][number]];
}

interface WalkEnds extends Ends {
  /** The path that the walk is a part of. */
  readonly path: Path;
}

/** The nodes at an end of a walk. */
interface Seeds {
  /** Whether they are less than all nodes with certain labels. */
  readonly isNarrow: boolean;
  select(start: string, end: string): { readonly select: string; readonly from: string };
}

function differences({ dialect }: Program, a: Hops, b: Hops): string[] {
  // Relationships of different types are different ones.
  if (![...a.types].some((type) => b.types.has(type))) return [];
  if ('list' in a && 'list' in b) return [`NOT ${dialect.overlap(a.list, b.list)}`];
  if ('list' in a) return differencesOf(b, (ordinal) => `NOT ${dialect.contains(a.list, ordinal)}`);
  if ('list' in b) return differencesOf(a, (ordinal) => `NOT ${dialect.contains(b.list, ordinal)}`);
  return a.ordinals.flatMap((one) => differencesOf({ ...b, mayBeNull: a.mayBeNull || b.mayBeNull }, (ordinal) => `${one} <> ${ordinal}`));
}

function differencesOf(hops: Hops, write: (ordinal: string) => string): string[] {
  if ('list' in hops) return [];
  return hops.ordinals.map((ordinal) => (hops.mayBeNull ? `coalesce(${write(ordinal)}, TRUE)` : write(ordinal)));
}

function noWalks({ dialect }: Program, { start, end, steps, ordinals, lists }: WalkColumns): string {
  const columns = [
    ...[start, end, steps, ...ordinals].map((name) => ({ name, type: INTEGER })),
    ...lists.map(({ column, type }) => ({ name: column, type: { kind: 'list', item: type } as SqlType })),
  ];
  return `SELECT ${columns.map(({ name, type }) => `CAST(NULL AS ${dialect.typeName(type)}) AS ${name}`).join(', ')} WHERE FALSE`;
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

/** The tables and conditions that patterns add to FROM and WHERE. */
class Joined {
  readonly program: Program;
  readonly bindings: Map<string, Binding>;
  readonly from: string[] = [];
  readonly conditions: string[] = [];
  readonly #exists: Environment['exists'];
  readonly #relationships: Hops[] = [];

  /** The patterns in which nodes stand first, and the WHERE of the MATCH: what a walk may start from. */
  readonly #nodePatterns = new Map<string, NodePattern>();
  readonly #outer: Rows;
  #where: Expression | null = null;

  /** @param outer the rows that the patterns are matched for; without a table they are those around a subquery */
  constructor(environment: Environment, outer: Rows = { table: null, bindings: environment.bindings }) {
    this.program = environment.program;
    this.#outer = outer;
    this.bindings = new Map(environment.bindings);
    this.#exists = environment.exists;
  }

  get environment(): Environment {
    return { program: this.program, bindings: this.bindings, exists: this.#exists };
  }

  add(patterns: readonly PathPattern[], where: Expression | null): void {
    this.#where = where;
    for (const pattern of patterns) this.#path(pattern);
    for (const [index, hops] of this.#relationships.entries())
      for (const others of this.#relationships.slice(0, index)) this.conditions.push(...differences(this.program, others, hops));
    if (where !== null) this.conditions.push(boolean(this.program, lower(this.environment, where), where));
  }

  #path({ variable, selector, elements, span }: PathPattern): void {
    if (selector !== null) throw this.program.refuse('a shortest path', { span });
    const nodes = elements.map((element) => (element.kind === 'nodePattern' ? this.#node(element) : null));
    const path = new Path(this.program, variable);
    path.start(nodes[0] ?? null);
    for (const [index, element] of elements.entries()) {
      if (element.kind === 'quantifiedPattern') throw this.program.refuse('a quantified pattern', element);
      if (element.kind !== 'relationshipPattern') continue;
      const ends: Ends = { left: nodes[index - 1]!, right: nodes[index + 1]!, patterns: [elements[index - 1]!, elements[index + 1]!] };
      if (element.length === null) path.step(this.#relationship(element, ends), ends.right);
      else path.walk(this.#walks(element, element.length, { ...ends, path }));
    }
    if (variable !== null && path.isRead) this.bindings.set(variable.name, path.binding());
  }

  #node(pattern: NodePattern): EntityBinding {
    const { variable, labels, properties, where, span } = pattern;
    const name = variable?.name ?? this.program.fresh('#');
    let entity = this.#bound(name, 'node', { span });
    if (entity === null) {
      this.#nodePatterns.set(name, pattern);
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

  #relationship(pattern: RelationshipPattern, { left, right }: Ends): EntityBinding {
    const { variable, direction, properties, where } = pattern;
    const name = variable?.name ?? this.program.fresh('#');
    const known = this.#bound(name, 'relationship', pattern);
    const scan = this.#scanRelationships(pattern, direction === 'both');
    if (known === null) this.bindings.set(name, scan.entity);
    else this.conditions.push(`${scan.entity.ordinal} = ${known.ordinal}`);
    const [source, target] = direction === 'in' ? [right, left] : [left, right];
    this.conditions.push(`${scan.source} = ${source.ordinal}`, `${scan.target} = ${target.ordinal}`);
    this.#relationships.push({ ordinals: [scan.entity.ordinal], mayBeNull: false, types: this.#typesOf(pattern) });
    this.#narrow(scan.entity, properties, where);
    return scan.entity;
  }

  /** Adds a table of walks, and the list of their relationships as a variable. */
  #walks(pattern: RelationshipPattern, length: NonNullable<RelationshipPattern['length']>, ends: WalkEnds): Walk {
    const { program } = this;
    const { variable } = pattern;
    if (variable !== null && this.bindings.has(variable.name)) throw program.refuse('a list of relationships as a value', pattern);
    const isVariableRead = variable !== null && (program.mentions.variables.get(variable.name) ?? 0) > 1;
    const lists: WalkLists = {
      relationships: isVariableRead || ends.path.readsRelationships ? anyEntityType(program, 'relationship', pattern) : null,
      nodes: ends.path.readsNodes ? anyEntityType(program, 'node', pattern) : null,
    };
    const { min: least, max: most } = length;
    const isBounded = most !== null && most <= MOST_HOPS;
    const walk = isBounded
      ? this.#boundedWalks(pattern, { least, most }, { ends, lists })
      : this.#recursiveWalks(pattern, length, { ends, lists });
    if (isVariableRead && walk.relationships !== null) {
      const column = { name: walk.relationships.sql, type: walk.relationships.type };
      this.bindings.set(variable.name, { kind: 'scalar', column });
    }
    return walk;
  }

  /** Adds a table of walks of each length: their start and end, and a column for each relationship, null after the end of a walk. */
  #boundedWalks(
    pattern: RelationshipPattern,
    { least, most }: { readonly least: number; readonly most: number },
    { ends: { left, right }, lists }: { readonly ends: WalkEnds; readonly lists: WalkLists },
  ): Walk {
    const { program } = this;
    const [start, end, steps] = [program.fresh('w'), program.fresh('w'), program.fresh('w')];
    const ordinals = Array.from({ length: most }, () => program.fresh('w'));
    const listed = Object.entries(lists).flatMap(([name, type]) => (type === null ? [] : [{ name, type, column: program.fresh('w') }]));
    const columns: WalkColumns = { start, end, steps, ordinals, lists: listed as WalkColumns['lists'] };
    const selects: string[] = [];
    for (let count = least; count <= most; count++) selects.push(this.#walksOf(pattern, count, columns));
    this.#scan(selects.length === 0 ? [noWalks(program, columns)] : selects);
    this.conditions.push(`${start} = ${left.ordinal}`, `${end} = ${right.ordinal}`);
    if (ordinals.length > 0) this.#relationships.push({ ordinals, mayBeNull: true, types: this.#typesOf(pattern) });
    return walkOf(columns);
  }

  #walksOf(pattern: RelationshipPattern, count: number, { start, end, steps: length, ordinals, lists }: WalkColumns): string {
    const { program } = this;
    const inner = new Joined({ program, bindings: new Map(), exists: this.#exists });
    const steps = Array.from({ length: count }, () => inner.#step(pattern, pattern.direction === 'in'));
    const nodes = lists.some(({ name }) => name === 'nodes') ? steps.map(({ to }) => inner.#nodeOf(to, pattern)) : [];
    for (const [index, step] of steps.entries()) {
      if (index > 0) inner.conditions.push(`${steps[index - 1]!.to} = ${step.from}`);
      for (const before of steps.slice(0, index)) inner.conditions.push(`${before.entity.ordinal} <> ${step.entity.ordinal}`);
    }
    const [first, last] = [steps[0], steps.at(-1)];
    const node = program.dialect.quote('<ordinal>');
    const items = [
      `${first?.from ?? node} AS ${start}`,
      `${last?.to ?? node} AS ${end}`,
      `CAST(${count} AS BIGINT) AS ${length}`,
      ...ordinals.map(
        (name, index) => `${steps[index]?.entity.ordinal ?? `CAST(NULL AS ${program.dialect.typeName(INTEGER)})`} AS ${name}`,
      ),
      ...lists.map(({ name, type, column }) => {
        const entities = name === 'nodes' ? nodes : steps.map(({ entity }) => entity);
        return `${listOf(program, entities, type).sql} AS ${column}`;
      }),
    ];
    const from = first === undefined ? program.source({ labels: [] }, ['<ordinal>']) : inner.from.join(', ');
    return `SELECT ${items.join(', ')} FROM ${from}${inner.where}`;
  }

  /**
   * Adds a table that reads itself, which has the walks from the nodes at one end of the pattern: from the end of which
   * more is known. Each step adds a relationship to those that the walk has not passed.
   */
  #recursiveWalks(
    pattern: RelationshipPattern,
    { min: least, max: most }: NonNullable<RelationshipPattern['length']>,
    { ends, lists }: { readonly ends: WalkEnds; readonly lists: WalkLists },
  ): Walk {
    const { program } = this;
    const { dialect } = program;
    const [left, right] = ends.patterns.map((each) => this.#seedsOf(each as NodePattern));
    const isReversed = !left!.isNarrow && right!.isNarrow;
    const [start, end, hops] = [program.fresh('w'), program.fresh('w'), program.fresh('w')];
    const listed = Object.entries(lists).flatMap(([name, type]) => (type === null ? [] : [{ name, type, column: program.fresh('w') }]));
    const empty = (item: SqlType): string => `CAST(${dialect.list([])} AS ${dialect.typeName({ kind: 'list', item })})`;
    const seeds = (isReversed ? right! : left!).select(start, end);
    const emptyLists = [`${empty(INTEGER)} AS ${hops}`, ...listed.map(({ type, column }) => `${empty(type)} AS ${column}`)];
    const first = `${[seeds.select, ...emptyLists].join(', ')}${seeds.from}`;
    const table = program.recursive(first, (name) => {
      const inner = new Joined({ program, bindings: new Map(), exists: this.#exists });
      const { entity, from, to } = inner.#step(pattern, (pattern.direction === 'in') !== isReversed);
      // Of a reversed walk each step finds the node before those that are known.
      const node = lists.nodes === null ? null : inner.#nodeOf(isReversed ? from : to, pattern);
      inner.conditions.push(`${end} = ${from}`, `NOT ${dialect.contains(hops, entity.ordinal)}`);
      if (most !== null) inner.conditions.push(`${dialect.size(hops)} < ${most}`);
      const extended = (list: string, item: string): string => dialect.concatenate(isReversed ? [item, list] : [list, item]);
      const items = [
        start,
        to,
        extended(hops, dialect.list([entity.ordinal])),
        ...listed.map(({ name: which, type, column }) => extended(column, listOf(program, [which === 'nodes' ? node! : entity], type).sql)),
      ];
      return `SELECT ${items.join(', ')} FROM ${[name, ...inner.from].join(', ')}${inner.where}`;
    });
    this.from.push(table);
    const [leftEnd, rightEnd] = isReversed ? [end, start] : [start, end];
    this.conditions.push(`${leftEnd} = ${ends.left.ordinal}`, `${rightEnd} = ${ends.right.ordinal}`);
    if (least > 0) this.conditions.push(`${dialect.size(hops)} >= ${least}`);
    this.#relationships.push({ list: hops, types: this.#typesOf(pattern) });
    return walkOf({ steps: `CAST(${dialect.size(hops)} AS BIGINT)`, lists: listed as WalkColumns['lists'] });
  }

  /** Adds a scan of the relationships of a pattern. @param isAgainst whether the walk goes from target to source */
  #step(pattern: RelationshipPattern, isAgainst: boolean): { readonly entity: EntityBinding; readonly from: string; readonly to: string } {
    const { entity, source, target } = this.#scanRelationships(pattern, pattern.direction === 'both');
    this.#narrow(entity, pattern.properties, pattern.where);
    return isAgainst ? { entity, from: target, to: source } : { entity, from: source, to: target };
  }

  #nodeOf(ordinal: string, at: Place): EntityBinding {
    const node = this.#scanNodes([], at);
    this.conditions.push(`${node.ordinal} = ${ordinal}`);
    return node;
  }

  /** Returns the nodes that a walk may start from: those of the rows before, or those that the pattern and WHERE admit. */
  #seedsOf(pattern: NodePattern): Seeds {
    const { program } = this;
    const name = pattern.variable?.name ?? '';
    const known = this.#outer.bindings.get(name);
    if (known?.kind === 'node') {
      const { table } = this.#outer;
      if (table === null) throw program.refuse(`a relationship of more than ${MOST_HOPS} steps in a subquery`, pattern);
      const of = program.table(`SELECT DISTINCT ${known.ordinal} AS unit FROM ${table} WHERE ${known.ordinal} IS NOT NULL`);
      return { isNarrow: true, select: (start, end) => ({ select: `SELECT unit AS ${start}, unit AS ${end}`, from: ` FROM ${of}` }) };
    }
    const { variable, labels, properties, where, span, kind } = this.#nodePatterns.get(name) ?? pattern;
    const isOwn = (tree: Expression | null): boolean => tree !== null && mentionsOnly(tree, name);
    const own = (this.#where?.kind === 'logical' && this.#where.operator === 'and' ? this.#where.operands : [this.#where]).filter(isOwn);
    const inner = new Joined({ program, bindings: new Map(), exists: this.#exists });
    const narrow = { properties: isOwn(properties) ? properties : null, where: isOwn(where) ? where : null };
    const { ordinal } = inner.#node({ kind, variable, labels, ...narrow, span });
    for (const each of own) inner.conditions.push(boolean(program, lower(inner.environment, each!), each!));
    return {
      isNarrow: narrow.properties !== null || narrow.where !== null || own.length > 0,
      select: (start, end) => ({
        select: `SELECT ${ordinal} AS ${start}, ${ordinal} AS ${end}`,
        from: ` FROM ${inner.from.join(', ')}${inner.where}`,
      }),
    };
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
    const wanted = [...this.#typesOf(at)].flatMap((type) => {
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

  #typesOf({ types }: RelationshipPattern): ReadonlySet<string> {
    const { program } = this;
    return new Set(typesOf(program, types) ?? program.shape.relationships.map(({ type }) => type));
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
  const joined = new Joined(environment, rows);
  joined.add(clause.patterns, clause.where);
  if (clause.optional) return lowerOptional(environment, rows, joined, mentioned(rows.bindings, [...clause.patterns, clause.where]));
  const { bindings, items } = namedColumns(environment.program, rows.bindings, joined.bindings);
  const columns = [...allColumns(rows.bindings), ...items];
  const table = environment.program.table(`SELECT ${selectList(columns)} FROM ${[rows.table, ...joined.from].join(', ')}${joined.where}`);
  return { table, bindings };
}

/** Joins matches to the rows; they are computed once for each combination of the variables that the pattern mentions. */
function lowerOptional({ program }: Environment, rows: Rows, joined: Joined, used: ReadonlySet<string>): Rows {
  const usedColumns = [...used].flatMap((name) => columnsOf(rows.bindings.get(name)!));
  const keys = [...used].map((name) => keyOf(rows.bindings.get(name)!)).map((column) => ({ column, key: program.fresh('k') }));
  const before = new Set(allColumns(rows.bindings));
  const { bindings, items: foundItems } = namedColumns(program, rows.bindings, joined.bindings);
  const found = allColumns(bindings).filter((column) => !before.has(column));
  const combinations = program.table(`SELECT DISTINCT ${selectList([...new Set(usedColumns)])} FROM ${rows.table}`);
  const items = [...keys.map(({ column, key }) => `${column} AS ${key}`), ...foundItems];
  const matches = program.table(`SELECT ${selectList(items)} FROM ${[combinations, ...joined.from].join(', ')}${joined.where}`);
  const on = keys.length === 0 ? 'TRUE' : keys.map(({ column, key }) => `${column} IS NOT DISTINCT FROM ${key}`).join(' AND ');
  const table = program.table(`SELECT ${selectList([...before, ...found])} FROM ${rows.table} LEFT JOIN ${matches} ON ${on}`);
  return { table, bindings };
}

function keyOf(binding: Binding): string {
  if (binding.kind === 'path') return binding.length;
  return binding.kind === 'scalar' ? binding.column.name : binding.ordinal;
}

/** Returns the variables that a pattern adds, with a column for each expression of its paths, and the items of the SELECT. */
function namedColumns(program: Program, before: Bindings, after: Bindings): { readonly bindings: Bindings; readonly items: string[] } {
  const known = new Set(allColumns(before));
  const bindings = new Map(after);
  const items = new Set<string>();
  for (const [name, binding] of after) {
    if (before.has(name)) continue;
    if (binding.kind !== 'path') {
      for (const column of columnsOf(binding)) if (!known.has(column)) items.add(column);
      continue;
    }
    const column = (sql: string): string => {
      const own = program.fresh('p');
      items.add(`${sql} AS ${own}`);
      return own;
    };
    const list = (value: SqlExpression | null): SqlExpression | null => (value === null ? null : { ...value, sql: column(value.sql) });
    bindings.set(name, {
      ...binding,
      length: column(binding.length),
      nodes: list(binding.nodes),
      relationships: list(binding.relationships),
    });
  }
  return { bindings, items: [...items] };
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
