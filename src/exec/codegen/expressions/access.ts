/** Compiles property reads: `node.key`, `relationship.key`, `anything.key`. */
import type { Codegen, Environment } from '../codegen.ts';
import type { ColumnShape } from '../shape.ts';
import { any, bothValid, LARGEST_INT32, NULL, type Typed } from '../typed.ts';
import { nullableCode, stabiliseLate } from './locals.ts';
import { isInTable, rangesOf } from './node-table.ts';
import { date, toValue } from './to-value.ts';

/** The key of the internal identifier, which is not a property in a column. */
const ID_KEY = '_id';

/** Compiles the read of a property. */
export function compileProperty(cg: Codegen, subject: Typed, key: string): Typed {
  if (subject.type === 'node') return nodeProperty(cg, subject, key);
  if (subject.type === 'relationship') return relationshipProperty(cg, subject, key);
  if (subject.type === 'null') return NULL;
  return any(cg.f.local('x', `reads.property(${toValue(subject)}, ${cg.keyReference(key)})`));
}

function nodeProperty(cg: Codegen, node: Typed, key: string): Typed {
  if (key === ID_KEY) return { type: 'string', code: `reads.nodeId(${node.code})`, valid: node.valid };
  return cg.f.recall<Typed>(prefetched(node, key)) ?? typedNodeProperty(cg, node, key) ?? genericNodeProperty(cg, node, key);
}

function prefetched(node: Typed, key: string): string {
  return `property:${node.code}:${key}`;
}

/**
 * Binds properties of nodes that are bound already before a loop over something else begins: the loop then compares
 * with a local on every turn. `needed`: names of variables and keys that are read further on.
 */
export function prefetchProperties(cg: Codegen, environment: Environment, needed: ReadonlySet<string>): void {
  if (cg.generic) return;
  for (const [name, keys] of cg.properties) {
    const node = environment.get(name);
    if (node?.type !== 'node' || node.valid !== null || !needed.has(name)) continue;
    for (const key of keys) {
      if (key === ID_KEY || !needed.has(key) || cg.f.recall(prefetched(node, key)) !== undefined) continue;
      const typed = typedNodeProperty(cg, node, key);
      if (typed !== null && typed.type !== 'any' && typed.type !== 'null') cg.f.memo(prefetched(node, key), () => inLocals(cg, typed));
    }
  }
}

/** Returns a value in locals. A string stays the code of its dictionary, or is not read: it is decoded only where it is needed. */
function inLocals(cg: Codegen, typed: Typed): Typed {
  if (typed.type !== 'string') return stabiliseLate(cg, typed);
  if (typed.dictionary === undefined) return typed;
  if (typed.valid !== null) return nullableCode(cg, typed, typed.dictionary);
  const { name, key } = typed.dictionary;
  const code = cg.f.later('code', typed.dictionary.code);
  return { type: 'string', code: `${name}.decode(${code})`, valid: null, dictionary: { name, code, key } };
}

function genericNodeProperty(cg: Codegen, node: Typed, key: string): Typed {
  const reader = cg.paged ? cg.f.hoist(`reader:${key}`, 'reader', `reads.nodeReader(${cg.keyReference(key)})`) : null;
  const read = reader === null ? `reads.nodeProperty(${node.code}, ${cg.keyReference(key)})` : `${reader}.get(${node.code})`;
  return any(cg.f.local('x', node.valid === null ? read : `(${node.valid} ? ${read} : null)`));
}

/**
 * Reads typed columns; null when it is not known in which tables the node can be, when they are more than a few, or
 * when their columns are of different kinds.
 */
