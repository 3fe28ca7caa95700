/** Property reads: `node.key`, `relationship.key`, `anything.key`. */
import type { Codegen, Environment } from '../codegen.ts';
import type { ColumnShape } from '../shape.ts';
import { any, bothValid, LARGEST_INT32, NULL, type Typed } from '../typed.ts';
import { nullableCode, stabiliseLate } from './locals.ts';
import { isInTable, rangesOf } from './node-table.ts';
import { date, toValue } from './to-value.ts';

/** `_id` is not a property in a column: it is the internal identifier. */
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
 * Reads properties of nodes that are bound already before a loop over something else begins: what the loop compares
 * with on every turn is then a local. `needed`: names of variables and keys that are read further on.
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

/** Strings stay codes of their dictionary, or stay where they are: nothing is decoded that may not be needed. */
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

/** Reads typed columns when it is known which tables the node can be in, and they are few. null: not so. */
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
  // None is null.
  const scanned = present.length < tables.length ? null : scannedColumn(cg, node, key, present as { table: number; column: ColumnShape }[]);
  if (scanned !== null) return scanned;
  // Nobody asks for the last one where all have the column: that takes the most tests.
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

/** Stands for a column of that form which is not in memory: whoever reads any part of it fails, as `read` does. */
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

/** Kinds whose values lie in typed arrays. */
const IN_ARRAYS: ReadonlySet<ColumnShape['kind']> = new Set(['int32', 'integer', 'float', 'boolean', 'date', 'dictionary']);

/**
 * A scan over several tables: the arrays of the table that it is in are chosen before its rows, and not for each. null:
 * columns are not that much alike.
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

/** Nodes that a scan has at hand come in the order of their rows. */
function asScanned(typed: Typed, { node }: Typed, kind: ColumnShape['kind'], columns: NonNullable<Typed['utf8']>['columns']): Typed {
  return kind === 'string' && node!.row !== null ? { ...typed, utf8: { row: node!.row, columns } } : typed;
}

const MOST_TABLES = 4;

/** One of several reads, by the table that the node is in. `complete`: it is in one of them. */
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

/** The row of a node, if it is in that table. */
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

/** It is in one of them. */
function rowInRanges(ranges: ReturnType<typeof rangesOf>, ordinal: string): string {
  const before = ranges.slice(0, -1).map(({ limit, base }) => `${ordinal} < ${limit} ? ${ordinal} - ${base} : `);
  return `(${before.join('')}${ordinal} - ${ranges[ranges.length - 1]!.base})`;
}

/** That the directory knows: the same in any table. */
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
      // Read where it lies, if it is only measured.
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
