/** Property reads: `node.key`, `relationship.key`, `anything.key`. */
import type { ColumnView, NodeTableView, RelationshipTableView } from '../../../graph/index.ts';
import type { Codegen } from '../codegen.ts';
import { any, bothValid, NULL, type Typed } from '../typed.ts';

/** `_id` is not a property in a column: it is the internal identifier. */
const ID_KEY = '_id';

export function compileProperty(cg: Codegen, subject: Typed, key: string): Typed {
  if (subject.type === 'node') return nodeProperty(cg, subject, key);
  if (subject.type === 'relationship') return relationshipProperty(cg, subject, key);
  if (subject.type === 'null') return NULL;
  return any(cg.f.local('x', `rt.property(${toValue(subject)}, ${cg.keyReference(key)})`));
}

function nodeProperty(cg: Codegen, node: Typed, key: string): Typed {
  if (key === ID_KEY) return { type: 'string', code: `rt.nodeId(${node.code})`, valid: node.valid };
  const table = cg.generic ? null : singleTable(cg, node);
  if (table === null) {
    const code = node.valid === null ? `rt.nodeProperty(${node.code}, ${cg.keyReference(key)})` : `(${node.valid} ? rt.nodeProperty(${node.code}, ${cg.keyReference(key)}) : null)`;
    return any(cg.f.local('x', code));
  }
  const column = columnOf(cg, table, key);
  if (column === null) return NULL;
  const name = cg.f.hoist(`column:n${table.index}:${key}`, 'col', `${cg.nodeTable(table.index)}.column(${cg.constant(cg.view.keys.find(key))})`);
  return readColumn(cg, column, name, nodeRow(cg, node, table), node.valid);
}

function columnOf(cg: Codegen, table: NodeTableView | RelationshipTableView, key: string): ColumnView | null {
  const id = cg.view.keys.find(key);
  return id < 0 ? null : table.column(id);
}

function singleTable(cg: Codegen, node: Typed): NodeTableView | null {
  const tables = node.node?.tables ?? null;
  if (tables !== null && tables.length === 1) return cg.view.nodeTables[tables[0]!]!;
  return null;
}

/** The row of a node whose table is known. */
function nodeRow(cg: Codegen, node: Typed, table: NodeTableView): string {
  const row = node.node?.row ?? null;
  if (row !== null) return row;
  const ordinal = node.code;
  return cg.f.memo(`row:${ordinal}`, () => {
    if (cg.view.nodeVersioned !== null) {
      const versioned = cg.viewField('nodeVersioned');
      return cg.f.local(
        'row',
        `(${versioned}[${ordinal} >> 3] >> (${ordinal} & 7)) & 1 ? ${cg.viewName}.locateNode(${ordinal}) : ${cg.viewField('nodeRowOf')}[${ordinal}]`,
      );
    }
    if (table.ordinalBase >= 0) {
      const base = cg.f.hoist(`base:${table.index}`, 'base', `${cg.nodeTable(table.index)}.ordinalBase`);
      return cg.f.local('row', `${ordinal} - ${base}`);
    }
    return cg.f.local('row', `${cg.viewField('nodeRowOf')}[${ordinal}]`);
  });
}

function relationshipProperty(cg: Codegen, relationship: Typed, key: string): Typed {
  const facts = relationship.relationship!;
  if (key === ID_KEY) return { type: 'string', code: `rt.relationshipId(${facts.typeCode}, ${facts.rowCode})`, valid: relationship.valid };
  const table = cg.generic || facts.type === null ? undefined : cg.view.relationshipTables[facts.type];
  if (table === undefined) {
    const read = `rt.relationshipProperty(${facts.typeCode}, ${facts.rowCode}, ${cg.keyReference(key)})`;
    return any(cg.f.local('x', relationship.valid === null ? read : `(${relationship.valid} ? ${read} : null)`));
  }
  const column = columnOf(cg, table, key);
  if (column === null) return NULL;
  const tableName = cg.f.hoist(`reltable:${facts.type}`, 'rt', `${cg.viewName}.relationshipTables[${facts.type}]`);
  const name = cg.f.hoist(`column:r${facts.type}:${key}`, 'col', `${tableName}.column(${cg.constant(cg.view.keys.find(key))})`);
  let row = facts.rowCode;
  if (table.ended !== null) {
    const home = row;
    const ended = cg.f.hoist(`relended:${facts.type}`, 'ended', `${tableName}.ended`);
    row = cg.f.memo(`row:r${facts.type}:${home}`, () =>
      cg.f.local('row', `(${ended}[${home} >> 3] >> (${home} & 7)) & 1 ? ${tableName}.currentRow(${home}) : ${home}`),
    );
  }
  return readColumn(cg, column, name, row, relationship.valid);
}

function readColumn(cg: Codegen, column: ColumnView, name: string, row: string, ownerValid: string | null): Typed {
  const values = () => cg.f.hoist(`${name}.values`, 'a', `${name}.values`);
  const bitmap = column.valid === null ? null : cg.f.hoist(`${name}.valid`, 'bits', `${name}.valid`);
  const valid = bothValid(ownerValid, bitmap === null ? null : `((${bitmap}[${row} >> 3] >> (${row} & 7)) & 1) === 1`);
  switch (column.kind) {
    case 'int32':
    case 'integer':
      return { type: 'integer', code: `${values()}[${row}]`, valid };
    case 'int64':
      return { type: 'integer', code: `narrow(${values()}[${row}])`, valid };
    case 'float':
      return { type: 'float', code: `${values()}[${row}]`, valid };
    case 'boolean':
      return { type: 'boolean', code: `(${values()}[${row}] === 1)`, valid };
    case 'dictionary': {
      const dictionary = cg.f.hoist(`${name}.dictionary`, 'dict', `${name}.dictionary`);
      const code = `${values()}[${row}]`;
      return { type: 'string', code: `${dictionary}.decode(${code})`, valid, dictionary: { code, name: dictionary } };
    }
    case 'string':
      return { type: 'string', code: `${name}.get(${row})`, valid };
    case 'date':
    case 'any':
      return any(cg.f.local('x', ownerValid === null ? `${name}.get(${row})` : `(${ownerValid} ? ${name}.get(${row}) : null)`));
  }
}

/** JavaScript that gives the canonical Value, null included. */
export function toValue(typed: Typed): string {
  const present = presentValue(typed);
  return typed.valid === null || typed.type === 'null' ? present : `(${typed.valid} ? ${present} : null)`;
}

function presentValue(typed: Typed): string {
  switch (typed.type) {
    case 'null':
      return 'null';
    case 'float':
      return `makeFloat(${typed.code})`;
    case 'node':
      return `new NodeValue(${typed.code})`;
    case 'relationship': {
      const facts = typed.relationship!;
      if (facts.source !== null && facts.target !== null) {
        return `new RelationshipValue(${facts.typeCode}, ${facts.rowCode}, ${facts.source}, ${facts.target})`;
      }
      return `rt.relationshipValue(${facts.typeCode}, ${facts.rowCode})`;
    }
    default:
      return typed.code;
  }
}

/** A Value in a local, when reading it twice would compute it twice. */
export function valueLocal(cg: Codegen, typed: Typed): string {
  const code = toValue(typed);
  return /^[A-Za-z0-9_]+$/.test(code) ? code : cg.f.local('x', code);
}