function typedNodeProperty(cg: Codegen, node: Typed, key: string): Typed | null {
  const tables = cg.generic ? null : (node.node?.tables ?? null);
  if (tables === null || tables.length > MOST_TABLES) return null;
  const unloaded = tables.filter((table) => !cg.shape.isColumnLoaded(table, key));
  const candidates = tables
    .filter((table) => !unloaded.includes(table))
    .map((table) => ({ table, column: cg.shape.nodeColumn(table, key) }));
  const present = candidates.filter(({ column }) => column !== null);
  if (present.length === 0) return unloaded.length > 0 ? null : NULL;
  if (tables.length === 1) {
    const { table, column } = candidates[0]!;
    const name = columnName(cg, table, key);
    const typed = readColumn(cg, column!, name, nodeRow(cg, node, table), node.valid);
    return asScanned(typed, node, column!.kind, [{ column: name, test: null }]);
  }
  const kinds = new Set(present.map(({ column }) => (column!.kind === 'integer' ? 'int32' : column!.kind)));
  if (kinds.size > 1 || kinds.has('any') || kinds.has('vector')) return null;
  // Every table has the column: none of `present` is null.
  const scanned = present.length < tables.length ? null : scannedColumn(cg, node, key, present as { table: number; column: ColumnShape }[]);
  if (scanned !== null) return scanned;
  // The last table is not tested where all have the column: it is the one that would take the most tests.
  const inOrder = present.toSorted((a, b) => cg.shape.ordinalRanges(a.table) - cg.shape.ordinalRanges(b.table));
  const reads = inOrder.map(({ table, column }) => ({
    test: isInTable(cg, node, table),
    typed: readColumn(cg, column!, columnName(cg, table, key), nodeRow(cg, node, table), null),
  }));
  const isComplete = present.length === candidates.length;
  if (unloaded.length > 0) {
    const failing = unreadable(reads[0]!.typed, `reads.nodeProperty(${node.code}, ${cg.keyReference(key)})`);
    const failures = unloaded.map((table) => ({ test: isInTable(cg, node, table), typed: failing }));
    return alternatives([...reads, ...failures], isComplete, node.valid);
  }
  const columns = reads.map(({ test }, i) => ({ column: columnName(cg, inOrder[i]!.table, key), test }));
  return asScanned(alternatives(reads, isComplete, node.valid), node, inOrder[0]!.column!.kind, columns);
}

/** Returns a value in the form of another one, for a column that is not in memory: to read any part of it fails, as `read` does. */
function unreadable(form: Typed, read: string): Typed {
  const { day, dictionary } = form;
  return {
    ...form,
    code: read,
    valid: null,
    ...(day === undefined ? {} : { day: { code: read, valid: null } }),
    ...(dictionary === undefined ? {} : { dictionary: { ...dictionary, code: read } }),
  };
}

/** Kinds of columns whose values lie in typed arrays. */
const IN_ARRAYS: ReadonlySet<ColumnShape['kind']> = new Set(['int32', 'integer', 'float', 'boolean', 'date', 'dictionary']);

/**
 * Reads a property in a scan over several tables: the array of a table is chosen before its rows, and not for each row.
 * Null when the node is not one of a scan, or the columns are not all of one kind in arrays and without nulls.
 */
function scannedColumn(
  cg: Codegen,
  node: Typed,
  key: string,
  columns: readonly { readonly table: number; readonly column: ColumnShape }[],
): Typed | null {
  const { row, table } = node.node!;
  const { kind } = columns[0]!.column;
  const isAlike = columns.every(({ column }) => column.kind === kind && !column.nullable) && IN_ARRAYS.has(kind);
  if (row === null || table === null || node.valid !== null || !isAlike || !cg.f.atAnchor(table, [])) return null;
  const array = cg.f.fresh('a');
  const names = columns.map((each) => columnName(cg, each.table, key));
  const choices = columns.map((each, i) => (i + 1 < columns.length ? `${table} === ${each.table} ? ` : '') + valuesOf(cg, names[i]!));
  cg.f.atAnchor(table, [`const ${array} = ${choices.join(' : ')};`]);
  return readColumn(cg, columns[0]!.column, names[0]!, row, null, array);
}

function valuesOf(cg: Codegen, column: string): string {
  return cg.f.hoist(`${column}.values`, 'a', `${column}.values`);
}

/** Adds the UTF-8 columns to a string of a scanned node, because the rows of a scan ascend; returns any other value as it is. */
function asScanned(typed: Typed, { node }: Typed, kind: ColumnShape['kind'], columns: NonNullable<Typed['utf8']>['columns']): Typed {
  return kind === 'string' && node!.row !== null ? { ...typed, utf8: { row: node!.row, columns } } : typed;
}

