/** Scans of the tables that may hold the nodes or relationships of a pattern. Each gives every column a new name. */
import type { RelationshipPattern } from '../../cypher/index.ts';
import type { Program } from '../program.ts';
import type { Column, EntityBinding } from '../scope.ts';
import { nodeProperties, type PropertyTypes, relationshipProperties, united } from '../shape.ts';
import { haveOneColumn, INTEGER, type Place, type SqlType, STRING } from '../types.ts';
import { wantedTypes } from './labels.ts';

const LABELS_TYPE: SqlType = { kind: 'list', item: STRING };

/** A scan of nodes. */
export interface NodeScan {
  /** Each reads a table; the scan is all of their rows. */
  readonly selects: readonly string[];
  readonly entity: EntityBinding;
}

/** A scan of relationships, with the columns of the ordinals of their ends. */
export interface RelationshipScan extends NodeScan {
  readonly source: string;
  readonly target: string;
}

/** Returns a scan of the nodes that carry labels. */
export function scanNodes(program: Program, labels: readonly string[], at: Place): NodeScan {
  const properties = nodeProperties(program.shape, labels);
  const columns = propertyColumns(program, properties ?? new Map(), at);
  for (const key of columns.keys())
    if (/^<.*>$/s.test(key)) throw program.refuse(`the property ${key}, named like a column of every node,`, at);
  const [ordinal, id, labelsColumn] = [program.fresh('o'), program.fresh('i'), program.fresh('l')];
  const fixed: [string, string, SqlType][] = [
    ['<ordinal>', ordinal, INTEGER],
    ['<id>', id, STRING],
    ['<labels>', labelsColumn, LABELS_TYPE],
  ];
  const select = selectOf(program, {
    source: properties === null ? null : { labels },
    columns: [...fixed, ...[...columns].map(([key, { name, type }]) => [key, name, type] as [string, string, SqlType])],
  });
  return { selects: [select], entity: { kind: 'node', ordinal, id, labels: labelsColumn, ends: null, properties: columns } };
}

/** Returns a scan of the relationships of a pattern; of one without a direction each is there in both, a loop once. */
export function scanRelationships(program: Program, at: RelationshipPattern): RelationshipScan {
  const wanted = [...wantedTypes(program, at)].flatMap((type) => {
    const properties = relationshipProperties(program.shape, type);
    return properties === null ? [] : [{ type, properties }];
  });
  const columns = propertyColumns(program, united(wanted.map(({ properties }) => properties)), at);
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
  const selects = wanted.flatMap((of) => (at.direction === 'both' ? [select(of, false), select(of, true)] : [select(of, false)]));
  const entity: EntityBinding = {
    kind: 'relationship',
    ordinal,
    id,
    labels: type,
    ends: { source: sourceId, target: targetId },
    properties: columns,
  };
  return { selects: selects.length === 0 ? [select(null, false)] : selects, entity, source, target };
}

function propertyColumns(program: Program, properties: PropertyTypes, at: Place): Map<string, Column> {
  const { keys } = program;
  const wanted = [...properties].filter(([key]) => keys === null || keys.has(key));
  const names = Map.groupBy(wanted, ([key]) => key.toLowerCase());
  for (const same of names.values())
    if (same.length > 1) throw program.refuse(`a property that differs by case alone (${same.map(([key]) => key).join(', ')})`, at);
  return new Map(wanted.map(([key, type]) => [key, { name: program.fresh('c'), type }]));
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