const MOST_TABLES = 4;

/** Returns one of several reads, chosen by the table that the node is in. `complete`: the node is in one of these tables. */
function alternatives(reads: readonly { test: string; typed: Typed }[], complete: boolean, ownerValid: string | null): Typed {
  const choose = (part: (typed: Typed) => string, otherwise: string): string => {
    const last = complete ? part(reads[reads.length - 1]!.typed) : otherwise;
    const tested = complete ? reads.slice(0, -1) : reads;
    return `(${tested.map(({ test, typed }) => `${test} ? ${part(typed)} : `).join('')}${last})`;
  };
  const first = reads[0]!.typed;
  if (first.day !== undefined) {
    const days =
      complete && reads.every(({ typed }) => typed.day!.valid === null) ? null : choose((typed) => typed.day!.valid ?? 'true', 'false');
    const day = choose((typed) => typed.day!.code, '0');
    return { ...date(day, bothValid(ownerValid, days)), late: true };
  }
  const always = complete && reads.every(({ typed }) => typed.valid === null);
  const valid = bothValid(ownerValid, always ? null : choose((typed) => typed.valid ?? 'true', 'false'));
  const code = choose((typed) => typed.code, first.type === 'string' ? 'null' : '0');
  const small = reads.every(({ typed }) => typed.small === true);
  if (first.dictionary === undefined) return { type: first.type, code, valid, small, late: true };
  return {
    type: first.type,
    code,
    valid,
    late: true,
    dictionary: { ...first.dictionary, code: choose((typed) => typed.dictionary!.code, '-1') },
  };
}

function columnName(cg: Codegen, table: number, key: string): string {
  return cg.f.hoist(`column:n${table}:${key}`, 'col', `${cg.nodeTable(table)}.column(${cg.shape.keyId(key)})`);
}

/** Returns JavaScript for the row of a node that is in that table. */
function nodeRow(cg: Codegen, node: Typed, table: number): string {
  const row = node.node?.row ?? null;
  if (row !== null) return row;
  const ordinal = node.code;
  if (cg.shape.hasVersionedNodes()) {
    const versioned = cg.viewField('nodeVersioned');
    const moved = `(${versioned}[${ordinal} >> 3] >> (${ordinal} & 7)) & 1`;
    return anyRow(cg, ordinal, `${moved} ? ${cg.viewName}.locateNode(${ordinal}) : ${cg.viewField('nodeRowOf')}[${ordinal}]`);
  }
  const ordinals = cg.shape.ordinals(table);
  if (ordinals === 'equal') return ordinal;
  if (ordinals === 'listed' && cg.shape.ordinalRanges(table) > 0) {
    return cg.f.memo(`row:${table}:${ordinal}`, () => cg.f.later('row', rowInRanges(rangesOf(cg, table), ordinal)));
  }
  if (ordinals === 'listed') return anyRow(cg, ordinal, `${cg.viewField('nodeRowOf')}[${ordinal}]`);
  const base = cg.f.hoist(`base:${table}`, 'base', `${cg.nodeTable(table)}.ordinalBase`);
  return cg.f.memo(`row:${table}:${ordinal}`, () => cg.f.later('row', `${ordinal} - ${base}`));
}

/** Returns JavaScript for the row of an ordinal that is in one of the ranges. */
function rowInRanges(ranges: ReturnType<typeof rangesOf>, ordinal: string): string {
  const before = ranges.slice(0, -1).map(({ limit, base }) => `${ordinal} < ${limit} ? ${ordinal} - ${base} : `);
  return `(${before.join('')}${ordinal} - ${ranges[ranges.length - 1]!.base})`;
}

/** Returns a local with a row that the directory gives, which is right for any table. */
function anyRow(cg: Codegen, ordinal: string, code: string): string {
  return cg.f.memo(`row:${ordinal}`, () => cg.f.later('row', code));
}

function relationshipProperty(cg: Codegen, relationship: Typed, key: string): Typed {
  const facts = relationship.relationship!;
  if (key === ID_KEY)
    return { type: 'string', code: `reads.relationshipId(${facts.typeCode}, ${facts.rowCode})`, valid: relationship.valid };
  if (cg.generic || facts.type === null) {
    const readers = cg.paged ? cg.f.hoist(`readers:${key}`, 'readers', `reads.relationshipReaders(${cg.keyReference(key)})`) : null;
    const read =
      readers === null
        ? `reads.relationshipProperty(${facts.typeCode}, ${facts.rowCode}, ${cg.keyReference(key)})`
        : `${readers}[${facts.typeCode}].get(${facts.rowCode})`;
    return any(cg.f.local('x', relationship.valid === null ? read : `(${relationship.valid} ? ${read} : null)`));
  }
  const column = cg.shape.relationshipColumn(facts.type, key);
  if (column === null) return NULL;
  const tableName = cg.f.hoist(`reltable:${facts.type}`, 'rt', `${cg.viewName}.relationshipTables[${facts.type}]`);
  const name = cg.f.hoist(`column:r${facts.type}:${key}`, 'col', `${tableName}.column(${cg.shape.keyId(key)})`);
  let row = facts.rowCode;
  if (cg.shape.hasEndedRelationships(facts.type)) {
    const home = row;
    const ended = cg.f.hoist(`relended:${facts.type}`, 'ended', `${tableName}.ended`);
    row = cg.f.memo(`row:r${facts.type}:${home}`, () =>
      cg.f.later('row', `(${ended}[${home} >> 3] >> (${home} & 7)) & 1 ? ${tableName}.currentRow(${home}) : ${home}`),
    );
  }
  return readColumn(cg, column, name, row, relationship.valid);
}

function readColumn(cg: Codegen, column: ColumnShape, name: string, row: string, ownerValid: string | null, array?: string): Typed {
  return { ...columnValue(cg, column, name, row, ownerValid, array), late: true };
}

function columnValue(cg: Codegen, column: ColumnShape, name: string, row: string, ownerValid: string | null, array?: string): Typed {
  const values = () => array ?? valuesOf(cg, name);
  const bitmap = !column.nullable ? null : cg.f.hoist(`${name}.valid`, 'bits', `${name}.valid`);
  const valid = bothValid(ownerValid, bitmap === null ? null : `((${bitmap}[${row} >> 3] >> (${row} & 7)) & 1) === 1`);
  switch (column.kind) {
    case 'int32':
    case 'integer':
      return {
        type: 'integer',
        code: `${values()}[${row}]`,
        valid,
        small: true,
        most: column.kind === 'int32' ? LARGEST_INT32 : undefined,
      };
    case 'int64':
      return { type: 'integer', code: `narrow(${values()}[${row}])`, valid };
    case 'float':
      return { type: 'float', code: `${values()}[${row}]`, valid };
    case 'boolean':
      return { type: 'boolean', code: `(${values()}[${row}] === 1)`, valid };
    case 'dictionary': {
      const dictionary = cg.f.hoist(`${name}.dictionary`, 'dict', `${name}.dictionary`);
      const code = `${values()}[${row}]`;
      return { type: 'string', code: `${dictionary}.decode(${code})`, valid, dictionary: { code, name: dictionary, key: column.key } };
    }
    case 'string': {
      const texts = cg.f.hoist(`texts:${name}`, 'texts', `reads.texts(${name})`);
      return { type: 'string', code: `${texts}.get(${row})`, valid, text: { column: name, row } };
    }
    case 'vector': {
      // A vector that is only measured is read where it lies.
      const read = `${name}.get(${row})`;
      return { ...any(ownerValid === null ? read : `(${ownerValid} ? ${read} : null)`), vector: { column: name, row, valid: ownerValid } };
    }
    case 'date':
      return date(`${values()}[${row}]`, valid);
    case 'any':
      return {
        ...any(cg.f.later('x', ownerValid === null ? `${name}.get(${row})` : `(${ownerValid} ? ${name}.get(${row}) : null)`)),
        encoded: { column: name, row, valid: ownerValid },
      };
  }
}
